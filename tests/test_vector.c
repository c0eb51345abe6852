/* test_vector.c - what a deletion vector holds after every kind of change, and every way to ask for it. */
#include "check.h"

static dv_t *vector_of(const int64_t *positions, size_t count) {
  dv_t *dv = NULL;
  OK(dv_new(&dv));
  OK(dv_set_many(dv, positions, count));
  return dv;
}

static void check_positions(const dv_t *dv, const int64_t *expected, size_t expected_count) {
  int64_t got[64];
  size_t count = 99;
  OK(dv_positions(dv, 0, INT64_MAX, got, 64, &count));
  CHECK_BYTES(expected, expected_count * sizeof *expected, got, count * sizeof *got);
}

static void test_set(void) {
  dv_t *dv = NULL;
  OK(dv_new(&dv));
  bool yes = true;
  OK(dv_is_empty(dv, &yes));
  CHECK(yes);
  OK(dv_set(dv, 7));
  OK(dv_set(dv, 0));
  OK(dv_set(dv, 7));
  OK(dv_set(dv, DV_MAX_POSITION));
  check_positions(dv, (int64_t[]){0, 7, DV_MAX_POSITION}, 3);
  OK(dv_is_empty(dv, &yes));
  CHECK(!yes);

  const int64_t bad[] = {-1, INT64_MIN, DV_MAX_POSITION + 1, INT64_MAX};
  for (int i = 0; i < 4; i++) {
    CHECK_STATUS(DV_INVALID_ARGUMENT, dv_set(dv, bad[i]));
    CHECK_STATUS(DV_INVALID_ARGUMENT, dv_set_many(dv, (int64_t[]){5, bad[i], 6}, 3));
  }
  check_positions(dv, (int64_t[]){0, 7, DV_MAX_POSITION}, 3); /* all or nothing */
  dv_free(dv);
}

static void test_set_many(void) {
  const int64_t mixed[] = {9, 3, 9, INT64_C(1) << 32, 0, 3, 65536, (INT64_C(1) << 32) - 1};
  dv_t *dv = vector_of(mixed, 8);
  check_positions(dv, (int64_t[]){0, 3, 9, 65536, (INT64_C(1) << 32) - 1, INT64_C(1) << 32}, 6);
  OK(dv_set_many(dv, NULL, 0));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_set_many(dv, NULL, 1));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_set_many(dv, mixed, SIZE_MAX));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_set_many(dv, mixed, (size_t)1 << 61)); /* times 8: 0 */
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_set_many(dv, mixed, (size_t)1 << 60));
  int64_t n = 0;
  OK(dv_cardinality(dv, &n));
  CHECK_INT(6, n);
  dv_free(dv);
}

static void test_set_range(void) {
  dv_t *dv = NULL;
  OK(dv_new(&dv));
  OK(dv_set_range(dv, 3, 6));
  OK(dv_set_range(dv, 10, 10));
  OK(dv_set_range(dv, 10, 2));
  OK(dv_set_range(dv, DV_MAX_POSITION, DV_MAX_POSITION + 1));
  check_positions(dv, (int64_t[]){3, 4, 5, DV_MAX_POSITION}, 4);
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_set_range(dv, -1, 5));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_set_range(dv, 0, DV_MAX_POSITION + 2));
  check_positions(dv, (int64_t[]){3, 4, 5, DV_MAX_POSITION}, 4);
  OK(dv_set_range(dv, 0, INT64_C(1) << 32));
  int64_t n = 0;
  OK(dv_count(dv, 0, INT64_MAX, &n));
  CHECK_INT((INT64_C(1) << 32) + 1, n);
  dv_free(dv);
}

static void test_merge(void) {
  dv_t *a = vector_of((int64_t[]){1, 2, 3, 100000}, 4);
  dv_t *b = vector_of((int64_t[]){3, 4, INT64_C(5) << 32}, 3);
  OK(dv_or(a, b));
  check_positions(a, (int64_t[]){1, 2, 3, 4, 100000, INT64_C(5) << 32}, 6);
  check_positions(b, (int64_t[]){3, 4, INT64_C(5) << 32}, 3);
  OK(dv_andnot(a, b));
  check_positions(a, (int64_t[]){1, 2, 100000}, 3);
  OK(dv_or(a, NULL));
  OK(dv_andnot(a, NULL));
  check_positions(a, (int64_t[]){1, 2, 100000}, 3);
  OK(dv_or(a, a)); /* one handle twice */
  check_positions(a, (int64_t[]){1, 2, 100000}, 3);
  OK(dv_andnot(a, a));
  check_positions(a, NULL, 0);
  dv_free(a);
  dv_free(b);
}

static void test_copy_and_equals(void) {
  dv_t *a = vector_of((int64_t[]){1, 2, 3}, 3);
  dv_t *b = NULL;
  bool same = false;
  OK(dv_copy(a, &b));
  OK(dv_equals(a, b, &same));
  CHECK(same);
  OK(dv_run_length_encode(b)); /* another encoding of the same set */
  OK(dv_equals(a, b, &same));
  CHECK(same);
  OK(dv_equals(a, a, &same));
  CHECK(same);
  OK(dv_set(b, 4));
  OK(dv_equals(a, b, &same));
  CHECK(!same);
  check_positions(a, (int64_t[]){1, 2, 3}, 3); /* a copy is a copy */
  dv_free(a);
  check_positions(b, (int64_t[]){1, 2, 3, 4}, 4);
  dv_free(b);
}

static void test_contains(void) {
  dv_t *dv = vector_of((int64_t[]){5, 70000, DV_MAX_POSITION}, 3);
  bool in = false;
  OK(dv_contains(dv, 70000, &in));
  CHECK(in);
  OK(dv_contains(dv, 70001, &in));
  CHECK(!in);
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_contains(dv, -1, &in));
  const int64_t asked[] = {70000, 6, DV_MAX_POSITION, 5, 5};
  uint8_t out[6] = {9, 9, 9, 9, 9, 9};
  OK(dv_contains_many(dv, asked, 5, out));
  CHECK_BYTES(((uint8_t[]){1, 0, 1, 1, 1, 9}), 6, out, 6);
  OK(dv_contains_many(dv, NULL, 0, NULL));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_contains_many(dv, asked, 5, NULL));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_contains_many(dv, NULL, 5, out));
  dv_free(dv);
}

static void test_count(void) {
  dv_t *dv = vector_of((int64_t[]){5, 6, 7, 70000}, 4);
  int64_t n = -7;
  OK(dv_count(dv, 6, 70000, &n));
  CHECK_INT(2, n);
  OK(dv_count(dv, 6, 70001, &n));
  CHECK_INT(3, n);
  OK(dv_count(dv, 9, 2, &n));
  CHECK_INT(0, n);
  n = -7;
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_count(dv, -1, 2, &n));
  CHECK_INT(-7, n); /* untouched */
  dv_free(dv);
}

static void test_paging(void) {
  dv_t *dv = NULL;
  OK(dv_new(&dv));
  OK(dv_set_range(dv, 10, 35));
  int64_t page[10], start = 0, next = 10;
  size_t count = 10;
  while (count == 10) {
    OK(dv_positions(dv, start, 33, page, 10, &count));
    for (size_t i = 0; i < count; i++) CHECK_INT(next++, page[i]);
    if (count > 0) start = page[count - 1] + 1;
  }
  CHECK_INT(33, next);
  OK(dv_positions(dv, 0, INT64_MAX, NULL, 0, &count));
  CHECK_INT(0, count);
  OK(dv_positions(dv, 40, 4, page, 10, &count));
  CHECK_INT(0, count);
  OK(dv_positions(dv, 12, 14, page, SIZE_MAX, &count)); /* larger than needed is fine, however much */
  CHECK_INT(2, count);
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_positions(dv, -1, 4, page, 10, &count));
  CHECK_INT(2, count);
  dv_free(dv);
}

int main(void) {
  test_set();
  test_set_many();
  test_set_range();
  test_merge();
  test_copy_and_equals();
  test_contains();
  test_count();
  test_paging();
  return finish("vector");
}
