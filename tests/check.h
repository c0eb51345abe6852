/*
 * check.h - all that a test program needs: CHECK and its relatives say what failed, where, and what the library said,
 * and go on; finish() makes the exit status.
 */
#ifndef LIBDV_TEST_CHECK_H
#define LIBDV_TEST_CHECK_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dv.h"

static int check_failures;

#define CHECK(condition) check_that((condition), __FILE__, __LINE__, #condition)
#define CHECK_STATUS(expected, call) check_status((expected), (call), __FILE__, __LINE__, #call)
#define OK(call) CHECK_STATUS(DV_OK, call)
#define CHECK_INT(expected, value) check_int((int64_t)(expected), (int64_t)(value), __FILE__, __LINE__, #value)
#define CHECK_BYTES(expected, expected_size, data, size) \
  check_bytes((expected), (expected_size), (data), (size), __FILE__, __LINE__, #data)
/* The last error has this in it, and is one line. */
#define CHECK_ERROR(part) check_error((part), __FILE__, __LINE__)

static inline bool check_that(bool ok, const char *file, int line, const char *what) {
  if (!ok) {
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
    check_failures++;
  }
  return ok;
}

static inline bool check_status(dv_status expected, dv_status got, const char *file, int line, const char *what) {
  if (got != expected) {
    fprintf(stderr, "%s:%d: %s: %s, expected %s (%s)\n", file, line, what, dv_status_name(got),
            dv_status_name(expected), dv_last_error());
    check_failures++;
  }
  return got == expected;
}

static inline bool check_int(int64_t expected, int64_t got, const char *file, int line, const char *what) {
  if (got != expected) {
    fprintf(stderr, "%s:%d: %s is %" PRId64 ", expected %" PRId64 "\n", file, line, what, got, expected);
    check_failures++;
  }
  return got == expected;
}

static inline bool check_bytes(const void *expected, size_t expected_size, const void *data, size_t size,
                               const char *file, int line, const char *what) {
  bool same = size == expected_size && (size == 0 || memcmp(expected, data, size) == 0);
  if (!same) {
    fprintf(stderr, "%s:%d: %s: other bytes than expected (%zu, expected %zu)\n", file, line, what, size,
            expected_size);
    check_failures++;
  }
  return same;
}

static inline bool check_error(const char *part, const char *file, int line) {
  const char *text = dv_last_error();
  bool good = strstr(text, part) != NULL && strchr(text, '\n') == NULL;
  if (!good) {
    fprintf(stderr, "%s:%d: the error is \"%s\", expected a line with \"%s\"\n", file, line, text, part);
    check_failures++;
  }
  return good;
}

/* Ends main: every program leaves as many handles as it found. */
static inline int finish(const char *program) {
  CHECK_INT(0, dv_live_handles());
  if (check_failures == 0) printf("ok      %s\n", program);
  return check_failures == 0 ? 0 : 1;
}

#endif /* LIBDV_TEST_CHECK_H */
