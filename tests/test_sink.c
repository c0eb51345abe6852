/* test_sink.c - one sink, one file, one end: commit and drop of every make of sink, under both kinds of writer. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static char directory[] = "/tmp/libdv-sink-XXXXXX";

/* A caller's sink: what it was given, and what it fails at. */
typedef struct {
  uint8_t data[1 << 16];
  size_t size;
  int writes, commits, drops;
  int refuse_write; /* number of the write to refuse; 0: none */
  int32_t refuse_commit;
} record;

static int32_t on_write(void *context, const uint8_t *data, size_t size) {
  record *r = context;
  CHECK(size > 0);
  CHECK_INT(0, r->commits + r->drops); /* nothing follows the end */
  if (++r->writes == r->refuse_write) return -7;
  CHECK(r->size + size <= sizeof r->data);
  memcpy(r->data + r->size, data, size);
  r->size += size;
  return 0;
}

static int32_t on_finish(void *context, bool success) {
  record *r = context;
  CHECK_INT(0, r->commits + r->drops);
  if (!success) {
    r->drops++;
    return 99; /* ignored */
  }
  r->commits++;
  return r->refuse_commit;
}

static int files_in_directory(void) {
  int count = 0;
  DIR *dir = opendir(directory);
  for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;)
    count += e->d_name[0] != '.' || e->d_name[1] == 'l';
  closedir(dir);
  return count;
}

static dv_t *vector(void) {
  dv_t *dv = NULL;
  OK(dv_new(&dv));
  OK(dv_set_many(dv, (int64_t[]){1, 2, 100000}, 3));
  return dv;
}

static void end_of(const record *r, int commits, int drops) {
  CHECK_INT(commits, r->commits);
  CHECK_INT(drops, r->drops);
}

static void test_delta_commit(void) {
  record *r = calloc(1, sizeof *r);
  dv_sink_t *sink = NULL, *memory = NULL;
  dv_delta_writer_t *writer = NULL, *second = NULL;
  dv_delta_result at;
  dv_t *dv = vector();
  OK(dv_sink_callbacks(r, on_write, on_finish, &sink));
  OK(dv_delta_writer_new(sink, &writer));
  CHECK_STATUS(DV_STATE, dv_delta_writer_new(sink, &second)); /* attached */
  OK(dv_delta_writer_write(writer, dv, &at));
  CHECK_INT(1, at.offset);
  CHECK_INT(3, at.cardinality);
  end_of(r, 0, 0);
  OK(dv_delta_writer_finalize(writer));
  end_of(r, 1, 0);
  CHECK_STATUS(DV_STATE, dv_delta_writer_finalize(writer));
  CHECK_STATUS(DV_STATE, dv_delta_writer_write(writer, dv, &at));
  dv_bytes bytes = {0};
  CHECK_STATUS(DV_STATE, dv_sink_take(sink, &bytes)); /* not a memory sink */
  dv_delta_writer_free(writer);
  dv_sink_free(sink);
  end_of(r, 1, 0);

  OK(dv_sink_memory(&memory)); /* the same file, byte for byte */
  OK(dv_delta_writer_new(memory, &writer));
  CHECK_STATUS(DV_STATE, dv_sink_take(memory, &bytes));
  OK(dv_delta_writer_write(writer, dv, &at));
  OK(dv_delta_writer_finalize(writer));
  dv_delta_writer_free(writer);
  OK(dv_sink_take(memory, &bytes));
  CHECK_BYTES(r->data, r->size, bytes.data, bytes.size);
  CHECK_STATUS(DV_STATE, dv_sink_take(memory, &bytes));
  dv_bytes_free(&bytes);
  dv_sink_free(memory);
  dv_free(dv);
  free(r);
}

/* Whichever of the two goes first drops the file, once. */
static void test_delta_drop(void) {
  dv_t *dv = vector();
  dv_delta_result at;
  for (int first = 0; first < 2; first++) {
    record *r = calloc(1, sizeof *r);
    dv_sink_t *sink = NULL;
    dv_delta_writer_t *writer = NULL;
    OK(dv_sink_callbacks(r, on_write, on_finish, &sink));
    OK(dv_delta_writer_new(sink, &writer));
    OK(dv_delta_writer_write(writer, dv, &at));
    if (first == 0) {
      dv_delta_writer_free(writer);
      end_of(r, 0, 1);
      CHECK_STATUS(DV_STATE, dv_delta_writer_new(sink, &writer)); /* it served its file */
      dv_sink_free(sink);
    } else {
      dv_sink_free(sink);
      end_of(r, 0, 1);
      CHECK_STATUS(DV_STATE, dv_delta_writer_write(writer, dv, &at));
      CHECK_STATUS(DV_STATE, dv_delta_writer_finalize(writer));
      dv_delta_writer_free(writer);
    }
    end_of(r, 0, 1);
    free(r);
  }
  dv_free(dv);
}

static void test_delta_failures(void) {
  dv_t *dv = vector();
  dv_delta_result at = {-5, -5, -5};
  for (int failing = 0; failing < 3; failing++) { /* the first write, the second, the commit */
    record *r = calloc(1, sizeof *r);
    dv_sink_t *sink = NULL;
    dv_delta_writer_t *writer = NULL;
    r->refuse_write = failing < 2 ? failing + 1 : 0;
    r->refuse_commit = failing == 2 ? 5 : 0;
    OK(dv_sink_callbacks(r, on_write, on_finish, &sink));
    OK(dv_delta_writer_new(sink, &writer));
    for (int i = 0; i < failing && i < 2; i++) OK(dv_delta_writer_write(writer, dv, &at));
    at = (dv_delta_result){-5, -5, -5};
    if (failing < 2) {
      CHECK_STATUS(DV_IO, dv_delta_writer_write(writer, dv, &at));
      CHECK_ERROR("-7");
    } else {
      CHECK_STATUS(DV_IO, dv_delta_writer_finalize(writer));
      CHECK_ERROR("5");
    }
    CHECK_INT(-5, at.cardinality);
    end_of(r, failing == 2, failing < 2);
    CHECK_STATUS(DV_STATE, dv_delta_writer_write(writer, dv, &at)); /* ended, and says why */
    CHECK_ERROR(failing < 2 ? "-7" : "5");
    CHECK_STATUS(DV_STATE, dv_delta_writer_finalize(writer));
    dv_delta_writer_free(writer);
    dv_sink_free(sink);
    end_of(r, failing == 2, failing < 2);
    free(r);
  }
  dv_free(dv);
}

static void test_never_attached(void) {
  record *r = calloc(1, sizeof *r);
  dv_sink_t *sink = NULL;
  dv_bytes bytes = {0};
  OK(dv_sink_callbacks(r, on_write, on_finish, &sink));
  dv_sink_free(sink);
  end_of(r, 0, 1); /* an unfinished sink that is freed is dropped */
  OK(dv_sink_memory(&sink));
  CHECK_STATUS(DV_STATE, dv_sink_take(sink, &bytes));
  dv_sink_free(sink);
  free(r);
}

static void test_path(void) {
  char path[512];
  snprintf(path, sizeof path, "%s/out.bin", directory);
  dv_sink_t *sink = NULL, *late = NULL;
  dv_writer_t *writer = NULL;
  dv_bytes entries = {0};
  struct stat st;
  OK(dv_writer_new(NULL, &writer));
  OK(dv_writer_add(writer, "a", (int64_t[]){1}, 1, 0, NULL));
  OK(dv_sink_path(path, &sink));
  OK(dv_sink_path(path, &late)); /* nothing is there yet */
  CHECK(stat(path, &st) != 0 && errno == ENOENT);
  OK(dv_writer_flush(writer, sink, path, &entries));
  CHECK(stat(path, &st) == 0 && st.st_size > 40);
  dv_bytes_free(&entries);
  dv_sink_free(sink);

  OK(dv_writer_add(writer, "a", (int64_t[]){2}, 1, 0, NULL));
  CHECK_STATUS(DV_IO, dv_writer_flush(writer, late, path, &entries)); /* there now: found by the commit */
  CHECK_ERROR("exists");
  dv_sink_free(late);
  OK(dv_sink_path(path, &sink)); /* made, never used */
  dv_sink_free(sink);
  CHECK_INT(1, files_in_directory());

  snprintf(path, sizeof path, "%s/missing/out.bin", directory);
  CHECK_STATUS(DV_IO, dv_sink_path(path, &sink));
  CHECK_ERROR("no such file");
  CHECK_STATUS(DV_IO, dv_sink_path("", &sink));
  snprintf(path, sizeof path, "%s/out.bin", directory);
  unlink(path);
  dv_writer_free(writer);
}

/* A disk that is full in the middle of the file leaves nothing. RLIMIT_FSIZE stands in for it. */
static void test_path_full(void) {
  char path[512];
  snprintf(path, sizeof path, "%s/full.bin", directory);
  dv_sink_t *sink = NULL;
  dv_writer_t *writer = NULL;
  dv_t *dv = NULL;
  dv_bytes entries = {0};
  OK(dv_new(&dv));
  for (int64_t i = 0; i < 64; i++) OK(dv_set_many(dv, (int64_t[]){i * 65536, i * 65536 + 9}, 2));
  OK(dv_writer_new(NULL, &writer));
  OK(dv_writer_load(writer, "a", dv, 0, NULL));
  struct rlimit old, small;
  getrlimit(RLIMIT_FSIZE, &old);
  small = old;
  small.rlim_cur = 100;
  OK(dv_sink_path(path, &sink));
  setrlimit(RLIMIT_FSIZE, &small);
  CHECK_STATUS(DV_IO, dv_writer_flush(writer, sink, path, &entries));
  setrlimit(RLIMIT_FSIZE, &old);
  CHECK_ERROR("file too large");
  dv_sink_free(sink);
  CHECK_INT(0, files_in_directory());

  OK(dv_sink_path(path, &sink)); /* the writer still has it all */
  OK(dv_writer_flush(writer, sink, path, &entries));
  dv_bytes_free(&entries);
  dv_sink_free(sink);
  CHECK_INT(1, files_in_directory());
  unlink(path);
  dv_writer_free(writer);
  dv_free(dv);
}

int main(void) {
  CHECK(mkdtemp(directory) != NULL);
  signal(SIGXFSZ, SIG_IGN);
  test_delta_commit();
  test_delta_drop();
  test_delta_failures();
  test_never_attached();
  test_path();
  test_path_full();
  CHECK_INT(0, rmdir(directory));
  return finish("sink");
}
