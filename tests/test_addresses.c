/* test_addresses.c - pointers that are no addresses: a caller's context that is a number, what an empty array of another
 * language points at, handles out of thin air. Each in a thread of its own: the first call of a thread lets Go's stack
 * grow, and Go ends the process where it then finds such a pointer on it. */
#include "check.h"

#include <pthread.h>

#define NUMBER ((void *)(uintptr_t)7)

/* Calls out of a callback that make Go collect its memory, and with it move the stack that the outer call is on. */
static void collect(void) {
  for (int i = 0; i < 4; i++) {
    dv_t *dv = NULL;
    dv_bytes bytes = {0};
    OK(dv_new(&dv));
    OK(dv_set_range(dv, 1, INT64_C(1) << 34));
    OK(dv_serialize(dv, &bytes));
    dv_bytes_free(&bytes);
    dv_free(dv);
  }
}

static int64_t read_at(void *context, int64_t offset, uint8_t *buffer, size_t size) {
  (void)offset;
  CHECK(context == NUMBER);
  memset(buffer, 0, size);
  collect();
  return (int64_t)size;
}

static int32_t take(void *context, const uint8_t *data, size_t size) {
  (void)data;
  (void)size;
  CHECK(context == NUMBER);
  collect();
  return 0;
}

static int32_t end(void *context, bool success) {
  (void)success;
  CHECK(context == NUMBER);
  return 0;
}

static void *number_as_source_context(void *unused) {
  dv_source_t *source = NULL;
  dv_t *dv = NULL;
  OK(dv_source_callbacks(NUMBER, 100, read_at, &source));
  CHECK_STATUS(DV_CORRUPT, dv_read_range(source, 0, 100, DV_UNKNOWN, &dv));
  dv_source_free(source);
  return unused;
}

static void *number_as_sink_context(void *unused) {
  dv_sink_t *sink = NULL;
  dv_writer_t *writer = NULL;
  dv_bytes entries = {0};
  OK(dv_sink_callbacks(NUMBER, take, end, &sink));
  OK(dv_writer_new(NULL, &writer));
  OK(dv_writer_add(writer, "a", (int64_t[]){1}, 1, 0, NULL));
  OK(dv_writer_flush(writer, sink, "x", &entries));
  dv_bytes_free(&entries);
  dv_sink_free(sink);
  dv_writer_free(writer);
  return unused;
}

static void *empty_arrays(void *unused) {
  dv_t *dv = NULL;
  size_t count = 1;
  OK(dv_new(&dv));
  OK(dv_set_many(dv, (int64_t *)(uintptr_t)8, 0));
  OK(dv_contains_many(dv, (int64_t *)(uintptr_t)8, 0, (uint8_t *)(uintptr_t)1));
  OK(dv_positions(dv, 0, INT64_MAX, (int64_t *)(uintptr_t)8, 0, &count));
  OK(dv_keep_mask(dv, 0, 0, (uint8_t *)(uintptr_t)1, 0));
  dv_t *none = NULL;
  CHECK_STATUS(DV_CORRUPT, dv_deserialize((uint8_t *)(uintptr_t)1, 0, DV_UNKNOWN, &none));
  dv_free(dv);
  return unused;
}

static void *handles_out_of_thin_air(void *unused) {
  int64_t n = -7;
  dv_t *dv = NULL;
  OK(dv_new(&dv));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_cardinality((dv_t *)NUMBER, &n));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_or(dv, (dv_t *)NUMBER));
  CHECK(n == -7);
  dv_free((dv_t *)NUMBER);
  dv_free(dv);
  return unused;
}

int main(void) {
  void *(*const parts[])(void *) = {number_as_source_context, number_as_sink_context, empty_arrays,
                                    handles_out_of_thin_air};
  for (int round = 0; round < 3; round++) {
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
      pthread_t thread;
      CHECK(pthread_create(&thread, NULL, parts[i], NULL) == 0);
      CHECK(pthread_join(thread, NULL) == 0);
    }
  }
  return finish("addresses");
}
