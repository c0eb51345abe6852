/* test_source.c - memory, path and callback sources: what is asked of them, what they may answer, and how long they
 * live. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static const uint8_t ONE[] = {0x00, 0x00, 0x00, 0x22, 0xd1, 0xd3, 0x39, 0x64, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00,
                              0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x3a, 0x30, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
                              0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00, 0x01, 0x00, 0xee, 0xbd, 0x85, 0xf4};

/* A caller's file, and what it does wrong. */
typedef struct {
  const uint8_t *data;
  int64_t size;
  int64_t at_most; /* bytes per request; 0: all */
  int64_t ends_at; /* says 0 from there on; 0: never */
  int64_t answer;  /* said instead, where not 0 */
  int requests;
} file;

static int64_t read_at(void *context, int64_t offset, uint8_t *buffer, size_t size) {
  file *f = context;
  f->requests++;
  if (f->answer != 0) return f->answer;
  if (f->ends_at != 0 && offset >= f->ends_at) return 0;
  CHECK(offset >= 0 && offset + (int64_t)size <= f->size); /* never asked for what is not there */
  int64_t n = (int64_t)size;
  if (f->at_most != 0 && n > f->at_most) n = f->at_most;
  memcpy(buffer, f->data + offset, (size_t)n);
  return n;
}

static void check_one(dv_source_t *source, int64_t offset) {
  dv_t *dv = NULL;
  bool in = false;
  OK(dv_read_range(source, offset, sizeof ONE, 1, &dv));
  OK(dv_contains(dv, 1, &in));
  CHECK(in);
  dv_free(dv);
}

static void test_memory(void) {
  dv_source_t *source = NULL;
  dv_t *dv = NULL;
  uint8_t *data = malloc(10 + sizeof ONE);
  memset(data, 9, 10);
  memcpy(data + 10, ONE, sizeof ONE);
  OK(dv_source_memory(data, 10 + sizeof ONE, &source));
  check_one(source, 10);
  CHECK_STATUS(DV_MISMATCH, dv_read_range(source, 10, sizeof ONE, 2, &dv));
  CHECK_STATUS(DV_CORRUPT, dv_read_range(source, 11, sizeof ONE, 1, &dv)); /* beyond the end */
  CHECK_STATUS(DV_CORRUPT, dv_read_range(source, INT64_MAX, sizeof ONE, 1, &dv));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_read_range(source, 0, INT64_MAX, 1, &dv));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_read_range(source, -1, sizeof ONE, 1, &dv));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_read_range(source, 10, -1, 1, &dv));
  OK(dv_read_range(source, 10, sizeof ONE, 1, &dv));
  dv_source_free(source);
  memset(data, 0xEE, 10 + sizeof ONE);
  free(data); /* what was read owns its bytes */
  int64_t n = 0;
  OK(dv_cardinality(dv, &n));
  CHECK_INT(1, n);
  dv_free(dv);
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_source_memory(NULL, 1, &source));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_source_memory(ONE, SIZE_MAX, &source));
}

static void test_path(const char *directory) {
  char path[512];
  snprintf(path, sizeof path, "%s/one.dv", directory);
  FILE *out = fopen(path, "wb");
  CHECK(out != NULL && fwrite(ONE, 1, sizeof ONE, out) == sizeof ONE && fclose(out) == 0);
  dv_source_t *source = NULL;
  dv_t *dv = NULL;
  OK(dv_source_path(path, &source));
  check_one(source, 0);
  CHECK_INT(0, truncate(path, 20)); /* shorter than it was when opened */
  CHECK_STATUS(DV_IO, dv_read_range(source, 0, sizeof ONE, 1, &dv));
  CHECK_ERROR("one.dv");
  dv_source_free(source);
  unlink(path);
  CHECK_STATUS(DV_IO, dv_source_path(path, &source));
  CHECK_ERROR("no such file");
  CHECK_STATUS(DV_IO, dv_source_path(directory, &source));
  CHECK_ERROR("directory");
  CHECK_STATUS(DV_IO, dv_source_path("", &source));
  snprintf(path, sizeof path, "%s/pipe", directory);
  CHECK_INT(0, mkfifo(path, 0600));
  CHECK_STATUS(DV_IO, dv_source_path(path, &source)); /* at once: nobody will ever open the other end */
  unlink(path);
}

static void test_callbacks(void) {
  dv_source_t *source = NULL;
  file f = {ONE, sizeof ONE, 0, 0, 0, 0};
  OK(dv_source_callbacks(&f, sizeof ONE, read_at, &source));
  check_one(source, 0);
  CHECK_INT(1, f.requests); /* the range, in one request */
  f.at_most = 5;            /* short reads are asked for again */
  check_one(source, 0);
  CHECK_INT(1 + 9, f.requests);
  dv_source_free(source);
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_source_callbacks(&f, -1, read_at, &source));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_source_callbacks(&f, 5, NULL, &source));
}

static void test_callbacks_that_lie(void) {
  dv_source_t *source = NULL;
  dv_t *dv = NULL;
  file f = {ONE, sizeof ONE, 5, 0, 0, 0};
  OK(dv_source_callbacks(&f, sizeof ONE, read_at, &source));
  static const int64_t answers[] = {-1, INT64_MIN, sizeof ONE + 1, INT64_MAX, (INT64_C(1) << 32) + 3};
  for (int i = 0; i < 5; i++) {
    f.answer = answers[i];
    CHECK_STATUS(DV_IO, dv_read_range(source, 0, sizeof ONE, 1, &dv));
  }
  f.answer = 0;
  f.ends_at = 20; /* earlier than its size says */
  CHECK_STATUS(DV_IO, dv_read_range(source, 0, sizeof ONE, 1, &dv));
  CHECK_ERROR("20");
  f.ends_at = 0;
  check_one(source, 0); /* a failed call leaves the source as it was */
  dv_source_free(source);
}

/* A source that claims terabytes costs what it delivers. */
static void test_claimed_size(void) {
  dv_source_t *source = NULL;
  dv_t *dv = NULL;
  file f = {NULL, INT64_MAX, 0, 0, -1, 0};
  OK(dv_source_callbacks(&f, INT64_MAX, read_at, &source));
  CHECK_STATUS(DV_IO, dv_read_range(source, INT64_C(1) << 50, INT32_MAX, DV_UNKNOWN, &dv));
  CHECK_STATUS(DV_IO, dv_read_range(source, 5, 1 << 30, DV_UNKNOWN, &dv));
  dv_source_free(source);
}

/* A mapped file that somebody truncates is a failed call, not the end of the process. */
static void test_truncated_mapping(const char *directory) {
  char path[512];
  snprintf(path, sizeof path, "%s/mapped", directory);
  int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  size_t size = 1 << 16;
  CHECK_INT(0, ftruncate(fd, (off_t)size));
  uint8_t *data = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
  CHECK(data != MAP_FAILED);
  dv_source_t *source = NULL;
  dv_t *dv = NULL;
  OK(dv_source_memory(data, size, &source));
  CHECK_STATUS(DV_CORRUPT, dv_read_range(source, 0, (int64_t)size, DV_UNKNOWN, &dv));
  CHECK_INT(0, ftruncate(fd, 0));
  for (int i = 0; i < 3; i++) {
    CHECK_STATUS(DV_IO, dv_read_range(source, 0, (int64_t)size, DV_UNKNOWN, &dv));
    CHECK_STATUS(DV_IO, dv_view(data, size, DV_UNKNOWN, &dv));
    CHECK_ERROR("truncated");
  }
  dv_source_free(source);
  munmap(data, size);
  close(fd);
  unlink(path);
}

int main(void) {
  char directory[] = "/tmp/libdv-source-XXXXXX";
  CHECK(mkdtemp(directory) != NULL);
  test_memory();
  test_path(directory);
  test_callbacks();
  test_callbacks_that_lie();
  test_claimed_size();
  test_truncated_mapping(directory);
  CHECK_INT(0, rmdir(directory));
  return finish("source");
}
