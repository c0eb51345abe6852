/* test_sequences.c - random sequences of calls on a few vectors, next to plain arrays of bytes that say what each
 * should hold.
 *
 * usage: test_sequences [calls [seed]] 20,000 calls and seed 1 unless given */
#include "check.h"

/* Two stretches of rows, one of them beyond 32 bits, so that several keys and kinds of containers meet. */
enum { VECTORS = 4, STRETCH = 150000, ROWS = 2 * STRETCH };
static const int64_t BASES[2] = {0, (INT64_C(3) << 32) - 70000};

static dv_t *vectors[VECTORS];
static uint8_t models[VECTORS][ROWS]; /* by place, ascending like the positions */
static uint8_t *lent[VECTORS];        /* what a view borrows */
static uint64_t state;

static uint32_t next(uint32_t below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33) % below;
}

static int64_t position_of(int place) { return BASES[place / STRETCH] + place % STRETCH; }

/* Places come in clusters, or nothing would ever meet. */
static int some_place(void) { return (int)((next(7) * 42857 + next(next(2) ? 50 : 40000)) % ROWS); }

static void replace(int v, dv_t *dv) {
  dv_free(vectors[v]);
  free(lent[v]);
  lent[v] = NULL;
  vectors[v] = dv;
}

/* ------------------------------------------------------------------ changes */

static void set_one(int v) {
  int place = some_place();
  OK(dv_set(vectors[v], position_of(place)));
  models[v][place] = 1;
}

static void set_many(int v) {
  int64_t list[500];
  size_t count = next(500);
  for (size_t i = 0; i < count; i++) {
    int place = some_place();
    list[i] = position_of(place);
    models[v][place] = 1;
  }
  OK(dv_set_many(vectors[v], list, count));
}

static void set_range(int v) {
  int place = some_place(), length = (int)next(next(4) ? 200 : 70000);
  int end = place + length < (place / STRETCH + 1) * STRETCH ? place + length : (place / STRETCH + 1) * STRETCH;
  OK(dv_set_range(vectors[v], position_of(place), BASES[place / STRETCH] + (end - place / STRETCH * STRETCH)));
  memset(models[v] + place, 1, (size_t)(end - place));
}

static void merge(int v) {
  int w = (int)next(VECTORS);
  bool add = next(2);
  OK(add ? dv_or(vectors[v], vectors[w]) : dv_andnot(vectors[v], vectors[w]));
  for (int i = 0; i < ROWS; i++) models[v][i] = add ? models[v][i] | models[w][i] : models[v][i] & !models[w][i];
}

static void start_again(int v) {
  dv_t *dv = NULL;
  OK(dv_new(&dv));
  replace(v, dv);
  memset(models[v], 0, ROWS);
}

static void copy(int v) {
  int w = (int)next(VECTORS);
  dv_t *dv = NULL;
  OK(dv_copy(vectors[w], &dv));
  replace(v, dv);
  if (v != w) memcpy(models[v], models[w], ROWS);
}

static int64_t expected_cardinality(int v) {
  int64_t n = 0;
  for (int i = 0; i < ROWS; i++) n += models[v][i];
  return n;
}

/* Through bytes and back, in one of three ways. */
static void through_bytes(int v) {
  dv_bytes bytes = {NULL, 0};
  dv_t *dv = NULL;
  uint8_t *borrowed = NULL;
  switch (next(3)) {
    case 0:
      OK(dv_serialize_bitmap(vectors[v], &bytes));
      OK(dv_deserialize_bitmap(bytes.data, bytes.size, &dv));
      break;
    case 1:
      OK(dv_serialize(vectors[v], &bytes));
      OK(dv_deserialize(bytes.data, bytes.size, expected_cardinality(v), &dv));
      break;
    default:
      OK(dv_serialize(vectors[v], &bytes));
      borrowed = malloc(bytes.size);
      memcpy(borrowed, bytes.data, bytes.size);
      OK(dv_view(borrowed, bytes.size, expected_cardinality(v), &dv));
  }
  dv_bytes_free(&bytes);
  replace(v, dv);
  lent[v] = borrowed;
}

static void encode(int v) { OK(dv_run_length_encode(vectors[v])); }

/* ------------------------------------------------------------------ reading */

static void contains(int v) {
  int64_t list[100];
  uint8_t out[100], expected[100];
  for (int i = 0; i < 100; i++) {
    int place = some_place();
    list[i] = position_of(place);
    expected[i] = models[v][place];
  }
  bool in = false;
  OK(dv_contains(vectors[v], list[0], &in));
  CHECK(in == expected[0]);
  OK(dv_contains_many(vectors[v], list, 100, out));
  CHECK_BYTES(expected, 100, out, 100);
}

static void count(int v) {
  int place = some_place(), base = place / STRETCH * STRETCH, end = base + (int)next(STRETCH);
  int64_t n = -1, expected = 0;
  for (int i = place; i < end; i++) expected += models[v][i];
  OK(dv_count(vectors[v], position_of(place), BASES[place / STRETCH] + (end - base), &n));
  CHECK_INT(expected, n);
  OK(dv_cardinality(vectors[v], &n));
  CHECK_INT(expected_cardinality(v), n);
}

static void page(int v) {
  int64_t out[300];
  size_t got = 0, capacity = next(300), n = 0;
  int place = some_place();
  OK(dv_positions(vectors[v], position_of(place), INT64_MAX, out, capacity, &got));
  int wrong = 0;
  for (int i = place; i < ROWS && n < capacity; i++) {
    if (models[v][i]) wrong += n >= got || out[n] != position_of(i), n++;
  }
  CHECK_INT(n, got);
  CHECK_INT(0, wrong);
}

static void mask(int v) {
  uint8_t bits[300], flags[2000];
  int place = some_place(), left = (place / STRETCH + 1) * STRETCH - place, wrong = 0;
  int length = (int)next(2000);
  if (length > left) length = left;
  OK(dv_keep_mask(vectors[v], position_of(place), length, bits, sizeof bits));
  OK(dv_keep_bytes(vectors[v], position_of(place), length, flags, sizeof flags));
  for (int i = 0; i < length; i++) {
    wrong += (bits[i / 8] >> i % 8 & 1) == models[v][place + i];
    wrong += flags[i] == models[v][place + i];
  }
  CHECK_INT(0, wrong);
}

static void equals(int v) {
  int w = (int)next(VECTORS);
  bool same = false;
  OK(dv_equals(vectors[v], vectors[w], &same));
  CHECK(same == (memcmp(models[v], models[w], ROWS) == 0));
}

/* The bytes of a set are its own, whatever became of the vector. */
static void canonical(int v) {
  static int64_t list[ROWS];
  size_t n = 0;
  dv_t *fresh = NULL;
  dv_bytes a = {NULL, 0}, b = {NULL, 0};
  for (int i = 0; i < ROWS; i++) {
    if (models[v][i]) list[n++] = position_of(i);
  }
  OK(dv_new(&fresh));
  OK(dv_set_many(fresh, list, n));
  OK(dv_serialize(fresh, &a));
  OK(dv_serialize(vectors[v], &b));
  CHECK_BYTES(a.data, a.size, b.data, b.size);
  dv_bytes_free(&a), dv_bytes_free(&b);
  dv_free(fresh);
}

/* Calls that are refused change nothing. */
static void refused(int v) {
  dv_t *out = NULL;
  int64_t list[3] = {position_of(some_place()), -1, position_of(some_place())};
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_set_many(vectors[v], list, 3));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_set_range(vectors[v], 5, INT64_MAX));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_or(vectors[v], (dv_t *)list));
  CHECK_STATUS(DV_CORRUPT, dv_deserialize((uint8_t *)list, sizeof list, DV_UNKNOWN, &out));
  CHECK(out == NULL);
}

static void (*const calls[])(int v) = {set_one, set_one,     set_one, set_many,  set_many,     set_range,
                                       merge,   start_again, copy,    encode,    contains,     contains,
                                       count,   count,       page,    mask,      mask,         equals,
                                       refused, page,        set_one, canonical, through_bytes};

int main(int argc, char **argv) {
  int total = argc > 1 ? atoi(argv[1]) : 20000;
  state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  for (int v = 0; v < VECTORS; v++) start_again(v);
  for (int i = 0; i < total && check_failures == 0; i++) {
    calls[next(sizeof calls / sizeof *calls)]((int)next(VECTORS));
    if (check_failures > 0) fprintf(stderr, "at call %d\n", i);
  }
  for (int v = 0; v < VECTORS; v++) replace(v, NULL);
  return finish("sequences");
}
