/*
 * read.c - the demo's read in C: the vector of a manifest entry, and the mask of the rows that it keeps.
 *
 * usage: read PUFFIN OFFSET SIZE COUNT DATA_FILE ROWS REPEATS
 * prints: rows deleted, rows kept, a hash of the mask, the seconds of the best read
 */
#define _POSIX_C_SOURCE 199309L
#include <dv.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define TRY(call) \
  if ((call) != DV_OK) fail(#call)

static void fail(const char *call) {
  fprintf(stderr, "%s: %s\n", call, dv_last_error());
  exit(1);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint64_t fnv1a(const uint8_t *data, size_t size) {
  uint64_t value = UINT64_C(0xCBF29CE484222325);
  for (size_t i = 0; i < size; i++) value = (value ^ data[i]) * UINT64_C(0x100000001B3);
  return value;
}

static int64_t count_bits(const uint8_t *mask, size_t size) {
  int64_t bits = 0;
  for (size_t i = 0; i < size; i++) bits += __builtin_popcount(mask[i]);
  return bits;
}

int main(int argc, char **argv) {
  if (argc != 8) return 2;
  int64_t offset = atoll(argv[2]), size = atoll(argv[3]), count = atoll(argv[4]), rows = atoll(argv[6]);
  size_t mask_size = (size_t)(rows + 7) / 8;
  uint8_t *mask = malloc(mask_size);
  if (mask == NULL) abort();

  double best = 0;
  int64_t deleted = 0;
  for (int i = 0; i < atoi(argv[7]); i++) {
    dv_source_t *file = NULL;
    dv_t *dv = NULL;
    double start = now();
    TRY(dv_source_path(argv[1], &file));
    TRY(dv_read(file, offset, size, count, argv[5], &dv, NULL));
    TRY(dv_keep_mask(dv, 0, rows, mask, mask_size));
    double took = now() - start;
    if (i == 0 || took < best) best = took;
    TRY(dv_cardinality(dv, &deleted));
    dv_free(dv);
    dv_source_free(file);
  }
  printf("%" PRId64 " %" PRId64 " %016" PRIx64 " %.9f\n", deleted, count_bits(mask, mask_size), fnv1a(mask, mask_size),
         best);
  free(mask);
  return dv_live_handles() == 0 ? 0 : 1;
}
