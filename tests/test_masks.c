/* test_masks.c - what a scan filters with, against a set that says of each row whether it is deleted. */
#include "check.h"

enum { ROWS = 200000 };
static uint8_t deleted[ROWS]; /* the model */

/* A vector with every kind of container, and the model of it. */
static dv_t *make(void) {
  dv_t *dv = NULL;
  OK(dv_new(&dv));
  uint64_t state = 7;
  int64_t *list = malloc(ROWS * sizeof *list);
  size_t count = 0;
  for (int64_t i = 0; i < ROWS; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    unsigned random = (unsigned)(state >> 33) % 1000;
    bool in = i < 65536 ? random < 20 : i < 131072 ? random < 500 : i / 5000 % 2 == 0; /* sparse, dense, runs */
    deleted[i] = in;
    if (in) list[count++] = i;
  }
  OK(dv_set_many(dv, list, count));
  free(list);
  return dv;
}

static bool is_deleted(int64_t row) { return row < ROWS && deleted[row]; }

static void check_window(const dv_t *dv, int64_t start, int64_t length) {
  size_t bytes = (size_t)(length + 7) / 8;
  uint8_t *keep = malloc(bytes + 1), *del = malloc(bytes + 1), *flags = malloc((size_t)length + 1);
  uint32_t *indices = malloc(((size_t)length + 1) * sizeof *indices);
  size_t kept = 0, next = 0;
  keep[bytes] = del[bytes] = flags[length] = 0xA5;
  OK(dv_keep_mask(dv, start, length, keep, bytes + 1));
  OK(dv_delete_mask(dv, start, length, del, bytes));
  OK(dv_keep_bytes(dv, start, length, flags, (size_t)length));
  OK(dv_keep_indices(dv, start, length, indices, (size_t)length, &kept));
  int wrong = 0;
  for (int64_t i = 0; i < length; i++) {
    bool gone = is_deleted(start + i);
    wrong += (keep[i / 8] >> i % 8 & 1) != !gone;
    wrong += (del[i / 8] >> i % 8 & 1) != gone;
    wrong += flags[i] != !gone;
    if (!gone) wrong += next >= kept || indices[next++] != (uint32_t)i;
  }
  CHECK_INT(0, wrong);
  CHECK_INT(kept, next);
  if (length % 8 != 0) { /* pad bits */
    CHECK_INT(0, keep[bytes - 1] >> length % 8);
    CHECK_INT(0, del[bytes - 1] >> length % 8);
  }
  CHECK(keep[bytes] == 0xA5 && flags[length] == 0xA5); /* the rest is untouched */
  free(keep), free(del), free(flags), free(indices);
}

static void test_windows(const dv_t *dv) {
  static const int64_t starts[] = {0, 1, 7, 8, 63, 64, 65535, 65536, 65537, 131071, ROWS - 3, ROWS, ROWS + 9};
  static const int64_t lengths[] = {0, 1, 7, 8, 9, 63, 64, 65, 1000, 65536, 70001};
  for (size_t s = 0; s < sizeof starts / sizeof *starts; s++) {
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) check_window(dv, starts[s], lengths[l]);
  }
  check_window(dv, 0, ROWS + 100);
}

static void test_far_window(const dv_t *dv) {
  uint8_t mask[2] = {0, 0};
  OK(dv_keep_mask(dv, INT64_MAX - 10, 10, mask, 2));
  CHECK_BYTES(((uint8_t[]){0xFF, 0x03}), 2, mask, 2);
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_keep_mask(dv, INT64_MAX - 10, 11, mask, 2));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_delete_mask(dv, INT64_MAX, 1, mask, 2));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_keep_bytes(dv, 1, INT64_MAX, mask, 2));
}

static void test_refusals(const dv_t *dv) {
  uint8_t buffer[64];
  uint32_t indices[64];
  size_t count = 99;
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_keep_mask(dv, -1, 8, buffer, 64));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_keep_mask(dv, 0, -8, buffer, 64));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_delete_mask(dv, INT64_MIN, 8, buffer, 64));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_keep_bytes(dv, 0, INT64_MIN, buffer, 64));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_keep_indices(dv, -1, 8, indices, 64, &count));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_keep_indices(dv, 0, (INT64_C(1) << 32) + 1, indices, 64, &count));
  CHECK_INT(99, count);

  CHECK_STATUS(DV_TOO_SMALL, dv_keep_mask(dv, 0, 65, buffer, 8)); /* one byte short */
  CHECK_STATUS(DV_TOO_SMALL, dv_delete_mask(dv, 0, 1, NULL, 0));
  CHECK_STATUS(DV_TOO_SMALL, dv_keep_bytes(dv, 0, 65, buffer, 64));
  OK(dv_keep_mask(dv, 5, 0, NULL, 0));
  OK(dv_keep_bytes(dv, 5, 0, NULL, 0));
  OK(dv_keep_mask(dv, 0, 8, buffer, SIZE_MAX)); /* more than memory can hold is more than needed */
  OK(dv_keep_bytes(dv, 0, 64, buffer, SIZE_MAX / 2));
}

static void test_indices_capacity(void) {
  dv_t *dv = NULL;
  uint32_t indices[8] = {0};
  size_t count = 99;
  OK(dv_new(&dv));
  OK(dv_set_many(dv, (int64_t[]){11, 13}, 2));
  CHECK_STATUS(DV_TOO_SMALL, dv_keep_indices(dv, 10, 6, indices, 3, &count));
  CHECK_INT(4, count); /* what is needed */
  CHECK_STATUS(DV_TOO_SMALL, dv_keep_indices(dv, 10, 6, NULL, 0, &count));
  OK(dv_keep_indices(dv, 10, 6, indices, 4, &count));
  CHECK_BYTES(((uint32_t[]){0, 2, 4, 5}), 16, indices, count * 4);
  OK(dv_keep_indices(dv, 10, 6, indices, SIZE_MAX, &count));
  CHECK_INT(4, count);
  CHECK_STATUS(DV_TOO_SMALL, dv_keep_indices(dv, 0, INT64_C(1) << 32, indices, 8, &count));
  CHECK_INT((INT64_C(1) << 32) - 2, count);
  dv_free(dv);
}

/* The same windows of the stored form, without a handle. */
static void test_blob_mask(const dv_t *dv) {
  dv_bytes blob = {0};
  int64_t n = 0;
  OK(dv_serialize(dv, &blob));
  OK(dv_cardinality(dv, &n));
  uint8_t expected[9000], got[9000];
  for (int64_t start = 0; start < ROWS; start += 33333) {
    OK(dv_keep_mask(dv, start, 70001, expected, sizeof expected));
    OK(dv_blob_keep_mask(blob.data, blob.size, n, start, 70001, got, sizeof got));
    CHECK_BYTES(expected, (70001 + 7) / 8, got, (70001 + 7) / 8);
  }
  CHECK_STATUS(DV_MISMATCH, dv_blob_keep_mask(blob.data, blob.size, n + 1, 0, 8, got, 1));
  CHECK_STATUS(DV_TOO_SMALL, dv_blob_keep_mask(blob.data, blob.size, n, 0, 9, got, 1));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_blob_keep_mask(blob.data, blob.size, n, -1, 9, got, 2));
  blob.data[blob.size - 1] ^= 1;
  CHECK_STATUS(DV_CORRUPT, dv_blob_keep_mask(blob.data, blob.size, DV_UNKNOWN, 0, 8, got, 1));
  dv_bytes_free(&blob);
}

int main(void) {
  dv_t *dv = make();
  test_windows(dv);
  test_far_window(dv);
  test_refusals(dv);
  test_indices_capacity();
  test_blob_mask(dv);
  dv_free(dv);
  return finish("masks");
}
