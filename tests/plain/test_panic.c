/* test_panic.c - against the library that panics on demand: every kind of call turns a panic into DV_INTERNAL, lets go
 * of what it holds, and the process works on. */
#include "check.h"
#include "puffin_file.h"

/* In that build only. Makes the next call that comes there panic: 1 with nothing held, 2 with its objects locked, 3
 * with an object held and none locked. */
extern int32_t dv_panic_next(int32_t at);

enum { AT_BEGIN = 1, LOCKED = 2, HELD = 3 };

static void expect_panic(int32_t at, dv_status status, const char *what) {
  int32_t left = dv_panic_next(0);
  if (status != DV_INTERNAL || left != 0) {
    fprintf(stderr, "%s, panic at %d: %s (%s)%s\n", what, at, dv_status_name(status), dv_last_error(),
            left ? ", it never came there" : "");
    check_failures++;
    return;
  }
  CHECK_ERROR("a bug in libdv, at ");
  CHECK_ERROR("on demand");
}

#define PANICS(at, call) (dv_panic_next(at), expect_panic((at), (call), #call))
#define PANICS_BOTH(call) (PANICS(AT_BEGIN, call), PANICS(LOCKED, call))

static void test_reading_calls(const dv_bytes *file) {
  dv_t *dv = NULL, *made = NULL;
  dv_source_t *source = NULL;
  dv_puffin_t *puffin = NULL;
  mumbling_t *bitmap = NULL;
  const dv_puffin_blob *blob = NULL;
  dv_bytes out = {NULL, 0};
  int64_t n = 0, list[2] = {1, 2};
  int32_t small = 0;
  size_t count = 0;
  bool flag = false;
  uint8_t mask[2], masks[64];
  uint32_t indices[8];
  OK(dv_new(&dv));
  OK(dv_set_many(dv, list, 2));
  OK(dv_source_memory(file->data, file->size, &source));
  OK(dv_puffin_open(source, &puffin));
  OK(dv_puffin_blob_at(puffin, 0, &blob));
  OK(mumbling_read((const uint8_t *)"\1\0\0\0\0\0", 6, &bitmap));
  int64_t live = dv_live_handles();

  PANICS(AT_BEGIN, dv_new(&made));
  PANICS_BOTH(dv_copy(dv, &made));
  PANICS_BOTH(dv_contains(dv, 1, &flag));
  PANICS_BOTH(dv_contains_many(dv, list, 2, mask));
  PANICS_BOTH(dv_cardinality(dv, &n));
  PANICS_BOTH(dv_count(dv, 0, 9, &n));
  PANICS_BOTH(dv_is_empty(dv, &flag));
  PANICS_BOTH(dv_equals(dv, dv, &flag));
  PANICS_BOTH(dv_positions(dv, 0, 9, list, 2, &count));
  PANICS_BOTH(dv_keep_mask(dv, 0, 9, mask, 2));
  PANICS_BOTH(dv_delete_mask(dv, 0, 9, mask, 2));
  PANICS_BOTH(dv_keep_bytes(dv, 0, 2, mask, 2));
  PANICS_BOTH(dv_keep_indices(dv, 0, 2, indices, 8, &count));
  PANICS_BOTH(dv_serialize(dv, &out));
  PANICS_BOTH(dv_serialize_bitmap(dv, &out));
  PANICS(AT_BEGIN, dv_deserialize(file->data, file->size, 1, &made));
  PANICS(AT_BEGIN, dv_view(file->data, file->size, 1, &made));
  PANICS(AT_BEGIN, dv_deserialize_bitmap(file->data, file->size, &made));
  PANICS(AT_BEGIN, dv_blob_keep_mask(file->data, file->size, 1, 0, 8, mask, 2));
  PANICS(AT_BEGIN, dv_blob_positions(file->data, file->size, 1, list, 2, &count));
  PANICS(AT_BEGIN, dv_blob_from_positions(list, 2, &out));
  PANICS(AT_BEGIN, dv_read_range(source, 4, 42, 1, &made));
  PANICS(AT_BEGIN, dv_source_memory(NULL, 0, &source));
  PANICS(AT_BEGIN, dv_source_path("/", &source));
  PANICS(AT_BEGIN, dv_puffin_open(source, &puffin));
  PANICS(AT_BEGIN, dv_puffin_count(puffin, &count));
  PANICS(AT_BEGIN, dv_puffin_blob_at(puffin, 0, &blob));
  PANICS(AT_BEGIN, dv_puffin_footer_json(puffin, &out));
  PANICS(AT_BEGIN, dv_puffin_read(puffin, 0, &made));
  PANICS(AT_BEGIN, dv_puffin_keep_masks(puffin, NULL, list, 1, masks, sizeof masks));
  PANICS(AT_BEGIN, dv_read(source, blob->offset, blob->length, 2, "a", &made, NULL));
  PANICS(AT_BEGIN, dv_inspect(source, NULL, &out));
  PANICS_BOTH(dv_delta_inline_encode(dv, &out, &small));
  PANICS(AT_BEGIN, dv_delta_inline_decode(NULL, 0, 0, 0, &made));
  PANICS(AT_BEGIN, dv_delta_descriptor_path("{}", &out));
  PANICS(AT_BEGIN, mumbling_validate(bitmap));
  PANICS(AT_BEGIN, mumbling_cardinality(bitmap, &small));
  PANICS(AT_BEGIN, mumbling_to_dv(bitmap, &made));
  PANICS_BOTH(mumbling_from_dv(dv, &out));
  PANICS(AT_BEGIN, mumbling_pfor_estimate(9, &count));

  CHECK_INT(live, dv_live_handles());
  CHECK(made == NULL && out.data == NULL && n == 0 && count == 0);
  OK(dv_set(dv, 7)); /* every lock is free again, for changes too */
  OK(dv_cardinality(dv, &n));
  CHECK_INT(3, n);
  OK(dv_puffin_read(puffin, 0, &made));
  dv_free(made), dv_free(dv), dv_puffin_free(puffin), dv_source_free(source), mumbling_free(bitmap);
}

/* The calls that the other tests have no use for: one frame serves all, and none was left out. */
static void test_other_calls(const dv_bytes *file) {
  dv_t *dv = NULL, *made = NULL;
  dv_source_t *source = NULL, *other = NULL;
  dv_sink_t *sink = NULL, *new_sink = NULL;
  dv_writer_t *writer = NULL;
  dv_puffin_t *puffin = NULL;
  mumbling_t *bitmap = NULL;
  dv_bytes out = {NULL, 0};
  dv_delta_result at = {1, 1, 34};
  int32_t few[2] = {1, 2};
  uint8_t bytes[8] = {8, 0, 0, 1};
  const uint8_t *data = NULL;
  size_t count = 0;
  OK(dv_new(&dv));
  OK(dv_source_memory(file->data, file->size, &source));
  OK(dv_puffin_open(source, &puffin));
  OK(dv_sink_memory(&sink));
  OK(dv_writer_new(NULL, &writer));
  OK(mumbling_read((const uint8_t *)"\1\0\0\0\0\0", 6, &bitmap));
  int64_t live = dv_live_handles();

  PANICS(AT_BEGIN, dv_andnot(dv, dv));
  PANICS(AT_BEGIN, dv_source_callbacks(NULL, 0, read_bytes, &other));
  PANICS(AT_BEGIN, dv_sink_memory(&new_sink));
  PANICS(AT_BEGIN, dv_sink_path("/tmp/x", &new_sink));
  PANICS(AT_BEGIN, dv_sink_take(sink, &out));
  PANICS(AT_BEGIN, dv_puffin_read_entry(puffin, 4, 42, 1, "a", &made, NULL));
  PANICS(AT_BEGIN, dv_writer_add(writer, "a", NULL, 0, 0, NULL));
  PANICS(AT_BEGIN, dv_delta_read(source, 1, 34, 1, &made));
  PANICS(AT_BEGIN, dv_delta_descriptor_new("x", &at, &out));
  PANICS_BOTH(dv_delta_descriptor_inline(dv, &out));
  PANICS(AT_BEGIN, dv_delta_descriptor_unique_id("{}", &out));
  PANICS(AT_BEGIN, dv_delta_descriptor_read(source, "{}", &made));
  PANICS(AT_BEGIN, mumbling_is_set_many(bitmap, few, 2, bytes));
  PANICS(AT_BEGIN, mumbling_positions(bitmap, few, 2, &count));
  PANICS(AT_BEGIN, mumbling_keep_mask(bitmap, 0, 9, bytes, 2));
  PANICS(AT_BEGIN, mumbling_buffer(bitmap, &data, &count));
  PANICS(AT_BEGIN, mumbling_pfor_encode(bytes, 8, &out));
  PANICS(AT_BEGIN, mumbling_pfor_decode(bytes, 4, bytes + 4, 1, &count));

  CHECK_INT(live, dv_live_handles());
  CHECK(made == NULL && other == NULL && new_sink == NULL && out.data == NULL && data == NULL && count == 0);
  OK(mumbling_pfor_decode(bytes, 4, bytes + 4, 1, &count));
  dv_free(dv), dv_puffin_free(puffin), dv_source_free(source), dv_sink_free(sink), dv_writer_free(writer);
  mumbling_free(bitmap);
}

/* A changing call that panics before it holds anything leaves its object whole. One that panics while it changes it may
 * leave it half changed, and half a vector is a wrong one: from then on it can only be freed. */
static void test_changing_calls(void) {
  dv_t *dv = NULL, *other = NULL;
  int64_t n = 0;
  OK(dv_new(&dv));
  OK(dv_new(&other));
  OK(dv_set(other, 3));
  PANICS(AT_BEGIN, dv_set(dv, 1));
  PANICS(AT_BEGIN, dv_set_many(dv, &n, 1));
  PANICS(AT_BEGIN, dv_set_range(dv, 0, 5));
  PANICS(AT_BEGIN, dv_or(dv, other));
  PANICS(AT_BEGIN, dv_run_length_encode(dv));
  OK(dv_cardinality(dv, &n));
  CHECK_INT(0, n);
  PANICS(LOCKED, dv_or(dv, other));
  CHECK_STATUS(DV_STATE, dv_cardinality(dv, &n));
  CHECK_STATUS(DV_STATE, dv_set(dv, 1));
  CHECK_STATUS(DV_STATE, dv_or(other, dv));
  OK(dv_cardinality(other, &n)); /* it was only read */
  CHECK_INT(1, n);
  dv_free(dv);
  dv_free(other);
}

/* An object that decodes itself on first use may be half decoded by a panic: reading on could miss deletes. */
static void test_decoding_calls(const dv_bytes *file) {
  dv_source_t *source = NULL;
  dv_puffin_t *puffin = NULL;
  mumbling_t *bitmap = NULL;
  dv_t *dv = NULL;
  bool in = false;
  uint8_t masks[64];
  OK(dv_source_memory(file->data, file->size, &source));
  OK(dv_puffin_open(source, &puffin));
  OK(mumbling_read((const uint8_t *)"\1\0\0\0\0\0", 6, &bitmap));
  PANICS(HELD, mumbling_is_set(bitmap, 3, &in));
  CHECK_STATUS(DV_STATE, mumbling_is_set(bitmap, 3, &in));
  PANICS(HELD, dv_puffin_read(puffin, 0, &dv));
  CHECK_STATUS(DV_STATE, dv_puffin_read(puffin, 0, &dv));
  mumbling_free(bitmap);
  dv_puffin_free(puffin);
  OK(dv_puffin_open(source, &puffin));
  PANICS(HELD, dv_puffin_keep_masks(puffin, NULL, (int64_t[]){9}, 1, masks, sizeof masks));
  CHECK_STATUS(DV_STATE, dv_puffin_keep_masks(puffin, NULL, (int64_t[]){9}, 1, masks, sizeof masks));
  dv_puffin_free(puffin);
  PANICS(HELD, dv_puffin_open(source, &puffin)); /* a source stays as it was */
  OK(dv_puffin_open(source, &puffin));
  OK(dv_puffin_read(puffin, 0, &dv));
  dv_free(dv);
  dv_puffin_free(puffin);
  dv_source_free(source);
}

static int finished[2];
static int32_t on_write(void *context, const uint8_t *data, size_t size) {
  (void)context, (void)data, (void)size;
  return 0;
}
static int32_t on_finish(void *context, bool success) {
  (void)context;
  finished[success]++;
  return 0;
}

static void test_writers(void) {
  dv_t *dv = NULL;
  dv_writer_t *writer = NULL;
  dv_sink_t *sink = NULL;
  dv_delta_writer_t *delta = NULL;
  dv_bytes entries = {NULL, 0};
  dv_delta_result at;
  OK(dv_new(&dv));
  OK(dv_set(dv, 3));
  OK(dv_writer_new(NULL, &writer));
  OK(dv_writer_load(writer, "a", dv, 0, NULL));
  OK(dv_sink_callbacks(NULL, on_write, on_finish, &sink));
  PANICS(AT_BEGIN, dv_writer_flush(writer, sink, "x", &entries));
  CHECK_INT(0, finished[false] + finished[true]);
  OK(dv_writer_flush(writer, sink, "x", &entries)); /* nothing had happened */
  CHECK_INT(1, finished[true]);
  dv_bytes_free(&entries);
  dv_sink_free(sink);
  dv_writer_free(writer);

  OK(dv_sink_callbacks(NULL, on_write, on_finish, &sink));
  OK(dv_delta_writer_new(sink, &delta));
  PANICS(AT_BEGIN, dv_delta_writer_write(delta, dv, &at));
  OK(dv_delta_writer_write(delta, dv, &at));
  PANICS(LOCKED, dv_delta_writer_finalize(delta));
  CHECK_STATUS(DV_STATE, dv_delta_writer_finalize(delta));
  dv_delta_writer_free(delta);
  dv_sink_free(sink);
  CHECK_INT(1, finished[false]); /* freed unfinished: dropped */
  CHECK_INT(1, finished[true]);
  dv_free(dv);
}

/* A free that panics reports nothing and frees nothing; the next one does. */
static void test_frees(void) {
  dv_t *dv = NULL;
  OK(dv_new(&dv));
  dv_panic_next(AT_BEGIN);
  dv_free(dv);
  CHECK_INT(0, dv_panic_next(0));
  CHECK_INT(1, dv_live_handles());
  dv_free(dv);
}

int main(void) {
  dv_bytes file = puffin_file();
  test_reading_calls(&file);
  test_other_calls(&file);
  test_changing_calls();
  test_decoding_calls(&file);
  test_writers();
  test_frees();
  dv_bytes_free(&file);
  return finish("panic");
}
