/* test_mumbling.c - Mumbling bitmaps: reading, lending, lazy faults, conversion both ways, and PFOR. */
#include <pthread.h>

#include "check.h"

/* {0, 255, 256}: version 1, cardinality 3, 2 containers; descriptors 2 and 1 as one PFOR chunk (b1 = 1, m = 1, bits
 * 10); places 0, 255 and 0. */
static const uint8_t BITMAP[] = {1, 3, 0, 0, 2, 0, 0x01, 0x00, 0x01, 0x80, 0, 255, 0};

static void test_read(void) {
  mumbling_t *bitmap = NULL;
  int32_t n = -1, positions[4] = {0};
  size_t count = 99, size = 0;
  bool in = false;
  const uint8_t *lent = NULL;
  uint8_t *data = malloc(sizeof BITMAP);
  memcpy(data, BITMAP, sizeof BITMAP);
  OK(mumbling_read(data, sizeof BITMAP, &bitmap));
  memset(data, 0xFF, sizeof BITMAP);
  free(data); /* copied */
  OK(mumbling_validate(bitmap));
  OK(mumbling_cardinality(bitmap, &n));
  CHECK_INT(3, n);
  OK(mumbling_positions(bitmap, positions, 4, &count));
  CHECK_BYTES(((int32_t[]){0, 255, 256}), 12, positions, count * 4);
  CHECK_STATUS(DV_TOO_SMALL, mumbling_positions(bitmap, positions, 2, &count));
  CHECK_INT(3, count);
  OK(mumbling_is_set(bitmap, 255, &in));
  CHECK(in);
  OK(mumbling_is_set(bitmap, INT32_MAX, &in));
  CHECK(!in);
  CHECK_STATUS(DV_INVALID_ARGUMENT, mumbling_is_set(bitmap, -1, &in));
  uint8_t many[5] = {9, 9, 9, 9, 9};
  OK(mumbling_is_set_many(bitmap, (int32_t[]){256, 1, 0, 9999999}, 4, many));
  CHECK_BYTES(((uint8_t[]){1, 0, 1, 0, 9}), 5, many, 5);
  CHECK_STATUS(DV_INVALID_ARGUMENT, mumbling_is_set_many(bitmap, (int32_t[]){1, -1}, 2, many));
  uint8_t mask[3] = {0, 0, 0xA5};
  OK(mumbling_keep_mask(bitmap, 250, 10, mask, 3)); /* 255 and 256 are gone */
  CHECK_BYTES(((uint8_t[]){0x9F, 0x03, 0xA5}), 3, mask, 3);
  CHECK_STATUS(DV_TOO_SMALL, mumbling_keep_mask(bitmap, 250, 10, mask, 1));
  CHECK_STATUS(DV_INVALID_ARGUMENT, mumbling_keep_mask(bitmap, -1, 10, mask, 3));
  CHECK_STATUS(DV_INVALID_ARGUMENT, mumbling_keep_mask(bitmap, 0, -1, mask, 3));
  OK(mumbling_buffer(bitmap, &lent, &size));
  CHECK_BYTES(BITMAP, sizeof BITMAP, lent, size);
  mumbling_free(bitmap);
}

static void test_convert(void) {
  mumbling_t *bitmap = NULL;
  dv_t *dv = NULL;
  dv_bytes bytes = {0};
  int64_t positions[4];
  size_t count = 0;
  OK(mumbling_read(BITMAP, sizeof BITMAP, &bitmap));
  OK(mumbling_to_dv(bitmap, &dv));
  mumbling_free(bitmap);
  OK(dv_positions(dv, 0, INT64_MAX, positions, 4, &count));
  CHECK_BYTES(((int64_t[]){0, 255, 256}), 24, positions, count * 8);
  OK(mumbling_from_dv(dv, &bytes));
  OK(mumbling_read(bytes.data, bytes.size, &bitmap));
  OK(mumbling_validate(bitmap));
  int32_t n = 0;
  OK(mumbling_cardinality(bitmap, &n));
  CHECK_INT(3, n);
  mumbling_free(bitmap);
  dv_bytes_free(&bytes);
  OK(dv_set(dv, MUMBLING_MAX_CARDINALITY - 1));
  OK(mumbling_from_dv(dv, &bytes));
  dv_bytes_free(&bytes);
  OK(dv_set(dv, MUMBLING_MAX_CARDINALITY));
  CHECK_STATUS(DV_LIMIT, mumbling_from_dv(dv, &bytes));
  CHECK_ERROR("2097152");
  dv_free(dv);
}

static void test_faults(void) {
  mumbling_t *bitmap = NULL;
  uint8_t data[sizeof BITMAP];
  for (size_t size = 0; size < 6; size++) CHECK_STATUS(DV_CORRUPT, mumbling_read(BITMAP, size, &bitmap));
  memcpy(data, BITMAP, sizeof data);
  data[0] = 2;
  CHECK_STATUS(DV_UNSUPPORTED, mumbling_read(data, sizeof data, &bitmap));
  memcpy(data, BITMAP, sizeof data);
  data[5] = 0x21; /* more containers than there may be */
  CHECK_STATUS(DV_CORRUPT, mumbling_read(data, sizeof data, &bitmap));

  memcpy(data, BITMAP, sizeof data);
  data[6] = 0x99; /* no width of a chunk: found on first use, and again on every later one */
  OK(mumbling_read(data, sizeof data, &bitmap));
  int32_t n = 0, positions[4];
  size_t count = 99;
  bool in = false;
  uint8_t mask[1];
  dv_t *dv = NULL;
  OK(mumbling_cardinality(bitmap, &n)); /* the header's */
  for (int i = 0; i < 2; i++) {
    CHECK_STATUS(DV_CORRUPT, mumbling_is_set(bitmap, 0, &in));
    CHECK_STATUS(DV_CORRUPT, mumbling_positions(bitmap, positions, 4, &count));
    CHECK_STATUS(DV_CORRUPT, mumbling_keep_mask(bitmap, 0, 8, mask, 1));
    CHECK_STATUS(DV_CORRUPT, mumbling_to_dv(bitmap, &dv));
    CHECK_STATUS(DV_CORRUPT, mumbling_validate(bitmap));
  }
  mumbling_free(bitmap);

  memcpy(data, BITMAP, sizeof data);
  data[1] = 4; /* the header counts one more */
  OK(mumbling_read(data, sizeof data, &bitmap));
  OK(mumbling_is_set(bitmap, 0, &in));
  CHECK_STATUS(DV_CORRUPT, mumbling_positions(bitmap, positions, 4, &count));
  CHECK_STATUS(DV_CORRUPT, mumbling_validate(bitmap));
  mumbling_free(bitmap);
}

static void test_pfor(void) {
  static const uint8_t values[] = {6, 34, 8, 7};
  static const uint8_t java[] = {0x05, 0x00, 0x06, 0x07, 0x04, 0x10}, spec[] = {0x32, 0x01, 0x06, 0x09, 0x01, 0xe0, 99};
  dv_bytes bytes = {0};
  uint8_t back[5] = {0, 0, 0, 0, 0xA5};
  size_t n = 99;
  OK(mumbling_pfor_encode(values, 4, &bytes));
  CHECK_BYTES(java, sizeof java, bytes.data, bytes.size);
  OK(mumbling_pfor_decode(bytes.data, bytes.size, back, 4, &n));
  CHECK_BYTES(values, 4, back, 4);
  CHECK_INT(sizeof java, n);
  CHECK_INT(0xA5, back[4]);
  OK(mumbling_pfor_decode(spec, sizeof spec, back, 4, &n)); /* the specification's own coding, and a byte behind it */
  CHECK_BYTES(values, 4, back, 4);
  CHECK_INT(6, n);
  CHECK_STATUS(DV_CORRUPT, mumbling_pfor_decode(spec, 5, back, 4, &n));
  CHECK_INT(6, n);
  OK(mumbling_pfor_estimate(4, &n));
  CHECK(n >= bytes.size && n <= 7);
  CHECK_STATUS(DV_INVALID_ARGUMENT, mumbling_pfor_estimate(SIZE_MAX, &n));
  dv_bytes_free(&bytes);
  OK(mumbling_pfor_encode(NULL, 0, &bytes));
  CHECK_INT(0, bytes.size);
  CHECK(bytes.data != NULL);
  dv_bytes_free(&bytes);
  OK(mumbling_pfor_decode(NULL, 0, NULL, 0, &n));
  CHECK_INT(0, n);
}

static void *first_use(void *bitmap) {
  int32_t positions[4];
  size_t count = 0;
  OK(mumbling_positions(bitmap, positions, 4, &count));
  CHECK_INT(3, count);
  return NULL;
}

static void test_two_first_uses(void) {
  for (int round = 0; round < 200; round++) {
    mumbling_t *bitmap = NULL;
    pthread_t threads[2];
    OK(mumbling_read(BITMAP, sizeof BITMAP, &bitmap));
    for (int i = 0; i < 2; i++) CHECK_INT(0, pthread_create(&threads[i], NULL, first_use, bitmap));
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    mumbling_free(bitmap);
  }
}

int main(void) {
  test_read();
  test_convert();
  test_faults();
  test_pfor();
  test_two_first_uses();
  return finish("mumbling");
}
