/*
 * scan.c - the keep masks of all data files whose deletes are in one Puffin file.
 *
 * usage: scan
 */
#include <dv.h>
#include <stdio.h>
#include <stdlib.h>

#define TRY(call) \
  if ((call) != DV_OK) fail(#call)

static void fail(const char *call) {
  fprintf(stderr, "%s: %s\n", call, dv_last_error());
  exit(1);
}

static void print_mask(size_t vector, const uint8_t *mask, int64_t rows) {
  printf("vector %zu keeps:", vector);
  for (int64_t row = 0; row < rows; row++) {
    if (mask[row / 8] >> row % 8 & 1) printf(" %lld", (long long)row);
  }
  printf("\n");
}

/* [masks] */
/* The masks of vectors 0 to count - 1 in one piece of memory, rows[i] rows of number i: each from a multiple of 64 bytes
 * on, as Arrow wants its buffers. */
static uint8_t *keep_masks(const dv_puffin_t *file, const int64_t *rows, size_t count) {
  size_t size = 0;
  for (size_t i = 0; i < count; i++) size += (size_t)(rows[i] + 511) / 512 * 64;
  uint8_t *masks = aligned_alloc(64, size);
  if (masks == NULL) abort();
  TRY(dv_puffin_keep_masks(file, NULL, rows, count, masks, size)); /* NULL: the vectors in their order */
  return masks;
}

/* Prints which rows of its data files a scan keeps. */
static void scan(const char *path, const int64_t *rows, size_t count) {
  dv_source_t *source = NULL;
  dv_puffin_t *file = NULL;
  TRY(dv_source_path(path, &source));
  TRY(dv_puffin_open(source, &file));
  uint8_t *masks = keep_masks(file, rows, count), *mask = masks;
  for (size_t i = 0; i < count; i++) {
    print_mask(i, mask, rows[i]);
    mask += (rows[i] + 511) / 512 * 64;
  }
  free(masks);
  dv_puffin_free(file);
  dv_source_free(source);
}
/* [masks] */

int main(void) {
  scan("testdata/golden/iceberg/multi_3_files.puffin", (const int64_t[]){10, 16, 12}, 3);
  return dv_live_handles() == 0 ? 0 : 1;
}
