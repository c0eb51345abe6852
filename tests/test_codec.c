/* test_codec.c - the deletion-vector-v1 blob and the bare bitmap: the specification's bytes, views, and what is
 * refused. */
#include "check.h"

/* {1}, as the format's own example has it, and the empty vector. */
static const uint8_t ONE[] = {0x00, 0x00, 0x00, 0x22, 0xd1, 0xd3, 0x39, 0x64, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00,
                              0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x3a, 0x30, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
                              0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00, 0x01, 0x00, 0xee, 0xbd, 0x85, 0xf4};
static const uint8_t EMPTY[] = {0x00, 0x00, 0x00, 0x0c, 0xd1, 0xd3, 0x39, 0x64, 0x00, 0x00,
                                0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xbf, 0x18, 0x48, 0x0c};

static int64_t cardinality(const dv_t *dv) {
  int64_t n = -1;
  OK(dv_cardinality(dv, &n));
  return n;
}

static void test_known_bytes(void) {
  dv_t *dv = NULL, *back = NULL;
  dv_bytes bytes = {0};
  OK(dv_new(&dv));
  OK(dv_serialize(dv, &bytes));
  CHECK_BYTES(EMPTY, sizeof EMPTY, bytes.data, bytes.size);
  dv_bytes_free(&bytes);
  OK(dv_set(dv, 1));
  OK(dv_serialize(dv, &bytes));
  CHECK_BYTES(ONE, sizeof ONE, bytes.data, bytes.size);
  dv_bytes_free(&bytes);

  OK(dv_serialize_bitmap(dv, &bytes)); /* the blob without its frame */
  CHECK_BYTES(ONE + 8, sizeof ONE - 12, bytes.data, bytes.size);
  OK(dv_deserialize_bitmap(bytes.data, bytes.size, &back));
  bool same = false;
  OK(dv_equals(dv, back, &same));
  CHECK(same);
  CHECK_STATUS(DV_CORRUPT, dv_deserialize_bitmap(bytes.data, bytes.size - 1, &back));
  CHECK_STATUS(DV_CORRUPT, dv_deserialize_bitmap(NULL, 0, &back));
  dv_bytes_free(&bytes);
  dv_free(dv);
  dv_free(back);
}

static void test_expectations(void) {
  dv_t *dv = NULL;
  OK(dv_deserialize(ONE, sizeof ONE, 1, &dv));
  CHECK_INT(1, cardinality(dv));
  dv_free(dv);
  OK(dv_deserialize(ONE, sizeof ONE, DV_UNKNOWN, &dv));
  dv_free(dv);
  OK(dv_deserialize(EMPTY, sizeof EMPTY, 0, &dv));
  dv_free(dv);
  CHECK_STATUS(DV_MISMATCH, dv_deserialize(ONE, sizeof ONE, 0, &dv));
  CHECK_STATUS(DV_MISMATCH, dv_view(ONE, sizeof ONE, 2, &dv));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_deserialize(ONE, sizeof ONE, -2, &dv));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_view(ONE, sizeof ONE, INT64_MIN, &dv));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_view(ONE, SIZE_MAX, 1, &dv));
}

/* Every truncation and every flipped bit is found out, by each way in. The bytes end where the allocation ends, so that
 * the sanitizer sees a read beyond them. */
static void test_damage(void) {
  dv_t *dv = NULL;
  int64_t positions[4];
  uint8_t mask[1];
  size_t count = 0;
  for (size_t size = 0; size < sizeof ONE; size++) {
    uint8_t *cut = malloc(size);
    if (size > 0) memcpy(cut, ONE, size);
    CHECK_STATUS(DV_CORRUPT, dv_deserialize(cut, size, DV_UNKNOWN, &dv));
    CHECK_STATUS(DV_CORRUPT, dv_view(cut, size, DV_UNKNOWN, &dv));
    CHECK_STATUS(DV_CORRUPT, dv_blob_positions(cut, size, DV_UNKNOWN, positions, 4, &count));
    CHECK_STATUS(DV_CORRUPT, dv_blob_keep_mask(cut, size, DV_UNKNOWN, 0, 8, mask, 1));
    free(cut);
  }
  for (size_t bit = 0; bit < 8 * sizeof ONE; bit++) {
    uint8_t *flipped = malloc(sizeof ONE);
    memcpy(flipped, ONE, sizeof ONE);
    flipped[bit / 8] ^= (uint8_t)(1 << bit % 8);
    dv_status expected = bit == 8 * 4 ? DV_UNSUPPORTED : DV_CORRUPT; /* d0 d3 39 64 is the magic of an older form */
    CHECK_STATUS(expected, dv_deserialize(flipped, sizeof ONE, DV_UNKNOWN, &dv));
    CHECK_STATUS(expected, dv_blob_positions(flipped, sizeof ONE, DV_UNKNOWN, positions, 4, &count));
    free(flipped);
  }
  uint8_t longer[sizeof ONE + 1] = {0};
  memcpy(longer, ONE, sizeof ONE);
  CHECK_STATUS(DV_CORRUPT, dv_deserialize(longer, sizeof longer, DV_UNKNOWN, &dv));
}

/* What is read owns its bytes, copies do, and what was merged from a view does: the view's bytes may go. */
static void test_view_borrows_nothing_further(void) {
  uint8_t *lent = malloc(sizeof ONE);
  memcpy(lent, ONE, sizeof ONE);
  dv_t *view = NULL, *copy = NULL, *merged = NULL, *other = NULL, *changed = NULL;
  OK(dv_view(lent, sizeof ONE, 1, &view));
  OK(dv_view(lent, sizeof ONE, 1, &changed));
  OK(dv_deserialize(lent, sizeof ONE, 1, &other));
  OK(dv_copy(view, &copy));
  OK(dv_new(&merged));
  OK(dv_or(merged, view)); /* into an empty one */
  OK(dv_set(other, 9));
  OK(dv_or(other, view));
  OK(dv_set(changed, 70000)); /* now an ordinary vector */
  dv_free(view);
  memset(lent, 0xFF, sizeof ONE);
  free(lent);

  dv_t *all[] = {copy, merged, other, changed};
  for (int i = 0; i < 4; i++) {
    bool in = false;
    dv_bytes bytes = {0};
    OK(dv_contains(all[i], 1, &in));
    CHECK(in);
    OK(dv_serialize(all[i], &bytes));
    if (i < 2) CHECK_BYTES(ONE, sizeof ONE, bytes.data, bytes.size);
    dv_bytes_free(&bytes);
    dv_free(all[i]);
  }
}

/* One call gives the bytes that dv_new, dv_set_many and dv_serialize give. */
static void test_blob_from_positions(void) {
  static int64_t many[100000];
  for (int64_t i = 0; i < 100000; i++) many[i] = i * 7919 % 100003 * 3; /* in no order, in each kind of container */
  const struct {
    const int64_t *positions;
    size_t count;
  } sets[] = {
      {NULL, 0},      {(int64_t[]){1}, 1}, {(int64_t[]){DV_MAX_POSITION, 3, 0, 65536, 3, INT64_C(7) << 32}, 6},
      {many, 100000}, {many, 3000},
  };
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    dv_t *dv = NULL;
    dv_bytes expected = {0}, blob = {0};
    OK(dv_new(&dv));
    OK(dv_set_many(dv, sets[i].positions, sets[i].count));
    OK(dv_serialize(dv, &expected));
    OK(dv_blob_from_positions(sets[i].positions, sets[i].count, &blob));
    CHECK_BYTES(expected.data, expected.size, blob.data, blob.size);
    CHECK_INT(0, blob.data[blob.size]);
    dv_bytes_free(&expected);
    dv_bytes_free(&blob);
    dv_free(dv);
  }
  dv_bytes blob = {0};
  OK(dv_blob_from_positions((int64_t[]){1}, 1, &blob));
  CHECK_BYTES(ONE, sizeof ONE, blob.data, blob.size);
  dv_bytes_free(&blob);
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_blob_from_positions((int64_t[]){1, -1}, 2, &blob));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_blob_from_positions((int64_t[]){DV_MAX_POSITION + 1}, 1, &blob));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_blob_from_positions(NULL, 1, &blob));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_blob_from_positions((int64_t[]){1}, SIZE_MAX, &blob));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_blob_from_positions((int64_t[]){1}, 1, NULL));
  CHECK(blob.data == NULL);
}

static void test_blob_positions(void) {
  dv_t *dv = NULL;
  dv_bytes blob = {0};
  int64_t out[8] = {0};
  size_t count = 99;
  const int64_t set[] = {0, 3, 65536, INT64_C(7) << 32, DV_MAX_POSITION};
  OK(dv_new(&dv));
  OK(dv_set_many(dv, set, 5));
  OK(dv_serialize(dv, &blob));
  CHECK_STATUS(DV_TOO_SMALL, dv_blob_positions(blob.data, blob.size, 5, out, 4, &count));
  CHECK_INT(5, count);
  CHECK_STATUS(DV_TOO_SMALL, dv_blob_positions(blob.data, blob.size, 5, NULL, 0, &count));
  OK(dv_blob_positions(blob.data, blob.size, 5, out, 5, &count));
  CHECK_BYTES(set, sizeof set, out, count * 8);
  count = 99;
  CHECK_STATUS(DV_MISMATCH, dv_blob_positions(blob.data, blob.size, 4, out, 8, &count));
  CHECK_INT(99, count);
  OK(dv_blob_positions(EMPTY, sizeof EMPTY, 0, NULL, 0, &count));
  CHECK_INT(0, count);
  dv_bytes_free(&blob);
  dv_free(dv);
}

/* The bytes depend on the positions alone, not on how they came in. */
static void test_canonical(void) {
  dv_t *single = NULL, *range = NULL;
  dv_bytes a = {0}, b = {0};
  OK(dv_new(&single));
  OK(dv_new(&range));
  for (int64_t i = 0; i < 3; i++) OK(dv_set(single, 100 + i));
  OK(dv_set_range(range, 100, 103));
  OK(dv_serialize(single, &a));
  OK(dv_serialize(range, &b));
  CHECK_BYTES(a.data, a.size, b.data, b.size);
  dv_bytes_free(&a), dv_bytes_free(&b);

  OK(dv_set_range(single, 0, 60000)); /* far smaller as a run, and so it is written */
  OK(dv_run_length_encode(single));
  OK(dv_serialize_bitmap(single, &a));
  CHECK(a.size < 60);
  dv_bytes_free(&a);
  dv_free(single);
  dv_free(range);
}

int main(void) {
  test_known_bytes();
  test_expectations();
  test_damage();
  test_view_borrows_nothing_further();
  test_blob_positions();
  test_blob_from_positions();
  test_canonical();
  return finish("codec");
}
