/* test_leak.c - objects of every kind, made and freed again and again: no handle is left, and memory stays flat.
 *
 * usage: test_leak [cycles]     per round, 5,000 unless given
 */
#include <dirent.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "puffin_file.h"

static dv_bytes file;

static int32_t drop_write(void *context, const uint8_t *data, size_t size) {
  (void)context, (void)data, (void)size;
  return 0;
}
static int32_t drop_finish(void *context, bool success) {
  (void)context, (void)success;
  return 0;
}

static void vectors(void) {
  dv_t *dv = NULL, *copy = NULL, *back = NULL, *view = NULL;
  dv_bytes blob = {NULL, 0}, bitmap = {NULL, 0}, mumbling = {NULL, 0};
  mumbling_t *m = NULL;
  int64_t list[100];
  for (int i = 0; i < 100; i++) list[i] = i * 777;
  OK(dv_new(&dv));
  OK(dv_set_many(dv, list, 100));
  OK(dv_copy(dv, &copy));
  OK(dv_serialize(dv, &blob));
  OK(dv_serialize_bitmap(dv, &bitmap));
  OK(dv_view(blob.data, blob.size, 100, &view));
  OK(dv_deserialize(blob.data, blob.size, 100, &back));
  OK(dv_or(back, view));
  OK(mumbling_from_dv(dv, &mumbling));
  OK(mumbling_read(mumbling.data, mumbling.size, &m));
  OK(mumbling_validate(m));
  mumbling_free(m);
  dv_free(dv), dv_free(copy), dv_free(view), dv_free(back);
  dv_bytes_free(&blob), dv_bytes_free(&bitmap), dv_bytes_free(&mumbling);
}

static void files(void) {
  dv_source_t *source = NULL;
  dv_puffin_t *puffin = NULL;
  dv_t *dv = NULL;
  dv_bytes json = {NULL, 0};
  OK(dv_source_callbacks(&file, (int64_t)file.size, read_bytes, &source));
  OK(dv_puffin_open(source, &puffin));
  OK(dv_puffin_footer_json(puffin, &json));
  OK(dv_puffin_read(puffin, 0, &dv));
  dv_puffin_free(puffin), dv_source_free(source), dv_free(dv);
  dv_bytes_free(&json);
}

static void writers(void) {
  dv_sink_t *sink = NULL;
  dv_delta_writer_t *delta = NULL;
  dv_delta_result at;
  dv_t *dv = NULL;
  dv_bytes bytes = {NULL, 0};
  OK(dv_new(&dv));
  OK(dv_set(dv, 1));
  OK(dv_sink_memory(&sink));
  OK(dv_delta_writer_new(sink, &delta));
  OK(dv_delta_writer_write(delta, dv, &at));
  OK(dv_delta_writer_finalize(delta));
  OK(dv_sink_take(sink, &bytes));
  dv_bytes_free(&bytes);
  dv_delta_writer_free(delta), dv_sink_free(sink);

  OK(dv_sink_callbacks(NULL, drop_write, drop_finish, &sink)); /* begun and given up */
  OK(dv_delta_writer_new(sink, &delta));
  OK(dv_delta_writer_write(delta, dv, &at));
  dv_sink_free(sink), dv_delta_writer_free(delta);
  OK(dv_sink_memory(&sink));
  OK(dv_delta_writer_new(sink, &delta));
  OK(dv_delta_writer_write(delta, dv, &at));
  dv_delta_writer_free(delta), dv_sink_free(sink);
  dv_free(dv);
}

static void puffin_writers(void) {
  dv_writer_t *writer = NULL;
  dv_sink_t *sink = NULL;
  dv_bytes entries = {NULL, 0}, bytes = {NULL, 0};
  OK(dv_writer_new(NULL, &writer));
  OK(dv_writer_add(writer, "a", (int64_t[]){1, 2, 70000}, 3, 0, NULL));
  OK(dv_sink_memory(&sink));
  OK(dv_writer_flush(writer, sink, "x", &entries));
  OK(dv_sink_take(sink, &bytes));
  dv_bytes_free(&bytes), dv_bytes_free(&entries), dv_sink_free(sink);
  OK(dv_writer_add(writer, "a", (int64_t[]){1}, 1, 0, NULL)); /* and never flushed */
  dv_writer_free(writer);
}

/* Files of the file system: a descriptor is lost as easily as memory. */
static void paths(void) {
  dv_source_t *source = NULL;
  dv_sink_t *sink = NULL;
  dv_bytes json = {NULL, 0};
  OK(dv_source_path("testdata/golden/iceberg/pos5.puffin", &source));
  OK(dv_inspect(source, NULL, &json));
  OK(dv_sink_path("build/tests/never-there", &sink)); /* given up */
  dv_sink_free(sink), dv_source_free(source);
  dv_bytes_free(&json);
}

static void failures(void) {
  dv_t *dv = NULL;
  dv_source_t *source = NULL;
  dv_writer_t *writer = NULL;
  mumbling_t *m = NULL;
  dv_puffin_t *puffin = NULL;
  CHECK_STATUS(DV_CORRUPT, dv_deserialize(file.data, file.size, DV_UNKNOWN, &dv));
  CHECK_STATUS(DV_IO, dv_source_path("/nowhere/at/all", &source));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_writer_new("[", &writer));
  CHECK(mumbling_read(file.data, file.size, &m) != DV_OK);
  OK(dv_source_memory(file.data, file.size - 1, &source));
  CHECK_STATUS(DV_CORRUPT, dv_puffin_open(source, &puffin));
  dv_source_free(source);
}

/* Calls that fail halfway, because memory that was lent to them is gone. */
static void gone(void) {
  dv_t *dv = NULL, *view = NULL;
  mumbling_t *m = NULL;
  dv_bytes blob = {NULL, 0}, out = {NULL, 0};
  int fd = memfd_create("lent", 0);
  CHECK(fd >= 0 && ftruncate(fd, 4096) == 0);
  uint8_t *lent = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  CHECK(lent != MAP_FAILED);
  OK(dv_new(&dv));
  for (int i = 0; i < 500; i++) OK(dv_set(dv, i * 3)); /* an array of 1,000 bytes */
  OK(dv_serialize(dv, &blob));
  memcpy(lent, blob.data, blob.size);
  OK(dv_view(lent, blob.size, DV_UNKNOWN, &view));
  CHECK(ftruncate(fd, 0) == 0);
  CHECK_STATUS(DV_IO, mumbling_read(lent, 4000, &m));
  CHECK_STATUS(DV_IO, dv_serialize(view, &out));
  CHECK_STATUS(DV_IO, dv_serialize_bitmap(view, &out));
  CHECK_STATUS(DV_IO, dv_blob_from_positions((int64_t *)lent, 500, &out));
  CHECK(m == NULL && out.data == NULL);
  dv_free(view), dv_free(dv), dv_bytes_free(&blob);
  munmap(lent, 4096), close(fd);
}

static int64_t resident_kib(void) {
  long pages = 0, resident = 0;
  FILE *statm = fopen("/proc/self/statm", "r");
  CHECK(statm != NULL && fscanf(statm, "%ld %ld", &pages, &resident) == 2);
  if (statm != NULL) fclose(statm);
  return (int64_t)resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static int open_files(void) {
  int count = 0;
  DIR *dir = opendir("/proc/self/fd");
  CHECK(dir != NULL);
  while (dir != NULL && readdir(dir) != NULL) count++;
  if (dir != NULL) closedir(dir);
  return count;
}

static void cycle(int times) {
  for (int i = 0; i < times; i++) vectors(), files(), writers(), puffin_writers(), paths(), failures(), gone();
  CHECK_INT(0, dv_live_handles());
}

#ifdef __SANITIZE_ADDRESS__ /* it keeps freed memory back on purpose: handles are all that can be counted */
enum { ROUNDS = 1, NOISE_KIB = INT32_MAX };
#else
enum { ROUNDS = 8, NOISE_KIB = 512 };
#endif

int main(int argc, char **argv) {
  int cycles = argc > 1 ? atoi(argv[1]) : 5000, rounds = 0;
  int64_t grown = 0;
  file = puffin_file();
  int files_before = (cycle(1), open_files());
  cycle(cycles); /* the heap and the addresses kept back reach their size */
  do {           /* a heap may grow in one round or another, but a leak grows in each: 100 bytes per cycle are more */
    int64_t before = resident_kib();
    cycle(cycles);
    grown = resident_kib() - before;
  } while (grown > NOISE_KIB && ++rounds < ROUNDS);
  if (grown > NOISE_KIB) {
    fprintf(stderr, "resident memory grew by %d KiB over %d cycles, and so it did before\n", (int)grown, cycles);
    check_failures++;
  }
  CHECK_INT(files_before, open_files());
  dv_bytes_free(&file);
  return finish("leak");
}
