/*
 * handles.c - random calls, on live handles, freed ones, ones of a wrong kind, with sensible and absurd
 * arguments, also out of callbacks. Whatever the order: no call ends in DV_INTERNAL, a handle that is none is refused, the
 * library counts the handles as this program does, and what a vector says of itself agrees.
 *
 *   handles SECONDS [SEED]     the seed that it prints on failure runs the same sequence again
 */
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "puffin_file.h"

/* ------------------------------------------------------------------- random */

static uint64_t state, seed;

static uint64_t next_random(void) { /* SplitMix64 */
  uint64_t z = (state += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

static size_t below(size_t n) { return next_random() % n; }
static bool chance(int in) { return below((size_t)in) == 0; }

/* Positions that share containers, cross their borders and reach both ends, and now and then none at all. */
static int64_t a_position(void) {
  switch (below(12)) {
    case 0:
      return (int64_t)next_random(); /* half of them negative */
    case 1:
      return DV_MAX_POSITION - (int64_t)below(3) + 1;
    case 2:
      return ((int64_t)below(4) << 32) + (int64_t)below(70000);
    case 3:
      return (int64_t)(65536 * below(4)) - 1 + (int64_t)below(3);
    default:
      return (int64_t)below(200000);
  }
}

static int64_t a_length(void) { return chance(20) ? (int64_t)next_random() : (int64_t)below(chance(4) ? 150000 : 100); }

/* ------------------------------------------------------------------ handles */

enum { VECTOR, SOURCE, SINK, PUFFIN, WRITER, DELTA, MUMBLING, KINDS };

enum { SLOTS = 48 };
static struct {
  void *handle;
  int kind;
  bool freed;
} slots[SLOTS];

static dv_bytes file, blob, delta_file, mumbling_bytes; /* what is lent to the library, for good */
static int64_t live;                                    /* handles that this program has not freed */
static int depth;                                       /* callbacks under way */
static bool over;                                       /* callbacks make no calls any more */
static const char *last_call;

/* A handle to try as one of a kind: mostly a live one of that kind. right says whether it is one. */
static void *a_handle(int kind, bool *right) {
  for (int tries = 0; tries < 12; tries++) {
    size_t i = below(SLOTS);
    if (slots[i].handle == NULL || (slots[i].kind != kind && !chance(40))) continue;
    if (slots[i].freed && !chance(8)) continue;
    *right = *right && slots[i].kind == kind && !slots[i].freed;
    return slots[i].handle;
  }
  *right = false;
  static uint64_t none[8];
  return chance(2) ? NULL : none;
}

static void complain(const char *what, dv_status status) {
  fprintf(stderr, "handles: seed %" PRIu64 ": %s: %s: %s (%s)\n", seed, last_call, what, dv_status_name(status),
          dv_last_error());
  check_failures++;
}

/* Judges a status. right: every handle was what the call wants. */
static bool judge(dv_status status, bool right) {
  if (status < DV_OK || status >= DV_NO_MEMORY) complain("not a status of any sequence", status);
  /* Which of two faults is told is not promised: an object whose source or sink is gone is DV_STATE, and so is, in a
   * callback, a handle that the outer call uses. */
  if (!right && status != DV_INVALID_ARGUMENT && status != DV_STATE) complain("no handle", status);
  return status == DV_OK;
}

/* Keeps a new handle; a slot that is live still is freed first. */
static void keep(int kind, void *handle);

static void free_as(int kind, void *handle) {
  switch (kind) {
    case VECTOR:
      dv_free(handle);
      break;
    case SOURCE:
      dv_source_free(handle);
      break;
    case SINK:
      dv_sink_free(handle);
      break;
    case PUFFIN:
      dv_puffin_free(handle);
      break;
    case WRITER:
      dv_writer_free(handle);
      break;
    case DELTA:
      dv_delta_writer_free(handle);
      break;
    default:
      mumbling_free(handle);
  }
}

static void free_slot(size_t i) {
  if (slots[i].handle == NULL) return;
  if (!slots[i].freed) live--;
  slots[i].freed = true;
  free_as(slots[i].kind, slots[i].handle);
}

static void keep(int kind, void *handle) {
  size_t i = below(SLOTS);
  while (slots[i].handle != NULL && !slots[i].freed) free_slot(i); /* its callback may have put another there */
  slots[i].handle = handle;
  slots[i].kind = kind;
  slots[i].freed = false;
  live++;
}

/* ---------------------------------------------------------------- callbacks */

static void step(void);

/* What a callback does beside its work: now and then, a call of its own. */
static void wander(void) {
  depth++;
  if (depth < 3 && !over && chance(3)) step();
  depth--;
}

static int64_t on_read(void *context, int64_t offset, uint8_t *buffer, size_t size) {
  const dv_bytes *bytes = context;
  wander();
  switch (below(30)) {
    case 0:
      return -(int64_t)below(1000) - 1;
    case 1:
      return 0;
    case 2:
      return (int64_t)size + 1;
    case 3:
      return INT64_MIN;
  }
  size_t some = chance(3) ? 1 + below(size) : size;
  memcpy(buffer, bytes->data + offset, some);
  return (int64_t)some;
}

static int32_t on_write(void *context, const uint8_t *data, size_t size) {
  (void)context;
  static volatile uint8_t seen;
  for (size_t i = 0; i < size; i++) seen ^= data[i]; /* all of it is there */
  wander();
  return chance(20) ? (int32_t)below(100) : 0;
}

static int32_t on_finish(void *context, bool success) {
  (void)context, (void)success;
  wander();
  return chance(10);
}

/* -------------------------------------------------------------------- calls */

static int64_t numbers[300];
static uint8_t buffer[20000];
static uint32_t indices[2000];
static int32_t small_numbers[2000];

static size_t fill_numbers(void) {
  size_t count = below(chance(4) ? 300 : 8);
  int64_t at = (int64_t)below(100000);
  bool ascending = chance(2);
  for (size_t i = 0; i < count; i++) numbers[i] = ascending ? (at += (int64_t)below(40)) : a_position();
  return count;
}

/* A second vector, which may be none at all where that is a no-op. */
static dv_t *another_vector(bool *right, bool may_be_null) {
  bool is = true;
  dv_t *other = a_handle(VECTOR, &is);
  *right = *right && (is || (may_be_null && other == NULL));
  return other;
}

static void change_vector(void) {
  bool right = true;
  dv_t *dv = a_handle(VECTOR, &right), *other;
  switch (below(9)) {
    case 0:
      last_call = "dv_set_many", judge(dv_set_many(dv, numbers, fill_numbers()), right);
      break;
    case 1: {
      int64_t start = a_position();
      last_call = "dv_set_range", judge(dv_set_range(dv, start, start + (int64_t)below(200000)), right);
      break;
    }
    case 2:
      other = another_vector(&right, true);
      last_call = "dv_or", judge(dv_or(dv, other), right);
      break;
    case 3:
      other = another_vector(&right, true);
      last_call = "dv_andnot", judge(dv_andnot(dv, other), right);
      break;
    case 4:
      last_call = "dv_run_length_encode", judge(dv_run_length_encode(dv), right);
      break;
    default:
      last_call = "dv_set", judge(dv_set(dv, a_position()), right);
  }
}

/* What a vector says of itself agrees; it is nobody else's at depth 0. */
static void check_vector(dv_t *dv) {
  int64_t cardinality = -1, counted = -1;
  dv_bytes bytes = {NULL, 0};
  dv_t *again = NULL;
  bool same = false;
  OK(dv_cardinality(dv, &cardinality));
  OK(dv_count(dv, 0, INT64_MAX, &counted));
  CHECK_INT(cardinality, counted);
  OK(dv_serialize(dv, &bytes));
  OK(dv_deserialize(bytes.data, bytes.size, cardinality, &again));
  OK(dv_equals(dv, again, &same));
  CHECK(same);
  dv_bytes_free(&bytes);
  dv_free(again);
}

static void read_vector(void) {
  bool right = true, flag = false;
  dv_t *dv = a_handle(VECTOR, &right), *other;
  int64_t n = 0, start = a_position(), length = a_length();
  size_t count = 0, room = below(sizeof buffer + 1);
  dv_bytes bytes = {NULL, 0};
  int32_t size = 0;
  switch (below(17)) {
    case 0:
      last_call = "dv_contains", judge(dv_contains(dv, start, &flag), right);
      break;
    case 1:
      count = fill_numbers();
      last_call = "dv_contains_many", judge(dv_contains_many(dv, numbers, count, buffer), right);
      break;
    case 2:
      last_call = "dv_cardinality", judge(dv_cardinality(dv, &n), right);
      break;
    case 3:
      last_call = "dv_count", judge(dv_count(dv, start, a_position(), &n), right);
      break;
    case 4:
      last_call = "dv_is_empty", judge(dv_is_empty(dv, &flag), right);
      break;
    case 5:
      other = another_vector(&right, false);
      last_call = "dv_equals", judge(dv_equals(dv, other, &flag), right);
      break;
    case 6:
      last_call = "dv_positions", judge(dv_positions(dv, start, a_position(), numbers, below(300), &count), right);
      break;
    case 7:
      last_call = "dv_keep_mask", judge(dv_keep_mask(dv, start, length, buffer, room), right);
      break;
    case 8:
      last_call = "dv_delete_mask", judge(dv_delete_mask(dv, start, length, buffer, room), right);
      break;
    case 9:
      last_call = "dv_keep_bytes", judge(dv_keep_bytes(dv, start, length, buffer, room), right);
      break;
    case 10:
      last_call = "dv_keep_indices", judge(dv_keep_indices(dv, start, length, indices, below(2001), &count), right);
      break;
    case 11:
      last_call = "dv_serialize", judge(dv_serialize(dv, &bytes), right);
      break;
    case 12:
      last_call = "dv_serialize_bitmap", judge(dv_serialize_bitmap(dv, &bytes), right);
      break;
    case 13:
      last_call = "dv_delta_inline_encode", judge(dv_delta_inline_encode(dv, &bytes, &size), right);
      break;
    case 14:
      last_call = "dv_delta_descriptor_inline", judge(dv_delta_descriptor_inline(dv, &bytes), right);
      break;
    case 15:
      last_call = "mumbling_from_dv", judge(mumbling_from_dv(dv, &bytes), right);
      break;
    default:
      last_call = "check_vector";
      if (right && depth == 0) check_vector(dv);
  }
  dv_bytes_free(&bytes);
}

static void make_vector(void) {
  bool right = true;
  dv_t *made = NULL;
  dv_bytes bytes = {NULL, 0};
  dv_status status;
  switch (below(6)) {
    case 0:
      last_call = "dv_copy", status = dv_copy(a_handle(VECTOR, &right), &made);
      break;
    case 1:
      last_call = "dv_view", status = dv_view(blob.data, blob.size, DV_UNKNOWN, &made);
      break;
    case 2:
      last_call = "dv_deserialize", status = dv_deserialize(blob.data, blob.size - below(2), DV_UNKNOWN, &made);
      break;
    case 3:
      last_call = "mumbling_to_dv", status = mumbling_to_dv(a_handle(MUMBLING, &right), &made);
      break;
    case 4:
      last_call = "dv_blob_from_positions", status = dv_blob_from_positions(numbers, fill_numbers(), &bytes);
      if (status == DV_OK) OK(dv_deserialize(bytes.data, bytes.size, DV_UNKNOWN, &made));
      dv_bytes_free(&bytes);
      break;
    default:
      last_call = "dv_new", status = dv_new(&made);
  }
  if (judge(status, right)) keep(VECTOR, made);
}

static void make_source(void) {
  dv_source_t *made = NULL;
  dv_bytes *bytes = chance(2) ? &file : &delta_file;
  if (chance(2)) {
    last_call = "dv_source_callbacks";
    if (judge(dv_source_callbacks(bytes, (int64_t)bytes->size, on_read, &made), true)) keep(SOURCE, made);
  } else {
    last_call = "dv_source_memory";
    if (judge(dv_source_memory(bytes->data, bytes->size, &made), true)) keep(SOURCE, made);
  }
}

static void read_source(void) {
  bool right = true;
  dv_source_t *source = a_handle(SOURCE, &right);
  int64_t length = file.data[7] + 8;
  dv_t *made = NULL;
  dv_puffin_t *puffin = NULL;
  dv_status status;
  switch (below(5)) {
    case 0:
      last_call = "dv_puffin_open";
      if (judge(dv_puffin_open(source, &puffin), right)) keep(PUFFIN, puffin);
      return;
    case 1:
      last_call = "dv_read_range", status = dv_read_range(source, 4, length, chance(2) ? 2 : a_length(), &made);
      break;
    case 2:
      last_call = "dv_read", status = dv_read(source, 4, length, 2, chance(4) ? "b" : "a", &made, NULL);
      break;
    case 3:
      last_call = "dv_delta_read",
      status = dv_delta_read(source, chance(4) ? (int32_t)below(9) : DV_UNKNOWN, DV_UNKNOWN, DV_UNKNOWN, &made);
      break;
    default:
      last_call = "dv_delta_descriptor_read";
      status = dv_delta_descriptor_read(source,
                                        "{\"storageType\":\"r\",\"pathOrInlineDv\":\"x\",\"offset\":1,\"sizeInBytes\":"
                                        "34,\"cardinality\":1}",
                                        &made);
  }
  if (judge(status, right)) keep(VECTOR, made);
}

static void read_puffin(void) {
  bool right = true;
  dv_puffin_t *puffin = a_handle(PUFFIN, &right);
  const dv_puffin_blob *at = NULL;
  dv_bytes json = {NULL, 0};
  dv_t *made = NULL;
  size_t count = 0, blobs[2] = {below(3), below(2)};
  switch (below(6)) {
    case 0:
      last_call = "dv_puffin_count", judge(dv_puffin_count(puffin, &count), right);
      break;
    case 1:
      last_call = "dv_puffin_blob_at";
      if (judge(dv_puffin_blob_at(puffin, below(4), &at), right) && depth == 0) CHECK(at->type[0] == 'd');
      break;
    case 2:
      last_call = "dv_puffin_footer_json", judge(dv_puffin_footer_json(puffin, &json), right);
      dv_bytes_free(&json);
      break;
    case 3:
      last_call = "dv_puffin_read";
      if (judge(dv_puffin_read(puffin, below(3), &made), right)) keep(VECTOR, made);
      break;
    case 4: /* callbacks may change numbers and buffer meanwhile */
      last_call = "dv_puffin_keep_masks", numbers[0] = a_length(), numbers[1] = a_length();
      judge(dv_puffin_keep_masks(puffin, chance(2) ? blobs : NULL, numbers, below(3), buffer, below(sizeof buffer)),
            right);
      break;
    default:
      last_call = "dv_puffin_read_entry";
      if (judge(dv_puffin_read_entry(puffin, 4, file.data[7] + 8, 2, "a", &made, NULL), right)) keep(VECTOR, made);
  }
}

static void use_mumbling(void) {
  bool right = true, flag = false;
  mumbling_t *bitmap = a_handle(MUMBLING, &right);
  int32_t n = 0;
  size_t count = 0;
  const uint8_t *data = NULL;
  switch (below(8)) {
    case 0:
      last_call = "mumbling_validate", judge(mumbling_validate(bitmap), right);
      break;
    case 1:
      last_call = "mumbling_cardinality", judge(mumbling_cardinality(bitmap, &n), right);
      break;
    case 2:
      last_call = "mumbling_is_set", judge(mumbling_is_set(bitmap, (int32_t)a_position(), &flag), right);
      break;
    case 3:
      last_call = "mumbling_positions";
      judge(mumbling_positions(bitmap, small_numbers, below(2001), &count), right);
      break;
    case 4:
      last_call = "mumbling_keep_mask";
      judge(mumbling_keep_mask(bitmap, (int32_t)a_position(), (int32_t)a_length(), buffer, below(sizeof buffer)),
            right);
      break;
    case 5:
      last_call = "mumbling_buffer";
      if (judge(mumbling_buffer(bitmap, &data, &count), right) && depth == 0) {
        CHECK_BYTES(mumbling_bytes.data, mumbling_bytes.size, data, count);
      }
      break;
    default:
      last_call = "mumbling_read";
      mumbling_t *made = NULL;
      if (judge(mumbling_read(mumbling_bytes.data, mumbling_bytes.size, &made), true)) keep(MUMBLING, made);
  }
}

static void use_sink(void) {
  bool right = true;
  dv_sink_t *made = NULL, *sink;
  dv_bytes bytes = {NULL, 0};
  switch (below(4)) {
    case 0:
      last_call = "dv_sink_memory";
      if (judge(dv_sink_memory(&made), true)) keep(SINK, made);
      break;
    case 1:
      last_call = "dv_sink_callbacks";
      if (judge(dv_sink_callbacks(NULL, on_write, on_finish, &made), true)) keep(SINK, made);
      break;
    default:
      sink = a_handle(SINK, &right);
      last_call = "dv_sink_take", judge(dv_sink_take(sink, &bytes), right);
  }
  dv_bytes_free(&bytes);
}

static void use_writer(void) {
  bool right = true;
  dv_writer_t *writer = NULL;
  dv_bytes entries = {NULL, 0};
  const char *names[] = {"a", "b", "", "\xff"};
  const char *name = names[below(chance(8) ? 4 : 2)];
  switch (below(5)) {
    case 0:
      last_call = "dv_writer_new";
      if (judge(dv_writer_new(NULL, &writer), true)) keep(WRITER, writer);
      return;
    case 1:
      writer = a_handle(WRITER, &right);
      dv_sink_t *sink = a_handle(SINK, &right);
      last_call = "dv_writer_flush", judge(dv_writer_flush(writer, sink, "x", &entries), right);
      dv_bytes_free(&entries);
      return;
    case 2:
      writer = a_handle(WRITER, &right);
      dv_t *dv = a_handle(VECTOR, &right);
      last_call = "dv_writer_load", judge(dv_writer_load(writer, name, dv, (int32_t)below(2), NULL), right);
      return;
    default:
      writer = a_handle(WRITER, &right);
      size_t count = fill_numbers();
      last_call = "dv_writer_add", judge(dv_writer_add(writer, name, numbers, count, 0, NULL), right);
  }
}

static void use_delta_writer(void) {
  bool right = true;
  dv_delta_writer_t *writer = NULL;
  dv_delta_result at;
  switch (below(4)) {
    case 0: {
      dv_sink_t *sink = a_handle(SINK, &right);
      last_call = "dv_delta_writer_new";
      if (judge(dv_delta_writer_new(sink, &writer), right)) keep(DELTA, writer);
      return;
    }
    case 1:
      writer = a_handle(DELTA, &right);
      last_call = "dv_delta_writer_finalize", judge(dv_delta_writer_finalize(writer), right);
      return;
    default:
      writer = a_handle(DELTA, &right);
      dv_t *dv = a_handle(VECTOR, &right);
      last_call = "dv_delta_writer_write", judge(dv_delta_writer_write(writer, dv, &at), right);
  }
}

/* Frees: as what it is, as what it is not, a second time. */
static void free_something(void) {
  size_t i = below(SLOTS);
  if (slots[i].handle == NULL) return;
  last_call = "free";
  if (chance(3)) {
    int other = (int)below(KINDS);
    if (other != slots[i].kind) free_as(other, slots[i].handle);
  } else {
    free_slot(i);
  }
}

static void step(void) {
  static void (*const steps[])(void) = {
      change_vector, change_vector, read_vector,      read_vector,    make_vector,
      make_source,   read_source,   read_source,      read_puffin,    use_mumbling,
      use_sink,      use_writer,    use_delta_writer, free_something, free_something,
  };
  steps[below(sizeof steps / sizeof steps[0])]();
}

/* ------------------------------------------------------------------- inputs */

static void make_inputs(void) {
  dv_t *dv = NULL;
  dv_sink_t *sink = NULL;
  dv_delta_writer_t *writer = NULL;
  dv_delta_result at;
  file = puffin_file();
  OK(dv_new(&dv));
  OK(dv_set_many(dv, (int64_t[]){1, 300, 70000}, 3));
  OK(dv_set_range(dv, 100, 200));
  OK(dv_serialize(dv, &blob));
  OK(mumbling_from_dv(dv, &mumbling_bytes));
  OK(dv_sink_memory(&sink));
  OK(dv_delta_writer_new(sink, &writer));
  OK(dv_delta_writer_write(writer, dv, &at));
  OK(dv_delta_writer_finalize(writer));
  OK(dv_sink_take(sink, &delta_file));
  dv_delta_writer_free(writer);
  dv_sink_free(sink);
  dv_free(dv);
}

int main(int argc, char **argv) {
  time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 2);
  state = seed = argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64_t)time(NULL) * 1000003 + (uint64_t)getpid();
  make_inputs();
  uint64_t steps = 0;
  while (check_failures == 0 && (steps % 256 != 0 || time(NULL) < end)) {
    if (steps++ % 1024 == 0) alarm(60); /* a deadlock ends the test */
    step();
    if (live != dv_live_handles()) {
      fprintf(stderr, "handles: seed %" PRIu64 ", step %" PRIu64 ": %s: %" PRId64 " handles, expected %" PRId64 "\n",
              seed, steps, last_call, dv_live_handles(), live);
      check_failures++;
    }
  }
  if (check_failures != 0) fprintf(stderr, "handles: seed %" PRIu64 ", after %" PRIu64 " steps\n", seed, steps);
  over = true;
  for (size_t i = 0; i < SLOTS; i++) free_slot(i);
  dv_bytes_free(&file), dv_bytes_free(&blob), dv_bytes_free(&delta_file), dv_bytes_free(&mumbling_bytes);
  if (check_failures == 0) printf("        %" PRIu64 " calls\n", steps);
  return finish("handles");
}
