/* test_no_memory.c - memory for a result that is refused: DV_NO_MEMORY, and everything as it was.
 *
 * It puts a malloc of its own before the C library's, so it is run as it is and not under a sanitizer, which does the
 * same. */
#include "check.h"
#include "puffin_file.h"

extern void *__libc_malloc(size_t size);
extern void *__libc_realloc(void *memory, size_t size);

/* Only what the library asks for results is refused: handles are a few bytes and come from elsewhere. */
static __thread size_t refuse_from; /* 0: nothing */
static __thread int refused;

static bool refuse(size_t size) {
  bool now = refuse_from != 0 && size >= refuse_from;
  refused += now;
  return now;
}

void *malloc(size_t size) { return refuse(size) ? NULL : __libc_malloc(size); }
void *realloc(void *memory, size_t size) { return refuse(size) ? NULL : __libc_realloc(memory, size); }

#define REFUSED(call)                         \
  do {                                        \
    refused = 0;                              \
    refuse_from = 32;                         \
    dv_status status_of_it = (call);          \
    refuse_from = 0;                          \
    CHECK_STATUS(DV_NO_MEMORY, status_of_it); \
    CHECK(refused > 0);                       \
    CHECK_ERROR("refused");                   \
  } while (0)

static void test_results(const dv_bytes *file) {
  dv_t *dv = NULL;
  dv_source_t *source = NULL;
  dv_puffin_t *puffin = NULL, *again = NULL;
  mumbling_t *bitmap = NULL;
  dv_bytes out = {NULL, 0}, bits = {NULL, 0};
  int32_t size = -1;
  OK(dv_new(&dv));
  OK(dv_set_many(dv, (int64_t[]){1, 300, 70000, 900000}, 4));
  OK(dv_source_memory(file->data, file->size, &source));
  OK(dv_puffin_open(source, &puffin));
  OK(mumbling_from_dv(dv, &bits));
  int64_t live = dv_live_handles();
  REFUSED(dv_serialize(dv, &out));
  REFUSED(dv_serialize_bitmap(dv, &out));
  REFUSED(dv_blob_from_positions((int64_t[]){1, 300}, 2, &out));
  REFUSED(dv_delta_inline_encode(dv, &out, &size));
  REFUSED(dv_delta_descriptor_inline(dv, &out));
  REFUSED(mumbling_from_dv(dv, &out));
  REFUSED(dv_puffin_footer_json(puffin, &out));
  REFUSED(dv_puffin_open(source, &again));
  REFUSED(mumbling_read(bits.data, bits.size, &bitmap));
  CHECK(out.data == NULL && again == NULL && bitmap == NULL);
  CHECK_INT(-1, size);
  CHECK_INT(live, dv_live_handles());
  OK(dv_serialize(dv, &out));
  dv_bytes_free(&out);
  dv_bytes_free(&bits);
  dv_puffin_free(puffin), dv_source_free(source), dv_free(dv);
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

/* Entries that cannot be handed out must not be lost to a file that is there: the flush fails before its commit. */
static void test_writers(void) {
  dv_t *dv = NULL;
  dv_writer_t *writer = NULL;
  dv_sink_t *sink = NULL;
  dv_delta_writer_t *delta = NULL;
  dv_delta_result at;
  dv_bytes entries = {NULL, 0};
  OK(dv_new(&dv));
  OK(dv_set(dv, 4));
  OK(dv_writer_new(NULL, &writer));
  OK(dv_writer_load(writer, "a", dv, 0, NULL));
  OK(dv_sink_callbacks(NULL, on_write, on_finish, &sink));
  REFUSED(dv_writer_flush(writer, sink, "x", &entries));
  CHECK_INT(0, finished[true]);
  CHECK_INT(1, finished[false]);
  dv_sink_free(sink);
  OK(dv_sink_memory(&sink));
  REFUSED(dv_writer_flush(writer, sink, "x", &entries)); /* here the file itself */
  CHECK_STATUS(DV_STATE, dv_sink_take(sink, &entries));
  dv_sink_free(sink);
  OK(dv_sink_memory(&sink));
  OK(dv_writer_flush(writer, sink, "x", &entries));
  CHECK(strstr((char *)entries.data, "\"record-count\":1,") != NULL);
  dv_bytes_free(&entries);
  dv_sink_free(sink);
  dv_writer_free(writer);

  OK(dv_sink_memory(&sink));
  OK(dv_delta_writer_new(sink, &delta));
  REFUSED(dv_delta_writer_write(delta, dv, &at));
  CHECK_STATUS(DV_STATE, dv_delta_writer_finalize(delta));
  CHECK_ERROR("refused"); /* it repeats why */
  dv_delta_writer_free(delta);
  dv_sink_free(sink);
  dv_free(dv);
}

/* The text of a failure is kept even where there is no memory for it. */
static void test_error_text(void) {
  refuse_from = 32;
  dv_status status = dv_set(NULL, 1); /* the first failure of this thread */
  refuse_from = 0;
  CHECK_STATUS(DV_INVALID_ARGUMENT, status);
  CHECK_ERROR("dv_set: dv is NULL");
}

int main(void) {
  test_error_text();
  dv_bytes file = puffin_file();
  test_results(&file);
  test_writers();
  dv_bytes_free(&file);
  return finish("no_memory");
}
