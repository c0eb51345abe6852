/* test_callbacks.c - callbacks that come back into the library: on their own objects, on others, freeing either. */
#include "check.h"
#include "puffin_file.h"

/* Everything that a callback may try. The outer call and its objects are set up by each test. */
static struct {
  dv_bytes file;
  dv_source_t *source;
  dv_puffin_t *puffin, *second;
  const dv_puffin_blob *first;
  dv_sink_t *sink;
  dv_writer_t *writer;
  dv_delta_writer_t *delta;
  dv_t *dv;
  void (*action)(void); /* what the next callback does, once */
  int calls, commits, drops;
} it;

static void act(void) {
  void (*action)(void) = it.action;
  it.action = NULL;
  it.calls++;
  if (action != NULL) action();
}

static int64_t on_read(void *context, int64_t offset, uint8_t *buffer, size_t size) {
  act();
  return read_bytes(context, offset, buffer, size);
}

static int32_t on_write(void *context, const uint8_t *data, size_t size) {
  (void)context, (void)data, (void)size;
  act();
  return 0;
}

static int32_t on_finish(void *context, bool success) {
  (void)context;
  success ? it.commits++ : it.drops++;
  act();
  return 0;
}

static void open_source(void) {
  memset(&it, 0, sizeof it);
  it.file = puffin_file();
  OK(dv_source_callbacks(&it.file, (int64_t)it.file.size, on_read, &it.source));
}

static void close_source(void) { dv_bytes_free(&it.file); }

static void open_sink(void) {
  memset(&it, 0, sizeof it);
  OK(dv_sink_callbacks(NULL, on_write, on_finish, &it.sink));
  OK(dv_new(&it.dv));
  OK(dv_set(it.dv, 3));
}

/* ------------------------------------------------------------------ sources */

static uint8_t masks[128];
static int64_t lengths[2];

/* The masks of both blobs, for which their source is asked twice. */
static dv_status mask_both(const dv_puffin_t *puffin) {
  memset(masks, 0, sizeof masks);
  lengths[0] = 9, lengths[1] = 6;
  return dv_puffin_keep_masks(puffin, NULL, lengths, 2, masks, sizeof masks);
}

static void check_both(void) { CHECK(masks[0] == 0xFD && masks[1] == 0x01 && masks[64] == 0x1F && masks[65] == 0); }

static void use_own_source(void) {
  dv_t *dv = NULL;
  CHECK_STATUS(DV_STATE, dv_read(it.source, 4, 50, 2, "a", &dv, NULL));
  CHECK_ERROR("dv_read: source is being used");
  CHECK_STATUS(DV_STATE, dv_read_range(it.source, 0, 50, 1, &dv));
  CHECK_STATUS(DV_STATE, dv_puffin_open(it.source, &(dv_puffin_t *){NULL}));
  CHECK_STATUS(DV_STATE, dv_delta_read(it.source, 1, DV_UNKNOWN, DV_UNKNOWN, &dv));
  CHECK_STATUS(DV_STATE, dv_inspect(it.source, NULL, &(dv_bytes){NULL, 0}));
  if (it.puffin != NULL) { /* the same source, seen through its file */
    CHECK_STATUS(DV_STATE, dv_puffin_read(it.puffin, 0, &dv));
    CHECK_STATUS(DV_STATE, dv_puffin_read_entry(it.puffin, 4, 50, 2, "a", &dv, NULL));
    CHECK_STATUS(DV_STATE, dv_puffin_keep_masks(it.puffin, NULL, lengths, 1, masks, sizeof masks));
  }
}

/* Another file on the same source: no handle of the outer call, and yet its callback would run within itself. */
static void use_source_through_file(void) {
  dv_t *dv = NULL;
  size_t count = 0;
  CHECK_STATUS(DV_STATE, dv_puffin_read(it.second, 0, &dv));
  CHECK_ERROR("is being used by the call whose callback this is");
  CHECK_STATUS(DV_STATE, dv_puffin_keep_masks(it.second, NULL, lengths, 1, masks, sizeof masks));
  OK(dv_puffin_count(it.second, &count)); /* reads nothing */
  CHECK_INT(2, count);
}

static void use_other_objects(void) {
  dv_t *dv = NULL;
  dv_source_t *other = NULL;
  dv_puffin_t *puffin = NULL;
  OK(dv_source_callbacks(&it.file, (int64_t)it.file.size, on_read, &other)); /* its callbacks nest in ours */
  OK(dv_puffin_open(other, &puffin));
  OK(dv_puffin_read(puffin, 1, &dv));
  it.action = use_own_source; /* two calls deep */
  dv_t *second = NULL;
  OK(dv_puffin_read(puffin, 0, &second));
  dv_free(dv);
  dv_free(second);
  dv_puffin_free(puffin);
  dv_source_free(other);
}

static void free_source(void) {
  dv_source_free(it.source);
  dv_source_free(it.source);
  dv_t *dv = NULL;
  CHECK_STATUS(DV_STATE, dv_read_range(it.source, 0, 50, 1, &dv));
}

static void free_source_and_file(void) {
  dv_puffin_free(it.puffin);
  dv_source_free(it.source);
}

static void test_reentrant_source(void) {
  open_source();
  OK(dv_puffin_open(it.source, &it.puffin));
  OK(dv_puffin_open(it.source, &it.second));
  OK(dv_puffin_blob_at(it.puffin, 0, &it.first));
  void (*const actions[])(void) = {use_own_source, use_other_objects, use_source_through_file};
  for (int i = 0; i < 3; i++) {
    dv_t *dv = NULL;
    it.action = actions[i];
    OK(dv_puffin_read(it.puffin, 0, &dv)); /* the outer call is none the worse for it */
    dv_free(dv);
    it.action = actions[i];
    OK(dv_read(it.source, it.first->offset, it.first->length, 2, "a", &dv, NULL));
    dv_free(dv);
    it.action = actions[i];
    OK(mask_both(it.puffin));
    check_both();
    CHECK(it.action == NULL);
  }
  dv_puffin_free(it.puffin);
  dv_puffin_free(it.second);
  dv_source_free(it.source);
  close_source();
}

/* Freed, and then asked for through another file: the answer must not wait for the outer call to end. */
static void free_source_and_use_it(void) {
  dv_t *dv = NULL;
  dv_source_free(it.source);
  CHECK_STATUS(DV_STATE, dv_puffin_read(it.second, 0, &dv));
  CHECK_ERROR("freed");
}

static void test_source_freed_by_its_callback(void) {
  open_source();
  dv_t *dv = NULL;
  OK(dv_puffin_open(it.source, &it.puffin));
  OK(dv_puffin_open(it.source, &it.second));
  it.action = free_source_and_use_it;
  OK(dv_puffin_read(it.puffin, 0, &dv));
  dv_free(dv);
  dv_puffin_free(it.puffin);
  dv_puffin_free(it.second);
  CHECK_INT(0, dv_live_handles());
  close_source();

  open_source();
  int64_t before = dv_live_handles();
  it.action = free_source;
  OK(dv_puffin_open(it.source, &it.puffin));
  CHECK_INT(before, dv_live_handles()); /* the file came, the source went as the call returned */
  CHECK_STATUS(DV_STATE, dv_puffin_read(it.puffin, 0, &dv));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_read_range(it.source, 0, 50, 1, &dv));
  dv_source_free(it.source);
  dv_puffin_free(it.puffin);
  close_source();

  open_source();
  OK(dv_puffin_open(it.source, &it.puffin));
  it.action = free_source_and_file;
  OK(dv_puffin_read(it.puffin, 0, &dv));
  CHECK_INT(1, dv_live_handles());
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_puffin_read(it.puffin, 0, &dv));
  dv_free(dv);
  close_source();
}

/* Between the first blob and the second: the source and the file go as the call returns, the masks are made. */
static void test_file_freed_while_masks_are_made(void) {
  open_source();
  OK(dv_puffin_open(it.source, &it.puffin));
  it.action = free_source_and_file;
  OK(mask_both(it.puffin));
  check_both();
  CHECK_INT(0, dv_live_handles());
  CHECK_STATUS(DV_INVALID_ARGUMENT, mask_both(it.puffin));
  close_source();
}

static size_t places[2];
static void point_elsewhere(void) { places[0] = places[1] = 9; }
static void ask_for_more(void) { lengths[0] = lengths[1] = 513; }
static void ask_for_none(void) { lengths[0] = lengths[1] = INT64_MIN; }

/* A callback that changes what the call was asked for: it is refused, and nothing is written beyond out. */
static void test_arguments_changed_by_a_callback(void) {
  void (*const actions[])(void) = {point_elsewhere, ask_for_more, ask_for_none};
  open_source();
  OK(dv_puffin_open(it.source, &it.puffin));
  for (int i = 0; i < 3; i++) {
    uint8_t *out = malloc(128); /* the sanitizer sees its end */
    places[0] = 0, places[1] = 1, lengths[0] = 9, lengths[1] = 6;
    it.action = actions[i];
    CHECK_STATUS(DV_INVALID_ARGUMENT, dv_puffin_keep_masks(it.puffin, places, lengths, 2, out, 128));
    CHECK_ERROR("mask 1");
    free(out);
    OK(mask_both(it.puffin)); /* the file is none the worse for it */
    check_both();
  }
  dv_puffin_free(it.puffin);
  dv_source_free(it.source);
  close_source();
}

/* -------------------------------------------------------------------- sinks */

static void use_own_sink(void) {
  dv_bytes bytes = {0};
  dv_delta_writer_t *other = NULL;
  dv_delta_result at;
  CHECK_STATUS(DV_STATE, dv_sink_take(it.sink, &bytes));
  CHECK_STATUS(DV_STATE, dv_delta_writer_new(it.sink, &other));
  if (it.writer != NULL) {
    CHECK_STATUS(DV_STATE, dv_writer_add(it.writer, "x", (int64_t[]){1}, 1, 0, NULL));
    CHECK_STATUS(DV_STATE, dv_writer_flush(it.writer, it.sink, "x", &bytes));
  }
  if (it.delta != NULL) {
    CHECK_STATUS(DV_STATE, dv_delta_writer_write(it.delta, it.dv, &at));
    CHECK_STATUS(DV_STATE, dv_delta_writer_finalize(it.delta));
  }
}

static void use_own_vector(void) { /* it is being written */
  bool in = false;
  CHECK_STATUS(DV_STATE, dv_contains(it.dv, 3, &in));
  CHECK_STATUS(DV_STATE, dv_set(it.dv, 4));
  dv_t *other = NULL;
  OK(dv_new(&other));
  CHECK_STATUS(DV_STATE, dv_or(other, it.dv));
  OK(dv_or(other, NULL));
  dv_free(other);
}

static void free_everything(void) {
  dv_sink_free(it.sink);
  dv_writer_free(it.writer);
  dv_delta_writer_free(it.delta);
  dv_free(it.dv);
}

static void test_reentrant_sinks(void) {
  open_sink();
  OK(dv_delta_writer_new(it.sink, &it.delta));
  dv_delta_result at;
  it.action = use_own_sink;
  OK(dv_delta_writer_write(it.delta, it.dv, &at));
  it.action = use_own_vector;
  OK(dv_delta_writer_write(it.delta, it.dv, &at));
  it.action = use_own_sink;
  OK(dv_delta_writer_finalize(it.delta));
  CHECK_INT(1, it.commits);
  CHECK_INT(0, it.drops);
  free_everything();

  open_sink();
  dv_bytes entries = {0};
  OK(dv_writer_new(NULL, &it.writer));
  OK(dv_writer_load(it.writer, "a", it.dv, 0, NULL));
  it.action = use_own_sink;
  OK(dv_writer_flush(it.writer, it.sink, "x", &entries));
  dv_bytes_free(&entries);
  free_everything();
  CHECK_INT(1, it.commits);
}

static void test_freed_by_the_sinks_callback(void) {
  open_sink();
  dv_delta_result at;
  OK(dv_delta_writer_new(it.sink, &it.delta));
  it.action = free_everything; /* in the write: the file is dropped as the call returns */
  OK(dv_delta_writer_write(it.delta, it.dv, &at));
  CHECK_INT(0, it.commits);
  CHECK_INT(1, it.drops);
  CHECK_INT(0, dv_live_handles());
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_delta_writer_finalize(it.delta));

  open_sink();
  OK(dv_delta_writer_new(it.sink, &it.delta));
  OK(dv_delta_writer_write(it.delta, it.dv, &at));
  it.action = free_everything; /* in the finish of a free */
  dv_delta_writer_free(it.delta);
  CHECK_INT(1, it.drops);
  CHECK_INT(0, dv_live_handles());

  open_sink();
  dv_bytes entries = {0};
  OK(dv_writer_new(NULL, &it.writer));
  OK(dv_writer_load(it.writer, "a", it.dv, 0, NULL));
  it.action = free_everything;
  OK(dv_writer_flush(it.writer, it.sink, "x", &entries));
  CHECK_INT(1, it.commits);
  CHECK_INT(0, it.drops);
  CHECK_INT(0, dv_live_handles());
  dv_bytes_free(&entries);

  open_sink();
  it.action = free_everything; /* in the finish of its own free */
  dv_sink_free(it.sink);
  CHECK_INT(1, it.drops);
  CHECK_INT(0, dv_live_handles());
}

int main(void) {
  test_reentrant_source();
  test_source_freed_by_its_callback();
  test_file_freed_while_masks_are_made();
  test_arguments_changed_by_a_callback();
  test_reentrant_sinks();
  test_freed_by_the_sinks_callback();
  return finish("callbacks");
}
