/* test_threads.c - eight threads on the same handles: right results where the contract promises them, and no harm where
 * not.
 *
 * usage: test_threads [seconds] of each stress, 1 unless given
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "puffin_file.h"

enum { THREADS = 8 };

static void run(void *(*body)(void *), void *argument) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) CHECK_INT(0, pthread_create(&threads[i], NULL, body, argument));
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

/* ------------------------------------------------------------ right results */

static dv_t *shared_vector;
static atomic_int turn;

static void *add_a_share(void *unused) {
  (void)unused;
  int share = atomic_fetch_add(&turn, 1);
  int64_t list[500];
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < 500; i++) list[i] = ((int64_t)(round * 500 + i) * THREADS + share) * 3;
    OK(dv_set_many(shared_vector, list, 500));
    bool in = false;
    OK(dv_contains(shared_vector, list[17], &in));
    CHECK(in);
  }
  return NULL;
}

static void test_changes_exclude_each_other(void) {
  OK(dv_new(&shared_vector));
  run(add_a_share, NULL);
  int64_t n = 0;
  OK(dv_cardinality(shared_vector, &n));
  CHECK_INT(20 * 500 * THREADS, n);
  OK(dv_count(shared_vector, 0, 3000, &n));
  CHECK_INT(1000, n);
  dv_free(shared_vector);
}

static void *read_file(void *puffin) {
  for (int i = 0; i < 300; i++) {
    dv_t *dv = NULL;
    int64_t n = 0;
    OK(dv_puffin_read(puffin, (size_t)i % 2, &dv));
    OK(dv_cardinality(dv, &n));
    CHECK_INT(i % 2 == 0 ? 2 : 1, n);
    dv_free(dv);
    uint8_t masks[128];
    OK(dv_puffin_keep_masks(puffin, (size_t[]){(size_t)i % 2, 1}, (int64_t[]){8, 8}, 2, masks, sizeof masks));
    CHECK_INT(i % 2 == 0 ? 0xFD : 0xDF, masks[0]);
    CHECK_INT(0xDF, masks[64]);
    dv_bytes blob = {NULL, 0};
    OK(dv_blob_from_positions((int64_t[]){i, 5}, 2, &blob));
    OK(dv_deserialize(blob.data, blob.size, i == 5 ? 1 : 2, &dv));
    dv_bytes_free(&blob);
    dv_free(dv);
  }
  return NULL;
}

static void test_readers_share_a_source(void) {
  dv_bytes file = puffin_file();
  dv_source_t *source = NULL;
  dv_puffin_t *puffin = NULL;
  OK(dv_source_callbacks(&file, (int64_t)file.size, read_bytes, &source));
  OK(dv_puffin_open(source, &puffin));
  run(read_file, puffin);
  dv_puffin_free(puffin);
  dv_source_free(source);
  dv_bytes_free(&file);
}

/* Two handles per call, in either order, by many threads: a wrong lock order would hang here. */
static void *merge_both_ways(void *pair) {
  dv_t **v = pair;
  int mine = atomic_fetch_add(&turn, 1) % 2;
  for (int i = 0; i < 2000; i++) {
    bool same = false;
    OK(dv_or(v[mine], v[!mine]));
    OK(dv_equals(v[!mine], v[mine], &same));
    OK(dv_or(v[mine], v[mine]));
  }
  return NULL;
}

static void test_lock_order(void) {
  dv_t *pair[2] = {NULL, NULL};
  OK(dv_new(&pair[0]));
  OK(dv_new(&pair[1]));
  OK(dv_set(pair[0], 1));
  OK(dv_set(pair[1], 100000));
  run(merge_both_ways, pair);
  for (int i = 0; i < 2; i++) {
    int64_t n = 0;
    OK(dv_cardinality(pair[i], &n));
    CHECK_INT(2, n);
    dv_free(pair[i]);
  }
}

/* -------------------------------------------------- free waits for the calls */

static atomic_int in_callback, freed;

static int64_t slow_read(void *context, int64_t offset, uint8_t *buffer, size_t size) {
  atomic_store(&in_callback, 1);
  for (int i = 0; i < 50; i++) {
    usleep(1000);
    CHECK(!atomic_load(&freed));
  }
  return read_bytes(context, offset, buffer, size);
}

static void *free_while_read(void *source) {
  while (!atomic_load(&in_callback)) sched_yield();
  dv_source_free(source);
  atomic_store(&freed, 1);
  return NULL;
}

static void test_free_waits(void) {
  dv_bytes file = puffin_file();
  dv_source_t *source = NULL;
  dv_puffin_t *puffin = NULL;
  pthread_t thread;
  OK(dv_source_callbacks(&file, (int64_t)file.size, slow_read, &source));
  CHECK_INT(0, pthread_create(&thread, NULL, free_while_read, source));
  OK(dv_puffin_open(source, &puffin));
  pthread_join(thread, NULL);
  CHECK(atomic_load(&freed));
  dv_t *dv = NULL;
  CHECK_STATUS(DV_STATE, dv_puffin_read(puffin, 0, &dv));
  dv_puffin_free(puffin);
  dv_bytes_free(&file);
}

/* ------------------------------------------------------------------- stress */

enum { SLOTS = 4 };
static _Atomic(dv_t *) slots[SLOTS];
static _Atomic(dv_source_t *) source_slot;
static dv_bytes stress_file;
static time_t end_at;

static void allow(dv_status status) { CHECK(status == DV_OK || status == DV_INVALID_ARGUMENT || status == DV_STATE); }

/* Uses, changes and frees whatever handle is in a slot, however stale. */
static void *use_and_free(void *unused) {
  (void)unused;
  unsigned random = (unsigned)atomic_fetch_add(&turn, 1) * 7919 + 1;
  uint8_t mask[128];
  int64_t n = 0, list[64];
  while (time(NULL) < end_at) {
    for (int i = 0; i < 200; i++) {
      random = random * 1664525 + 1013904223;
      int slot = random >> 9 & (SLOTS - 1);
      dv_t *dv = atomic_load(&slots[slot]), *other = atomic_load(&slots[(slot + 1) % SLOTS]), *made = NULL;
      dv_source_t *source = atomic_load(&source_slot);
      dv_puffin_t *puffin = NULL;
      dv_bytes bytes = {NULL, 0};
      size_t count = 0;
      switch (random >> 20 & 15) {
        case 0:
          if (dv_new(&made) == DV_OK) dv_free(atomic_exchange(&slots[slot], made));
          break;
        case 1:
          if (dv_copy(dv, &made) == DV_OK) dv_free(atomic_exchange(&slots[slot], made));
          break;
        case 2:
          dv_free(dv); /* and it stays in the slot */
          break;
        case 3:
          if (dv_read(source, 4, stress_file.data[7] + 8, 2, "a", &made, NULL) == DV_OK) {
            dv_free(atomic_exchange(&slots[slot], made));
          }
          break;
        case 4:
          dv_source_free(source);
          dv_source_t *next = NULL;
          OK(dv_source_memory(stress_file.data, stress_file.size, &next));
          dv_source_free(atomic_exchange(&source_slot, next));
          break;
        case 5:
          allow(dv_serialize(dv, &bytes));
          dv_bytes_free(&bytes);
          break;
        case 6:
          allow(dv_or(dv, other));
          break;
        case 7:
          allow(dv_andnot(dv, other));
          break;
        case 8:
          allow(dv_keep_mask(dv, 0, 1000, mask, sizeof mask));
          break;
        case 9:
          allow(dv_positions(dv, 0, INT64_MAX, list, 64, &count));
          break;
        case 10:
          allow(dv_cardinality(dv, &n));
          break;
        case 11:
          if (dv_puffin_open(source, &puffin) == DV_OK) {
            allow(dv_puffin_keep_masks(puffin, NULL, (int64_t[]){500, 9}, 2, mask, sizeof mask));
            dv_puffin_free(puffin);
          }
          break;
        default:
          allow(dv_set(dv, random >> 8 & 0xFFFFF));
      }
    }
  }
  return NULL;
}

static void test_stress(int seconds) {
  stress_file = puffin_file();
  dv_source_t *source = NULL;
  OK(dv_source_memory(stress_file.data, stress_file.size, &source));
  atomic_store(&source_slot, source);
  for (int i = 0; i < SLOTS; i++) {
    dv_t *dv = NULL;
    OK(dv_new(&dv));
    atomic_store(&slots[i], dv);
  }
  end_at = time(NULL) + seconds + 1;
  run(use_and_free, NULL);
  for (int i = 0; i < SLOTS; i++) dv_free(atomic_load(&slots[i]));
  dv_source_free(atomic_load(&source_slot));
  dv_bytes_free(&stress_file);
}

int main(int argc, char **argv) {
  test_changes_exclude_each_other();
  test_readers_share_a_source();
  test_lock_order();
  test_free_waits();
  test_stress(argc > 1 ? atoi(argv[1]) : 1);
  return finish("threads");
}
