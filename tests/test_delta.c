/* test_delta.c - Delta vector files, inline vectors and descriptors, against the protocol's numbers. */
#include "check.h"

static const int64_t SAMPLE[] = {3, 4, 7, 11, 18, 29};
static const char INLINE[] = "^Bg9^0rr910000000000iXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L"; /* the protocol's example set */

static dv_t *sample(void) {
  dv_t *dv = NULL;
  OK(dv_new(&dv));
  OK(dv_set_many(dv, SAMPLE, 6));
  return dv;
}

static void check_same(const dv_t *a, const dv_t *b) {
  bool same = false;
  OK(dv_equals(a, b, &same));
  CHECK(same);
}

static void test_file(void) {
  dv_t *first = sample(), *second = NULL, *got = NULL;
  dv_sink_t *sink = NULL;
  dv_delta_writer_t *writer = NULL;
  dv_delta_result a = {0}, b = {0};
  dv_bytes file = {0}, blob = {0};
  OK(dv_copy(first, &second));
  OK(dv_set(second, INT64_C(1) << 40));
  OK(dv_sink_memory(&sink));
  OK(dv_delta_writer_new(sink, &writer));
  OK(dv_delta_writer_write(writer, first, &a));
  OK(dv_delta_writer_write(writer, second, &b));
  OK(dv_delta_writer_finalize(writer));
  OK(dv_sink_take(sink, &file));
  dv_delta_writer_free(writer);
  dv_sink_free(sink);
  CHECK_INT(1, a.offset);
  CHECK_INT(44, a.size_in_bytes);
  CHECK_INT(6, a.cardinality);
  CHECK_INT(1 + 44 + 8, b.offset);
  CHECK_INT(7, b.cardinality);
  CHECK_INT(1, file.data[0]);
  OK(dv_serialize(first, &blob)); /* a record is an Iceberg blob */
  CHECK_BYTES(blob.data, blob.size, file.data + 1, 44 + 8);
  dv_bytes_free(&blob);

  dv_source_t *source = NULL;
  OK(dv_source_memory(file.data, file.size, &source));
  OK(dv_delta_read(source, 1, 44, 6, &got));
  check_same(first, got);
  dv_free(got);
  OK(dv_delta_read(source, DV_UNKNOWN, DV_UNKNOWN, DV_UNKNOWN, &got));
  check_same(first, got);
  dv_free(got);
  OK(dv_delta_read(source, b.offset, b.size_in_bytes, b.cardinality, &got));
  check_same(second, got);
  dv_free(got);
  CHECK_STATUS(DV_MISMATCH, dv_delta_read(source, 1, 44, 7, &got));
  CHECK_STATUS(DV_MISMATCH, dv_delta_read(source, 1, 45, 6, &got));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_delta_read(source, -2, 44, 6, &got));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_delta_read(source, 1, -2, 6, &got));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_delta_read(source, 1, 44, -2, &got));
  CHECK_STATUS(DV_CORRUPT, dv_delta_read(source, INT32_MAX, DV_UNKNOWN, DV_UNKNOWN, &got));
  file.data[0] = 2;
  CHECK_STATUS(DV_UNSUPPORTED, dv_delta_read(source, 1, 44, 6, &got));
  dv_source_free(source);
  dv_bytes_free(&file);
  dv_free(first);
  dv_free(second);
}

static void test_inline(void) {
  dv_t *dv = sample(), *got = NULL;
  dv_bytes text = {0};
  int32_t size = -9;
  OK(dv_delta_inline_encode(dv, &text, &size));
  CHECK_INT(44, size);
  CHECK_BYTES(INLINE, sizeof INLINE - 1, text.data, text.size);
  dv_bytes_free(&text);
  OK(dv_delta_inline_decode(INLINE, sizeof INLINE - 1, 44, 6, &got));
  check_same(dv, got);
  dv_free(got);
  CHECK_STATUS(DV_MISMATCH, dv_delta_inline_decode(INLINE, sizeof INLINE - 1, 44, 5, &got));
  CHECK_STATUS(DV_CORRUPT, dv_delta_inline_decode(INLINE, sizeof INLINE - 2, 44, 6, &got));
  OK(dv_delta_inline_decode(NULL, 0, 0, 0, &got));
  int64_t n = -1;
  OK(dv_cardinality(got, &n));
  CHECK_INT(0, n);
  dv_free(got);
  dv_free(dv);
}

static void test_descriptors(void) {
  static const char PATH[] = "ab/deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin";
  dv_delta_result at = {6, 4, 40};
  dv_bytes json = {0}, text = {0};
  OK(dv_delta_descriptor_new(PATH, &at, &json));
  CHECK(strstr((char *)json.data, "\"ab^-aqEH.-t@S}K{vb[*k^\"") != NULL);
  OK(dv_delta_descriptor_path((char *)json.data, &text));
  CHECK_BYTES(PATH, sizeof PATH - 1, text.data, text.size);
  CHECK_INT(0, text.data[text.size]);
  dv_bytes_free(&text);
  OK(dv_delta_descriptor_unique_id((char *)json.data, &text));
  CHECK_BYTES("uab^-aqEH.-t@S}K{vb[*k^@4", 25, text.data, text.size);
  dv_bytes_free(&text);
  dv_bytes_free(&json);
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_delta_descriptor_new("elsewhere.bin", &at, &json));
  at.offset = -1;
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_delta_descriptor_new(PATH, &at, &json));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_delta_descriptor_path("{", &text));
  CHECK_STATUS(DV_UNSUPPORTED, dv_delta_descriptor_path("{\"storageType\":\"z\",\"pathOrInlineDv\":\"\","
                                                        "\"sizeInBytes\":1,\"cardinality\":1}",
                                                        &text));
}

static void test_read_descriptor(void) {
  dv_t *dv = sample(), *got = NULL;
  dv_bytes json = {0}, text = {0};
  OK(dv_delta_descriptor_inline(dv, &json));
  OK(dv_delta_descriptor_path((char *)json.data, &text));
  CHECK_BYTES("", 0, text.data, text.size);
  CHECK(text.data != NULL);
  dv_bytes_free(&text);
  OK(dv_delta_descriptor_read(NULL, (char *)json.data, &got)); /* it holds its vector */
  check_same(dv, got);
  dv_free(got);
  dv_bytes_free(&json);

  static const char WHERE[] =
      "{\"storageType\":\"p\",\"pathOrInlineDv\":\"s3://t/x.bin\",\"offset\":1,\"sizeInBytes\":44,\"cardinality\":6}";
  dv_sink_t *sink = NULL;
  dv_delta_writer_t *writer = NULL;
  dv_source_t *source = NULL;
  dv_delta_result at;
  dv_bytes file = {0};
  OK(dv_sink_memory(&sink));
  OK(dv_delta_writer_new(sink, &writer));
  OK(dv_delta_writer_write(writer, dv, &at));
  OK(dv_delta_writer_finalize(writer));
  OK(dv_sink_take(sink, &file));
  OK(dv_source_memory(file.data, file.size, &source));
  OK(dv_delta_descriptor_read(source, WHERE, &got));
  check_same(dv, got);
  dv_free(got);
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_delta_descriptor_read(NULL, WHERE, &got));
  dv_source_free(source);
  dv_bytes_free(&file);
  dv_delta_writer_free(writer);
  dv_sink_free(sink);
  dv_free(dv);
}

static void test_empty_file(void) {
  dv_sink_t *sink = NULL;
  dv_delta_writer_t *writer = NULL;
  dv_bytes file = {0};
  OK(dv_sink_memory(&sink));
  OK(dv_delta_writer_new(sink, &writer));
  OK(dv_delta_writer_finalize(writer));
  OK(dv_sink_take(sink, &file));
  CHECK_BYTES("\1", 1, file.data, file.size); /* the version byte alone */
  dv_bytes_free(&file);
  dv_delta_writer_free(writer);
  dv_sink_free(sink);
}

int main(void) {
  test_file();
  test_inline();
  test_descriptors();
  test_read_descriptor();
  test_empty_file();
  return finish("delta");
}
