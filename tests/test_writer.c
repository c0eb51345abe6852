/* test_writer.c - deletes in, a Puffin file and its entries out, and what the writer keeps when that fails. */
#include "check.h"

static const char SPECS[] =
    "[{\"spec-id\":0,\"fields\":[]},"
    "{\"spec-id\":3,\"fields\":[{\"source-id\":1,\"field-id\":1000,\"name\":\"day\",\"transform\":\"day\"},"
    "{\"source-id\":2,\"field-id\":1001,\"name\":\"b\",\"transform\":\"bucket[8]\"}]}]";

static const char *string_of(const dv_bytes *bytes) { return (const char *)bytes->data; }

static void test_one_file(void) {
  dv_writer_t *writer = NULL;
  dv_sink_t *sink = NULL;
  dv_bytes entries = {0}, file = {0};
  OK(dv_writer_new(NULL, &writer));
  OK(dv_writer_add(writer, "s3://b/data.parquet", (int64_t[]){5, 1, 5}, 3, 0, NULL));
  OK(dv_writer_add(writer, "s3://b/data.parquet", (int64_t[]){70000}, 1, 99, "ignored after the first"));
  OK(dv_writer_add(writer, "s3://b/nothing.parquet", NULL, 0, 0, "{}"));
  OK(dv_sink_memory(&sink));
  CHECK_STATUS(DV_STATE, dv_sink_take(sink, &file));
  OK(dv_writer_flush(writer, sink, "s3://b/dv.puffin", &entries));
  OK(dv_sink_take(sink, &file));
  CHECK_INT(0, entries.data[entries.size]);
  CHECK_INT(0, file.data[file.size]);
  CHECK(file.size > 8 && memcmp(file.data, "PFA1", 4) == 0 && memcmp(file.data + file.size - 4, "PFA1", 4) == 0);

  /* The blob is what dv_serialize makes of the same positions. */
  dv_t *dv = NULL;
  dv_bytes blob = {0};
  OK(dv_new(&dv));
  OK(dv_set_many(dv, (int64_t[]){1, 5, 70000}, 3));
  OK(dv_serialize(dv, &blob));
  CHECK_BYTES(blob.data, blob.size, file.data + 4, blob.size);

  char expected[512];
  snprintf(
      expected, sizeof expected,
      "[{\"spec-id\":0,\"content\":\"position-deletes\",\"file-path\":\"s3://b/dv.puffin\",\"file-format\":\"puffin\","
      "\"partition\":[],\"file-size-in-bytes\":%zu,\"record-count\":3,"
      "\"referenced-data-file\":\"s3://b/data.parquet\",\"content-offset\":4,\"content-size-in-bytes\":%zu}]",
      file.size, blob.size);
  CHECK_BYTES(expected, strlen(expected), entries.data, entries.size);

  dv_bytes_free(&blob);
  dv_bytes_free(&file);
  dv_bytes_free(&entries);
  dv_free(dv);
  dv_sink_free(sink);
  dv_writer_free(writer);
}

static void test_empty_and_reuse(void) {
  dv_writer_t *writer = NULL;
  dv_sink_t *sink = NULL;
  dv_bytes entries = {0}, file = {0};
  OK(dv_writer_new(NULL, &writer));
  OK(dv_sink_memory(&sink));
  OK(dv_writer_flush(writer, sink, "x", &entries));
  CHECK_BYTES("[]", 2, entries.data, entries.size);
  CHECK_STATUS(DV_STATE, dv_sink_take(sink, &file)); /* nothing added: dropped */
  dv_bytes_free(&entries);
  CHECK_STATUS(DV_STATE, dv_writer_flush(writer, sink, "x", &entries)); /* a sink serves one file */
  dv_sink_free(sink);

  for (int round = 0; round < 2; round++) { /* after a success the writer is empty and goes on */
    OK(dv_writer_add(writer, "a", (int64_t[]){round}, 1, 0, "[]"));
    OK(dv_sink_memory(&sink));
    OK(dv_writer_flush(writer, sink, "x", &entries));
    OK(dv_sink_take(sink, &file));
    CHECK_STATUS(DV_STATE, dv_sink_take(sink, &file)); /* once */
    dv_bytes_free(&file);
    dv_bytes_free(&entries);
    dv_sink_free(sink);
  }
  dv_writer_free(writer);
}

static void test_partitions(void) {
  dv_writer_t *writer = NULL;
  dv_sink_t *sink = NULL;
  dv_bytes entries = {0};
  int64_t one = 1;
  OK(dv_writer_new(SPECS, &writer));
  OK(dv_writer_add(writer, "a", &one, 1, 3, "{\"1000\":\"2022-01-08\",\"1001\":4}"));
  OK(dv_writer_add(writer, "b", &one, 1, 3, "[null, 1.50]"));
  OK(dv_writer_add(writer, "c", &one, 1, 0, NULL));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_writer_add(writer, "d", &one, 1, 7, NULL));
  CHECK_ERROR("7");
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_writer_add(writer, "d", &one, 1, 3, NULL));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_writer_add(writer, "d", &one, 1, 3, "{\"1000\":null}"));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_writer_add(writer, "d", &one, 1, 3, "{\"1000\":null,\"1001\":1,\"9\":1}"));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_writer_add(writer, "d", &one, 1, 3, "not JSON"));
  OK(dv_sink_memory(&sink));
  OK(dv_writer_flush(writer, sink, "x", &entries));
  CHECK(strstr(string_of(&entries), "\"partition\":[\"2022-01-08\",4]") != NULL);
  CHECK(strstr(string_of(&entries), "\"partition\":[null,1.50]") != NULL); /* token by token: no float in between */
  CHECK(strstr(string_of(&entries), "\"d\"") == NULL);
  dv_bytes_free(&entries);
  dv_sink_free(sink);
  dv_writer_free(writer);
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_writer_new("{", &writer));
}

/* Strings are copied: the caller's may change as soon as the call is over. */
static void test_strings_are_copied(void) {
  dv_writer_t *writer = NULL;
  dv_sink_t *sink = NULL;
  dv_bytes entries = {0};
  char *specs = strdup(SPECS), *name = strdup("a"), *partition = strdup("{\"1000\":\"2022-01-08\",\"1001\":4}");
  OK(dv_writer_new(specs, &writer));
  memset(specs, '!', strlen(specs));
  free(specs);
  OK(dv_writer_add(writer, name, (int64_t[]){1}, 1, 3, partition));
  memset(name, '!', strlen(name));
  memset(partition, '!', strlen(partition));
  free(name);
  free(partition);
  OK(dv_writer_add(writer, "b", (int64_t[]){1}, 1, 3, "[null,null]"));
  OK(dv_sink_memory(&sink));
  OK(dv_writer_flush(writer, sink, "x", &entries));
  CHECK(strstr(string_of(&entries), "\"partition\":[\"2022-01-08\",4]") != NULL);
  CHECK(strstr(string_of(&entries), "\"referenced-data-file\":\"a\"") != NULL);
  dv_bytes_free(&entries);
  dv_sink_free(sink);
  dv_writer_free(writer);
}

static void test_load_merges(void) {
  dv_writer_t *writer = NULL;
  dv_sink_t *sink = NULL;
  dv_source_t *source = NULL;
  dv_t *old = NULL, *got = NULL;
  dv_bytes entries = {0}, file = {0};
  OK(dv_new(&old));
  OK(dv_writer_new(NULL, &writer));
  OK(dv_writer_load(writer, "a", old, 5, NULL)); /* empty: nothing, not even a check of the spec */
  OK(dv_set_many(old, (int64_t[]){1, 2}, 2));
  OK(dv_writer_load(writer, "a", old, 0, NULL));
  OK(dv_set(old, 77)); /* the writer has its own copy */
  OK(dv_writer_add(writer, "a", (int64_t[]){2, 3}, 2, 0, NULL));
  OK(dv_sink_memory(&sink));
  OK(dv_writer_flush(writer, sink, "x", &entries));
  OK(dv_sink_take(sink, &file));
  OK(dv_source_memory(file.data, file.size, &source));
  uint32_t warnings = 9;
  OK(dv_read(source, 4, (int64_t)file.data[7] + 8, 3, "a", &got, &warnings)); /* the blob's length field ends at 7 */
  CHECK_INT(0, warnings);
  int64_t positions[4];
  size_t count = 0;
  OK(dv_positions(got, 0, INT64_MAX, positions, 4, &count));
  CHECK_BYTES(((int64_t[]){1, 2, 3}), 24, positions, count * 8);
  dv_bytes_free(&entries);
  dv_source_free(source);
  dv_bytes_free(&file);
  dv_free(old);
  dv_free(got);
  dv_sink_free(sink);
  dv_writer_free(writer);
}

static int32_t refuse(void *context, const uint8_t *data, size_t size) {
  (void)context, (void)data, (void)size;
  return 28;
}
static int32_t count_finish(void *context, bool success) {
  int *counts = context;
  counts[success]++;
  return 0;
}

static void test_failure_keeps_everything(void) {
  dv_writer_t *writer = NULL;
  dv_sink_t *sink = NULL;
  dv_bytes entries = {0}, file = {0};
  int finished[2] = {0, 0};
  OK(dv_writer_new(NULL, &writer));
  OK(dv_writer_add(writer, "a", (int64_t[]){4}, 1, 0, NULL));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_writer_add(writer, "a", (int64_t[]){5, -1}, 2, 0, NULL));
  OK(dv_sink_callbacks(finished, refuse, count_finish, &sink));
  CHECK_STATUS(DV_IO, dv_writer_flush(writer, sink, "x", &entries));
  CHECK_ERROR("28");
  CHECK(entries.data == NULL && entries.size == 0);
  CHECK_INT(1, finished[false]);
  CHECK_INT(0, finished[true]);
  CHECK_STATUS(DV_STATE, dv_writer_flush(writer, sink, "x", &entries));
  dv_sink_free(sink);
  CHECK_INT(1, finished[false]);

  OK(dv_sink_memory(&sink));
  OK(dv_writer_flush(writer, sink, "x", &entries));
  OK(dv_sink_take(sink, &file));
  CHECK(strstr(string_of(&entries), "\"record-count\":1,") != NULL);
  dv_bytes_free(&entries);
  dv_bytes_free(&file);
  dv_sink_free(sink);
  dv_writer_free(writer);
}

int main(void) {
  test_one_file();
  test_empty_and_reuse();
  test_partitions();
  test_strings_are_copied();
  test_load_merges();
  test_failure_keeps_everything();
  return finish("writer");
}
