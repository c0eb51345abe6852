/* test_library.c - versions, names, the error text of each thread, and memory that changes hands. */
#include <pthread.h>
#include <unistd.h>

#include "check.h"

static void test_versions(void) {
  CHECK_INT(DV_ABI_VERSION, dv_abi_version());
  CHECK(strcmp(DV_VERSION, dv_version()) == 0);
  int major = -1, minor = -1, patch = -1, end = 0;
  CHECK_INT(3, sscanf(dv_version(), "%d.%d.%d%n", &major, &minor, &patch, &end));
  CHECK_INT(strlen(dv_version()), end);
}

static void test_status_names(void) {
  static const char *const names[] = {
      "DV_OK", "DV_INVALID_ARGUMENT", "DV_CORRUPT", "DV_MISMATCH",  "DV_UNSUPPORTED", "DV_LIMIT",
      "DV_IO", "DV_TOO_SMALL",        "DV_STATE",   "DV_NO_MEMORY", "DV_FORKED",      "DV_INTERNAL"};
  for (int i = 0; i < 12; i++) CHECK(strcmp(names[i], dv_status_name(i)) == 0);
  const int32_t others[] = {-1, 12, 100, INT32_MIN, INT32_MAX};
  for (int i = 0; i < 5; i++) CHECK(strcmp("DV_UNKNOWN_STATUS", dv_status_name(others[i])) == 0);
}

static void *other_thread(void *unused) {
  (void)unused;
  CHECK(strcmp("", dv_last_error()) == 0); /* the other thread's failure is not ours */
  CHECK_STATUS(DV_CORRUPT, dv_deserialize((const uint8_t *)"12345678", 8, DV_UNKNOWN, &(dv_t *){NULL}));
  CHECK(strlen(dv_last_error()) > 0);
  return NULL;
}

static void test_error_text(void) {
  CHECK(strcmp("", dv_last_error()) == 0);
  dv_t *dv = NULL;
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_set(NULL, 1));
  CHECK_ERROR("dv_set: dv is NULL");
  OK(dv_new(&dv));
  CHECK_ERROR("dv_set: dv is NULL"); /* a success leaves the text alone */
  pthread_t thread;
  CHECK_INT(0, pthread_create(&thread, NULL, other_thread, NULL));
  pthread_join(thread, NULL);
  CHECK_ERROR("dv_set: dv is NULL");
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_set(dv, -5));
  CHECK_ERROR("-5");
  dv_free(dv);
}

/* A name from outside stays one line of bounded length, whatever is in it. */
static void test_error_text_of_hostile_names(void) {
  dv_source_t *source = NULL;
  char path[9000];
  memset(path, 'x', sizeof path - 1);
  path[sizeof path - 1] = '\0';
  path[0] = '/', path[4] = '\n', path[6] = '\r', path[8] = '\x1b', path[10] = '\xff';
  CHECK_STATUS(DV_IO, dv_source_path(path, &source));
  CHECK_ERROR("");
  size_t length = strlen(dv_last_error());
  CHECK(length > 10 && length < 4700);
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)dv_last_error()[i];
    CHECK(c >= 0x20 && c < 0x7f);
  }
  CHECK(source == NULL);
}

/* A failure leaves everything that it would have filled. */
static void test_outputs_untouched(void) {
  dv_t *marker = (dv_t *)(uintptr_t)0x1234, *out = marker;
  dv_bytes bytes = {(uint8_t *)(uintptr_t)0x99, 77};
  CHECK_STATUS(DV_CORRUPT, dv_deserialize(NULL, 0, DV_UNKNOWN, &out));
  CHECK_STATUS(DV_CORRUPT, dv_view((const uint8_t *)"", 0, DV_UNKNOWN, &out));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_copy(NULL, &out));
  CHECK(out == marker);
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_serialize(NULL, &bytes));
  CHECK(bytes.size == 77 && bytes.data == (uint8_t *)(uintptr_t)0x99);
}

static void test_bytes_free(void) {
  dv_bytes bytes = {NULL, 0};
  dv_bytes_free(NULL);
  dv_bytes_free(&bytes);
  dv_t *dv = NULL;
  OK(dv_new(&dv));
  OK(dv_serialize(dv, &bytes));
  CHECK_INT(0, bytes.data[bytes.size]);
  dv_bytes_free(&bytes);
  CHECK(bytes.data == NULL && bytes.size == 0);
  dv_bytes_free(&bytes);
  dv_free(dv);
}

static void test_live_handles(void) {
  dv_t *a = NULL, *b = NULL;
  dv_source_t *source = NULL;
  CHECK_INT(0, dv_live_handles());
  OK(dv_new(&a));
  OK(dv_copy(a, &b));
  OK(dv_source_memory(NULL, 0, &source));
  CHECK_INT(3, dv_live_handles());
  dv_free(a);
  dv_free(a); /* again: nothing */
  CHECK_INT(2, dv_live_handles());
  dv_source_free(source);
  dv_free(b);
  dv_free(NULL);
  CHECK_INT(0, dv_live_handles());
}

int main(void) {
  test_error_text();
  test_versions();
  test_status_names();
  test_error_text_of_hostile_names();
  test_outputs_untouched();
  test_bytes_free();
  test_live_handles();
  return finish("library");
}
