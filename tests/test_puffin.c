/* test_puffin.c - an opened Puffin file: its blobs, its footer, and the checked way from a manifest entry to a
 * vector. */
#include "check.h"
#include "puffin_file.h"

static void check_positions(dv_t *dv, const int64_t *expected, size_t expected_count) {
  int64_t got[8];
  size_t count = 99;
  OK(dv_positions(dv, 0, INT64_MAX, got, 8, &count));
  CHECK_BYTES(expected, expected_count * 8, got, count * 8);
}

static void test_blobs(const dv_bytes *file) {
  dv_source_t *source = NULL;
  dv_puffin_t *puffin = NULL;
  const dv_puffin_blob *blob = NULL, *second = NULL;
  dv_bytes json = {0};
  size_t count = 0;
  OK(dv_source_memory(file->data, file->size, &source));
  OK(dv_puffin_open(source, &puffin));
  OK(dv_puffin_count(puffin, &count));
  CHECK_INT(2, count);
  OK(dv_puffin_blob_at(puffin, 0, &blob));
  OK(dv_puffin_blob_at(puffin, 1, &second));
  CHECK(strcmp("deletion-vector-v1", blob->type) == 0);
  CHECK(blob->compression_codec == NULL);
  CHECK(strcmp("a", blob->referenced_data_file) == 0 && strcmp("b", second->referenced_data_file) == 0);
  CHECK_INT(2, blob->cardinality);
  CHECK_INT(4, blob->offset);
  CHECK_INT(4 + blob->length, second->offset);
  CHECK_INT(-1, blob->snapshot_id);
  CHECK_INT(-1, blob->sequence_number);
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_puffin_blob_at(puffin, 2, &blob));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_puffin_blob_at(puffin, SIZE_MAX, &blob));
  OK(dv_puffin_footer_json(puffin, &json));
  CHECK(json.data[0] == '{' && strstr((char *)json.data, "\"referenced-data-file\":\"b\"") != NULL);
  CHECK_INT(0, json.data[json.size]);
  dv_bytes_free(&json);

  dv_t *dv = NULL;
  OK(dv_puffin_read(puffin, 0, &dv));
  check_positions(dv, (int64_t[]){1, 70000}, 2);
  dv_free(dv);
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_puffin_read(puffin, 2, &dv));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_puffin_read(puffin, SIZE_MAX, &dv));

  dv_source_free(source); /* what the footer said stays */
  CHECK_STATUS(DV_STATE, dv_puffin_read(puffin, 0, &dv));
  CHECK_ERROR("freed");
  CHECK_STATUS(DV_STATE, dv_puffin_read_entry(puffin, 4, blob->length, 2, "a", &dv, NULL));
  OK(dv_puffin_count(puffin, &count));
  CHECK(strcmp("b", second->referenced_data_file) == 0);
  dv_puffin_free(puffin);
}

static void test_entries(const dv_bytes *file) {
  dv_source_t *source = NULL;
  dv_puffin_t *puffin = NULL;
  const dv_puffin_blob *b = NULL;
  dv_t *dv = NULL, *untouched = NULL;
  uint32_t warnings = 77;
  OK(dv_source_callbacks((void *)file, (int64_t)file->size, read_bytes, &source));
  OK(dv_puffin_open(source, &puffin));
  OK(dv_puffin_blob_at(puffin, 1, &b));
  OK(dv_puffin_read_entry(puffin, b->offset, b->length, 1, "b", &dv, &warnings));
  CHECK_INT(0, warnings);
  check_positions(dv, (int64_t[]){5}, 1);
  dv_free(dv);
  OK(dv_read(source, b->offset, b->length, 1, "b", &dv, NULL));
  check_positions(dv, (int64_t[]){5}, 1);
  dv_free(dv);

  const struct {
    int64_t offset, size, count;
    const char *name;
    dv_status status;
  } wrong[] = {
      {b->offset, b->length, 2, "b", DV_MISMATCH},        {b->offset, b->length, 0, "b", DV_MISMATCH},
      {b->offset, b->length, 1, "a", DV_MISMATCH},        {b->offset, b->length, 1, "B", DV_MISMATCH},
      {b->offset + 1, b->length, 1, "b", DV_MISMATCH},    {b->offset, b->length - 1, 1, "b", DV_MISMATCH},
      {INT64_MAX, INT64_MAX, 1, "b", DV_MISMATCH},        {-1, b->length, 1, "b", DV_INVALID_ARGUMENT},
      {b->offset, -1, 1, "b", DV_INVALID_ARGUMENT},       {b->offset, b->length, -1, "b", DV_INVALID_ARGUMENT},
      {b->offset, b->length, 1, "", DV_INVALID_ARGUMENT},
  };
  warnings = 77;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    CHECK_STATUS(wrong[i].status, dv_puffin_read_entry(puffin, wrong[i].offset, wrong[i].size, wrong[i].count,
                                                       wrong[i].name, &untouched, &warnings));
    CHECK_STATUS(wrong[i].status,
                 dv_read(source, wrong[i].offset, wrong[i].size, wrong[i].count, wrong[i].name, &untouched, &warnings));
  }
  CHECK(untouched == NULL);
  CHECK_INT(77, warnings);
  dv_puffin_free(puffin);
  dv_source_free(source);
}

/* Masks of many blobs in one call: one behind the other at multiples of 64 bytes, what is between is zero. */
static void test_keep_masks(const dv_bytes *file) {
  dv_source_t *sources[2] = {NULL, NULL};
  OK(dv_source_memory(file->data, file->size, &sources[0]));
  OK(dv_source_callbacks((void *)file, (int64_t)file->size, read_bytes, &sources[1]));
  for (int i = 0; i < 2; i++) {
    dv_puffin_t *puffin = NULL;
    uint8_t out[64 + 8768 + 64 + 1], expected[sizeof out] = {0};
    OK(dv_puffin_open(sources[i], &puffin));

    memset(out, 0xEE, sizeof out); /* blobs 0 and 1: "a" has {1, 70000}, "b" has {5} */
    OK(dv_puffin_keep_masks(puffin, NULL, (int64_t[]){4, 9}, 2, out, 128));
    memset(expected, 0, sizeof expected);
    expected[0] = 0x0D, expected[64] = 0xDF, expected[65] = 0x01;
    CHECK_BYTES(expected, 128, out, 128);
    CHECK_INT(0xEE, out[128]);

    memset(out, 0xEE, sizeof out); /* any order, a blob twice, no rows */
    OK(dv_puffin_keep_masks(puffin, (size_t[]){1, 0, 0, 1}, (int64_t[]){6, 0, 70001, 3}, 4, out, sizeof out));
    memset(expected, 0, sizeof expected);
    expected[0] = 0x1F;
    memset(expected + 64, 0xFF, 8750); /* 70001 rows, of which 1 and the last are deleted */
    expected[64] = 0xFD;
    expected[64 + 8768] = 0x07;
    CHECK_BYTES(expected, sizeof out - 1, out, sizeof out - 1);
    CHECK_INT(0xEE, out[sizeof out - 1]);

    memset(out, 0xEE, sizeof out); /* nothing is written where the arguments are wrong */
    memset(expected, 0xEE, sizeof expected);
    CHECK_STATUS(DV_TOO_SMALL, dv_puffin_keep_masks(puffin, NULL, (int64_t[]){4, 9}, 2, out, 127));
    CHECK_STATUS(DV_INVALID_ARGUMENT, dv_puffin_keep_masks(puffin, NULL, (int64_t[]){4, 9, 1}, 3, out, sizeof out));
    CHECK_STATUS(DV_INVALID_ARGUMENT,
                 dv_puffin_keep_masks(puffin, (size_t[]){0, SIZE_MAX}, (int64_t[]){4, 9}, 2, out, sizeof out));
    CHECK_STATUS(DV_INVALID_ARGUMENT, dv_puffin_keep_masks(puffin, NULL, (int64_t[]){4, -1}, 2, out, sizeof out));
    CHECK_STATUS(DV_INVALID_ARGUMENT,
                 dv_puffin_keep_masks(puffin, (size_t[]){0, 0, 0, 0, 0, 0, 0, 0, 0},
                                      (int64_t[]){INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX,
                                                  INT64_MAX, INT64_MAX, INT64_MAX},
                                      9, out, sizeof out));
    CHECK_STATUS(DV_TOO_SMALL, dv_puffin_keep_masks(puffin, NULL, (int64_t[]){INT64_MAX}, 1, out, sizeof out));
    CHECK_STATUS(DV_INVALID_ARGUMENT, dv_puffin_keep_masks(puffin, NULL, (int64_t[]){4}, SIZE_MAX, out, sizeof out));
    CHECK_STATUS(DV_INVALID_ARGUMENT, dv_puffin_keep_masks(puffin, NULL, NULL, 1, out, sizeof out));
    CHECK_STATUS(DV_INVALID_ARGUMENT, dv_puffin_keep_masks(puffin, NULL, (int64_t[]){4}, 1, NULL, 64));
    CHECK_BYTES(expected, sizeof out, out, sizeof out);
    OK(dv_puffin_keep_masks(puffin, NULL, NULL, 0, NULL, 0));
    OK(dv_puffin_keep_masks(puffin, (size_t *)(uintptr_t)8, (int64_t *)(uintptr_t)8, 0, (uint8_t *)(uintptr_t)1, 0));

    dv_source_free(sources[i]);
    CHECK_STATUS(DV_STATE, dv_puffin_keep_masks(puffin, NULL, (int64_t[]){4}, 1, out, sizeof out));
    dv_puffin_free(puffin);
  }
}

/* A file whose blob lacks its cardinality is read, and said to lack it. */
static void test_warning(void) {
  static const char footer[] =
      "{\"blobs\":[{\"type\":\"deletion-vector-v1\",\"fields\":[],\"snapshot-id\":-1,\"sequence-number\":-1,"
      "\"offset\":4,\"length\":42,\"properties\":{\"referenced-data-file\":\"f\"}},"
      "{\"type\":\"apache-datasketches-theta-v1\",\"fields\":[1],\"snapshot-id\":7,\"sequence-number\":8,"
      "\"offset\":4,\"length\":1,\"compression-codec\":\"zstd\"}]}";
  dv_t *dv = NULL;
  dv_bytes blob = {0};
  OK(dv_new(&dv));
  OK(dv_set(dv, 1));
  OK(dv_serialize(dv, &blob));
  uint8_t file[1024] = "PFA1";
  size_t size = 4, length = sizeof footer - 1;
  memcpy(file + size, blob.data, blob.size), size += blob.size;
  memcpy(file + size, "PFA1", 4), size += 4;
  memcpy(file + size, footer, length), size += length;
  memcpy(file + size, (uint8_t[]){(uint8_t)length, (uint8_t)(length >> 8), 0, 0, 0, 0, 0, 0, 'P', 'F', 'A', '1'}, 12);
  size += 12;
  dv_bytes_free(&blob);
  dv_free(dv);

  dv_source_t *source = NULL;
  dv_puffin_t *puffin = NULL;
  const dv_puffin_blob *other = NULL;
  uint32_t warnings = 0;
  OK(dv_source_memory(file, size, &source));
  OK(dv_read(source, 4, 42, 1, "f", &dv, &warnings));
  CHECK_INT(DV_WARN_NO_CARDINALITY, warnings);
  dv_free(dv);
  CHECK_STATUS(DV_MISMATCH, dv_read(source, 4, 42, 2, "f", &dv, &warnings));
  OK(dv_puffin_open(source, &puffin));
  OK(dv_puffin_blob_at(puffin, 0, &other));
  CHECK_INT(DV_UNKNOWN, other->cardinality);
  OK(dv_puffin_blob_at(puffin, 1, &other));
  CHECK(strcmp("zstd", other->compression_codec) == 0 && other->referenced_data_file == NULL);
  CHECK_INT(7, other->snapshot_id);
  CHECK_INT(8, other->sequence_number);
  CHECK_STATUS(DV_MISMATCH, dv_puffin_read(puffin, 1, &dv)); /* another type: never inflated */
  uint8_t masks[128];
  OK(dv_puffin_keep_masks(puffin, NULL, (int64_t[]){8}, 1, masks, sizeof masks));
  CHECK_INT(0xFD, masks[0]);
  CHECK_STATUS(DV_MISMATCH, dv_puffin_keep_masks(puffin, NULL, (int64_t[]){8, 8}, 2, masks, sizeof masks));
  CHECK_ERROR("blob 1");
  dv_puffin_free(puffin);
  dv_source_free(source);
}

static void test_no_puffin_file(const dv_bytes *file) {
  dv_puffin_t *puffin = NULL;
  dv_t *dv = NULL;
  for (size_t size = 0; size < file->size; size++) { /* truncated anywhere */
    dv_source_t *source = NULL;
    uint8_t *cut = malloc(size);
    if (size > 0) memcpy(cut, file->data, size);
    OK(dv_source_memory(cut, size, &source));
    CHECK_STATUS(DV_CORRUPT, dv_puffin_open(source, &puffin));
    CHECK_STATUS(DV_CORRUPT, dv_read(source, 4, 42, 2, "a", &dv, NULL));
    dv_source_free(source);
    free(cut);
  }
}

int main(void) {
  dv_bytes file = puffin_file();
  test_blobs(&file);
  test_entries(&file);
  test_keep_masks(&file);
  test_warning();
  test_no_puffin_file(&file);
  dv_bytes_free(&file);
  return finish("puffin");
}
