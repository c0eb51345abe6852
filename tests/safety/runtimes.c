/*
 * runtimes.c - libdv beside another Go library in one process, loaded before it or after it: both work, on the same threads
 * and under load, and each recovers from its own faults.
 *
 *   runtimes LIBRARY OTHER [first]     first: the other library is loaded first
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "dv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_int failures;

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      failures++;                                                             \
    }                                                                         \
  } while (0)

#define FUNCTIONS(X) \
  X(dv_new)          \
  X(dv_free) X(dv_set) X(dv_cardinality) X(dv_source_memory) X(dv_source_free) X(dv_read_range) X(dv_live_handles)
#define POINTER(name) static __typeof__(&name) p_##name;
FUNCTIONS(POINTER)
static int (*other_work)(int);

static void *open_library(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  return library;
}

static void load_dv(const char *path) {
  void *library = open_library(path);
#define FIND(name) *(void **)&p_##name = dlsym(library, #name);
  FUNCTIONS(FIND)
}

static void load_other(const char *path) { *(void **)&other_work = dlsym(open_library(path), "other_work"); }

/* Reading what is no longer there fails, while the other runtime has handlers for the same signals. */
static void lost_mapping(void) {
  FILE *file = tmpfile();
  dv_source_t *source = NULL;
  dv_t *dv = NULL;
  CHECK(file != NULL && ftruncate(fileno(file), 8192) == 0);
  uint8_t *mapped = mmap(NULL, 8192, PROT_READ, MAP_SHARED, fileno(file), 0);
  CHECK(p_dv_source_memory(mapped, 8192, &source) == DV_OK);
  CHECK(ftruncate(fileno(file), 0) == 0);
  CHECK(p_dv_read_range(source, 4096, 4096, DV_UNKNOWN, &dv) == DV_IO);
  p_dv_source_free(source);
  munmap(mapped, 8192);
  fclose(file);
}

static time_t end_at;

static void *work(void *unused) {
  (void)unused;
  while (time(NULL) < end_at) {
    dv_t *dv = NULL;
    int64_t n = 0;
    CHECK(p_dv_new(&dv) == DV_OK);
    for (int i = 0; i < 300; i++) CHECK(p_dv_set(dv, i * 70000) == DV_OK);
    CHECK(p_dv_cardinality(dv, &n) == DV_OK && n == 300);
    p_dv_free(dv);
    CHECK(other_work(1000) == 1000);
    lost_mapping();
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[4];
  if (argc < 3) return 2;
  if (argc > 3) load_other(argv[2]);
  load_dv(argv[1]);
  if (argc == 3) load_other(argv[2]);
  CHECK(other_work(10) == 10);
  lost_mapping();
  end_at = time(NULL) + 2;
  for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, work, NULL) == 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  CHECK(p_dv_live_handles() == 0);
  if (failures == 0) printf("ok      runtimes%s\n", argc > 3 ? ", the other first" : "");
  return failures != 0;
}
