/* test_faults.c - every operation that reads or writes through callbacks, failing at each of its callbacks in turn:
 * DV_IO, the file dropped, nothing lost, nothing left behind, and the next try succeeds. So with memory that is gone. */
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "puffin_file.h"

enum { CALLS_AT_MOST = 1000 };

static struct {
  int calls;    /* callbacks so far */
  int fail_at;  /* the one that fails; 0: none */
  int finished; /* calls of finish */
  bool committed;
} it;

static bool fails(void) { return ++it.calls == it.fail_at; }

/* ------------------------------------------------------------------ reading */

enum { SHORT = 3 }; /* bytes per request: many requests */

static int64_t on_read(void *context, int64_t offset, uint8_t *buffer, size_t size) {
  if (fails()) return -1;
  if (size > SHORT) size = SHORT;
  return read_bytes(context, offset, buffer, size);
}

typedef struct {
  const char *name;
  dv_status (*run)(dv_source_t *source, dv_t **out);
} reading;

static const dv_puffin_blob *first;
static dv_puffin_t *opened;

static dv_status open_file(dv_source_t *source, dv_t **out) {
  dv_puffin_t *puffin = NULL;
  (void)out;
  dv_status status = dv_puffin_open(source, &puffin);
  dv_puffin_free(puffin);
  return status;
}
static dv_status read_blob(dv_source_t *source, dv_t **out) {
  (void)source;
  return dv_puffin_read(opened, 0, out);
}
static dv_status read_masks(dv_source_t *source, dv_t **out) {
  uint8_t masks[128];
  (void)source, (void)out;
  dv_status status = dv_puffin_keep_masks(opened, (size_t[]){1, 0}, (int64_t[]){9, 9}, 2, masks, sizeof masks);
  if (status == DV_OK) CHECK(masks[0] == 0xDF && masks[64] == 0xFD);
  return status;
}
static dv_status read_entry(dv_source_t *source, dv_t **out) {
  (void)source;
  return dv_puffin_read_entry(opened, first->offset, first->length, 2, "a", out, NULL);
}
static dv_status read_at_once(dv_source_t *source, dv_t **out) {
  return dv_read(source, first->offset, first->length, 2, "a", out, NULL);
}
static dv_status read_range(dv_source_t *source, dv_t **out) {
  return dv_read_range(source, first->offset, first->length, 2, out);
}

static void test_reading(const reading *r, dv_source_t *source) {
  int64_t live = dv_live_handles();
  dv_status status = DV_IO;
  int n = 0;
  while (status != DV_OK && n < CALLS_AT_MOST) {
    dv_t *dv = NULL;
    it.calls = 0;
    it.fail_at = ++n;
    status = r->run(source, &dv);
    if (status == DV_OK) {
      CHECK_INT(n - 1, it.calls); /* it needed no more */
    } else {
      CHECK_STATUS(DV_IO, status);
      CHECK_ERROR("-1");
      CHECK(dv == NULL);
      CHECK_INT(n, it.calls); /* nothing is asked for after a failure */
    }
    dv_free(dv);
    CHECK_INT(live, dv_live_handles());
  }
  if (!CHECK(n > 5 && n < CALLS_AT_MOST)) fprintf(stderr, "%s: %d callbacks\n", r->name, n - 1);
}

static void test_all_readings(void) {
  static const reading all[] = {{"open", open_file},   {"blob", read_blob},    {"masks", read_masks},
                                {"entry", read_entry}, {"read", read_at_once}, {"range", read_range}};
  dv_bytes file = puffin_file();
  dv_source_t *source = NULL;
  it.fail_at = 0;
  OK(dv_source_callbacks(&file, (int64_t)file.size, on_read, &source));
  OK(dv_puffin_open(source, &opened));
  OK(dv_puffin_blob_at(opened, 0, &first));
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) test_reading(&all[i], source);
  dv_puffin_free(opened);
  dv_source_free(source);
  dv_bytes_free(&file);
}

/* --------------------------------------------------------- memory that is gone */

enum { PAGE = 4096 };

/* A page of a file of its own; gone() cuts the file short, so that touching the page is a fault. */
static uint8_t *lend(int *fd) {
  *fd = memfd_create("lent", 0);
  CHECK(*fd >= 0 && ftruncate(*fd, PAGE) == 0);
  uint8_t *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
  CHECK(page != MAP_FAILED);
  return page;
}
static void gone(int fd) { CHECK(ftruncate(fd, 0) == 0); }

static void expect_gone(dv_status status) {
  CHECK_STATUS(DV_IO, status);
  CHECK_ERROR("cannot be accessed");
}

/* The source, the arguments and the output of a call: whichever of them faults, it is DV_IO, and the file that was
 * opened can be read on. */
static void test_gone_memory(void) {
  static const int64_t rows[] = {9, 9};
  uint8_t masks[128];
  dv_bytes file = puffin_file(), blob = {NULL, 0};
  dv_source_t *source = NULL;
  dv_puffin_t *puffin = NULL;
  int fds[3];
  uint8_t *lent[3];
  for (int i = 0; i < 3; i++) lent[i] = lend(&fds[i]);
  memcpy(lent[0], file.data, file.size);
  OK(dv_source_memory(lent[0], file.size, &source));
  OK(dv_puffin_open(source, &puffin));
  int64_t live = dv_live_handles();

  gone(fds[1]), gone(fds[2]);
  expect_gone(dv_puffin_keep_masks(puffin, NULL, rows, 2, lent[1], PAGE));
  expect_gone(dv_puffin_keep_masks(puffin, NULL, (int64_t *)lent[2], 2, masks, sizeof masks));
  expect_gone(dv_puffin_keep_masks(puffin, (size_t *)lent[2], rows, 2, masks, sizeof masks));
  expect_gone(dv_blob_from_positions((int64_t *)lent[2], 8, &blob));
  CHECK(blob.data == NULL);
  OK(dv_puffin_keep_masks(puffin, NULL, rows, 2, masks, sizeof masks));
  CHECK(masks[0] == 0xFD && masks[64] == 0xDF);
  gone(fds[0]);
  expect_gone(dv_puffin_keep_masks(puffin, NULL, rows, 2, masks, sizeof masks));
  CHECK_INT(live, dv_live_handles());

  dv_puffin_free(puffin);
  dv_source_free(source);
  for (int i = 0; i < 3; i++) munmap(lent[i], PAGE), close(fds[i]);
  dv_bytes_free(&file);
}

/* ------------------------------------------------------------------ writing */

static int32_t on_write(void *context, const uint8_t *data, size_t size) {
  (void)context, (void)data, (void)size;
  CHECK_INT(0, it.finished);
  return fails() ? 5 : 0;
}

static int32_t on_finish(void *context, bool success) {
  (void)context;
  it.finished++;
  it.committed = success && !fails();
  return success && !it.committed ? 6 : 0;
}

static dv_sink_t *new_sink(int fail_at) {
  dv_sink_t *sink = NULL;
  memset(&it, 0, sizeof it);
  it.fail_at = fail_at;
  OK(dv_sink_callbacks(NULL, on_write, on_finish, &sink));
  return sink;
}

static dv_t *large_vector(void) { /* more than one write of a Puffin file holds */
  dv_t *dv = NULL;
  OK(dv_new(&dv));
  int64_t *list = malloc(400000 * sizeof *list);
  for (int64_t i = 0; i < 400000; i++) list[i] = i * 3;
  OK(dv_set_many(dv, list, 400000));
  free(list);
  return dv;
}

static void test_flush(const dv_t *dv) {
  dv_writer_t *writer = NULL;
  OK(dv_writer_new(NULL, &writer));
  for (int i = 0; i < 5; i++) {
    char name[] = {(char)('a' + i), '\0'};
    OK(dv_writer_load(writer, name, dv, 0, NULL));
  }
  dv_status status = DV_IO;
  int n = 0;
  while (status != DV_OK && n < CALLS_AT_MOST) {
    dv_sink_t *sink = new_sink(++n);
    dv_bytes entries = {NULL, 0};
    status = dv_writer_flush(writer, sink, "x", &entries);
    CHECK_INT(1, it.finished); /* exactly once, before the call returns */
    CHECK(it.committed == (status == DV_OK));
    if (status != DV_OK) {
      CHECK_STATUS(DV_IO, status);
      CHECK(entries.data == NULL);
    } else {
      int count = 0;
      for (const char *p = (char *)entries.data; (p = strstr(p, "\"record-count\":400000,")) != NULL; p++) count++;
      CHECK_INT(5, count); /* the failures lost nothing */
    }
    dv_bytes_free(&entries);
    dv_sink_free(sink);
    CHECK_INT(1, it.finished);
  }
  CHECK(n > 2 && n < CALLS_AT_MOST);
  dv_writer_free(writer);
}

/* Writes three vectors and finalizes; the status of the first call that fails. */
static dv_status write_three(dv_delta_writer_t *writer, const dv_t *dv) {
  dv_delta_result at;
  for (int i = 0; i < 3; i++) {
    dv_status status = dv_delta_writer_write(writer, dv, &at);
    if (status != DV_OK) return status;
  }
  return dv_delta_writer_finalize(writer);
}

static void test_delta(const dv_t *dv) {
  dv_status status = DV_IO;
  int n = 0;
  while (status != DV_OK && n < CALLS_AT_MOST) {
    dv_sink_t *sink = new_sink(++n);
    dv_delta_writer_t *writer = NULL;
    OK(dv_delta_writer_new(sink, &writer));
    status = write_three(writer, dv);
    CHECK_INT(1, it.finished);
    CHECK(it.committed == (status == DV_OK));
    if (status != DV_OK) CHECK_STATUS(DV_IO, status);
    CHECK_STATUS(DV_STATE, dv_delta_writer_finalize(writer));
    dv_delta_writer_free(writer);
    dv_sink_free(sink);
    CHECK_INT(1, it.finished);
  }
  CHECK(n > 3 && n < CALLS_AT_MOST);
}

int main(void) {
  dv_t *dv = large_vector();
  test_all_readings();
  test_gone_memory();
  test_flush(dv);
  test_delta(dv);
  dv_free(dv);
  return finish("faults");
}
