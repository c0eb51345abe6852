/* test_misuse.c - every function with NULL for each of its pointers, with handles of every wrong kind, with freed
 * ones. */
#include "check.h"

/* One object of every kind, by its place in the kinds below. */
enum { VECTOR, SOURCE, SINK, PUFFIN, WRITER, DELTA, MUMBLING, KINDS };
static void *handles[KINDS];

static const uint8_t NO_POSITIONS[] = {1, 0, 0, 0, 0, 0}; /* an empty Mumbling bitmap */
static dv_bytes file;

static void make_all(void) {
  dv_writer_t *writer = NULL;
  dv_sink_t *sink = NULL;
  dv_bytes entries = {0};
  OK(dv_writer_new(NULL, &writer));
  OK(dv_writer_add(writer, "a", (int64_t[]){1}, 1, 0, NULL));
  OK(dv_sink_memory(&sink));
  OK(dv_writer_flush(writer, sink, "x", &entries));
  OK(dv_sink_take(sink, &file));
  dv_bytes_free(&entries);
  dv_sink_free(sink);
  handles[WRITER] = writer;
  OK(dv_new((dv_t **)&handles[VECTOR]));
  OK(dv_source_memory(file.data, file.size, (dv_source_t **)&handles[SOURCE]));
  OK(dv_puffin_open(handles[SOURCE], (dv_puffin_t **)&handles[PUFFIN]));
  OK(mumbling_read(NO_POSITIONS, sizeof NO_POSITIONS, (mumbling_t **)&handles[MUMBLING]));
  dv_sink_t *attached = NULL;
  OK(dv_sink_memory(&attached));
  OK(dv_delta_writer_new(attached, (dv_delta_writer_t **)&handles[DELTA]));
  dv_sink_free(attached);
  OK(dv_sink_memory((dv_sink_t **)&handles[SINK]));
}

static void free_all(void) {
  dv_free(handles[VECTOR]);
  dv_source_free(handles[SOURCE]);
  dv_sink_free(handles[SINK]);
  dv_puffin_free(handles[PUFFIN]);
  dv_writer_free(handles[WRITER]);
  dv_delta_writer_free(handles[DELTA]);
  mumbling_free(handles[MUMBLING]);
}

/* A place for every kind of output, and data for every kind of input. */
static union {
  void *handle;
  dv_bytes bytes;
  int64_t i64;
  int32_t i32;
  size_t size;
  bool flag;
  dv_delta_result result;
  uint8_t buffer[64];
} out, out2;
static int64_t list[8];

/* The calls that take handles: the first of kind K, a second of kind L where there is one. h and g stand for them, p
 * and q for the other pointers that must not be NULL. */
#define CALLS(X)                                               \
  X(VECTOR, -1, dv_copy(h, p))                                 \
  X(VECTOR, -1, ((void)p, dv_set(h, 1)))                       \
  X(VECTOR, -1, dv_set_many(h, p, 1))                          \
  X(VECTOR, -1, ((void)p, dv_set_range(h, 1, 2)))              \
  X(VECTOR, -1, ((void)p, dv_or(h, NULL)))                     \
  X(VECTOR, VECTOR, ((void)p, dv_or(h, g)))                    \
  X(VECTOR, VECTOR, ((void)p, dv_andnot(h, g)))                \
  X(VECTOR, -1, ((void)p, dv_run_length_encode(h)))            \
  X(VECTOR, -1, dv_contains(h, 1, p))                          \
  X(VECTOR, -1, dv_contains_many(h, p, 1, q))                  \
  X(VECTOR, -1, dv_cardinality(h, p))                          \
  X(VECTOR, -1, dv_count(h, 0, 1, p))                          \
  X(VECTOR, -1, dv_is_empty(h, p))                             \
  X(VECTOR, VECTOR, dv_equals(h, g, p))                        \
  X(VECTOR, -1, dv_positions(h, 0, 9, p, 1, q))                \
  X(VECTOR, -1, dv_keep_mask(h, 0, 9, p, 2))                   \
  X(VECTOR, -1, dv_delete_mask(h, 0, 9, p, 2))                 \
  X(VECTOR, -1, dv_keep_bytes(h, 0, 9, p, 9))                  \
  X(VECTOR, -1, dv_keep_indices(h, 0, 1, p, 8, q))             \
  X(VECTOR, -1, dv_serialize(h, p))                            \
  X(VECTOR, -1, dv_serialize_bitmap(h, p))                     \
  X(SOURCE, -1, dv_read_range(h, 4, 42, 1, p))                 \
  X(SOURCE, -1, dv_puffin_open(h, p))                          \
  X(SOURCE, -1, dv_read(h, 4, 42, 1, q, p, NULL))              \
  X(SOURCE, -1, dv_delta_read(h, 1, -1, -1, p))                \
  X(SOURCE, -1, dv_delta_descriptor_read(h, q, p))             \
  X(SOURCE, -1, dv_inspect(h, NULL, p))                        \
  X(SINK, -1, dv_sink_take(h, p))                              \
  X(SINK, -1, dv_delta_writer_new(h, p))                       \
  X(PUFFIN, -1, dv_puffin_count(h, p))                         \
  X(PUFFIN, -1, dv_puffin_blob_at(h, 0, p))                    \
  X(PUFFIN, -1, dv_puffin_footer_json(h, p))                   \
  X(PUFFIN, -1, dv_puffin_read(h, 0, p))                       \
  X(PUFFIN, -1, dv_puffin_keep_masks(h, NULL, p, 1, q, 64))    \
  X(PUFFIN, -1, dv_puffin_read_entry(h, 4, 42, 1, q, p, NULL)) \
  X(WRITER, -1, dv_writer_add(h, q, p, 1, 0, NULL))            \
  X(WRITER, VECTOR, dv_writer_load(h, p, g, 0, NULL))          \
  X(WRITER, SINK, dv_writer_flush(h, g, q, p))                 \
  X(DELTA, VECTOR, dv_delta_writer_write(h, g, p))             \
  X(DELTA, -1, ((void)p, dv_delta_writer_finalize(h)))         \
  X(VECTOR, -1, dv_delta_inline_encode(h, p, q))               \
  X(VECTOR, -1, dv_delta_descriptor_inline(h, p))              \
  X(MUMBLING, -1, ((void)p, mumbling_validate(h)))             \
  X(MUMBLING, -1, mumbling_cardinality(h, p))                  \
  X(MUMBLING, -1, mumbling_is_set(h, 1, p))                    \
  X(MUMBLING, -1, mumbling_is_set_many(h, p, 1, q))            \
  X(MUMBLING, -1, mumbling_positions(h, p, 1, q))              \
  X(MUMBLING, -1, mumbling_keep_mask(h, 0, 9, p, 2))           \
  X(MUMBLING, -1, mumbling_buffer(h, p, q))                    \
  X(MUMBLING, -1, mumbling_to_dv(h, p))                        \
  X(VECTOR, -1, mumbling_from_dv(h, p))

#define ONE(K, L, call) +1
enum { CALL_COUNT = 0 CALLS(ONE) };
#undef ONE
static dv_status call(int number, void *h, void *g, void *p, void *q, int kinds[2], const char **text) {
  int n = 0;
  (void)g, (void)q;
#define RUN(K, L, expression) \
  if (number == n++) {        \
    kinds[0] = K;             \
    kinds[1] = L;             \
    *text = #expression;      \
    return expression;        \
  }
  CALLS(RUN)
#undef RUN
  return DV_INTERNAL;
}

static int kinds[2];
static const char *text;

static void expect_refused(dv_status status, const char *what) {
  if (status != DV_INVALID_ARGUMENT) {
    fprintf(stderr, "%s: %s: %s (%s)\n", text, what, dv_status_name(status), dv_last_error());
    check_failures++;
  }
}

static void test_null(int n) {
  expect_refused(call(n, NULL, handles[VECTOR], &out, &out2, kinds, &text), "NULL handle");
  void *h = handles[kinds[0]], *g = kinds[1] < 0 ? NULL : handles[kinds[1]];
  if (kinds[1] >= 0 && strstr(text, "dv_or") == NULL && strstr(text, "dv_andnot") == NULL) {
    expect_refused(call(n, h, NULL, &out, &out2, kinds, &text), "NULL second handle");
  }
  if (strncmp(text, "((void)p", 8) != 0) expect_refused(call(n, h, g, NULL, "a", kinds, &text), "p is NULL");
  if (strstr(text, "q") != NULL && strstr(text, "equals") == NULL) {
    expect_refused(call(n, h, g, &out, NULL, kinds, &text), "q is NULL");
  }
}

static void test_wrong_kinds(int n) {
  call(n, NULL, NULL, NULL, NULL, kinds, &text);
  int first = kinds[0], second = kinds[1];
  for (int k = 0; k < KINDS; k++) {
    void *g = second < 0 ? NULL : handles[second];
    if (k != first) expect_refused(call(n, handles[k], g, &out, "a", kinds, &text), "first handle of another kind");
    if (second >= 0 && k != second) {
      expect_refused(call(n, handles[first], handles[k], &out, "a", kinds, &text), "second handle of another kind");
    }
  }
  expect_refused(call(n, list, second < 0 ? NULL : handles[second], &out, "a", kinds, &text), "no handle at all");
}

static void test_freed(int n, void *const freed[KINDS]) {
  call(n, NULL, NULL, NULL, NULL, kinds, &text);
  int first = kinds[0], second = kinds[1];
  void *g = second < 0 ? NULL : handles[second];
  expect_refused(call(n, freed[first], g, &out, "a", kinds, &text), "freed first handle");
  if (second >= 0)
    expect_refused(call(n, handles[first], freed[second], &out, "a", kinds, &text), "freed second handle");
}

/* A free of the wrong type, a second free, a free of nothing: none does anything. */
static void test_frees(void *const freed[KINDS]) {
  int64_t live = dv_live_handles();
  for (int k = 0; k < KINDS; k++) {
    void *const list_of[] = {NULL, list, freed[k]};
    for (int i = 0; i < 3; i++) {
      void *h = list_of[i];
      dv_free(h), dv_source_free(h), dv_sink_free(h), dv_puffin_free(h), dv_writer_free(h), dv_delta_writer_free(h);
      mumbling_free(h);
    }
    void *h = handles[k];
    if (k != VECTOR) dv_free(h);
    if (k != SOURCE) dv_source_free(h);
    if (k != SINK) dv_sink_free(h);
    if (k != PUFFIN) dv_puffin_free(h);
    if (k != WRITER) dv_writer_free(h);
    if (k != DELTA) dv_delta_writer_free(h);
    if (k != MUMBLING) mumbling_free(h);
  }
  CHECK_INT(live, dv_live_handles());
}

/* A stale handle meets its own end and not a new object, also after many have come and gone. */
static void test_stale_handle_stays_stale(void) {
  dv_t *old = NULL, *now = NULL;
  int64_t n = 0;
  OK(dv_new(&old));
  dv_free(old);
  for (int i = 0; i < 4000; i++) {
    OK(dv_new(&now));
    CHECK(now != old);
    CHECK_STATUS(DV_INVALID_ARGUMENT, dv_cardinality(old, &n));
    dv_free(now);
  }
}

int main(void) {
  void *freed[KINDS];
  make_all();
  memcpy(freed, handles, sizeof freed);
  free_all();
  make_all();
  CHECK(CALL_COUNT >= 45);
  for (int n = 0; n < CALL_COUNT; n++) {
    test_null(n);
    test_wrong_kinds(n);
    test_freed(n, freed);
  }
  test_frees(freed);
  free_all();
  dv_bytes_free(&file);
  test_stale_handle_stays_stale();
  return finish("misuse");
}
