/*
 * mumbling.c - a manifest's own deletion vector: which of its entries are deleted.
 *
 * usage: mumbling
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

/* [write] */
/* Makes the bytes that go into the manifest's entry; free them with dv_bytes_free. */
static dv_bytes delete_entries(const int64_t *entries, size_t count) {
  dv_t *deleted = NULL;
  dv_bytes bytes = {NULL, 0};

  TRY(dv_new(&deleted));
  TRY(dv_set_many(deleted, entries, count));
  TRY(mumbling_from_dv(deleted, &bytes)); /* DV_LIMIT where a position does not fit */
  dv_free(deleted);
  return bytes;
}
/* [write] */

/* [read] */
/* Prints the entries of the manifest that are still there. */
static void list_entries(const dv_bytes *bytes, int32_t entries) {
  mumbling_t *deleted = NULL;
  uint8_t *mask = malloc((size_t)(entries + 7) / 8);
  if (mask == NULL) abort();

  TRY(mumbling_read(bytes->data, bytes->size, &deleted)); /* copies the bytes, checks the header */
  TRY(mumbling_validate(deleted));                        /* everything that the format promises */
  TRY(mumbling_keep_mask(deleted, 0, entries, mask, (size_t)(entries + 7) / 8));
  printf("kept:");
  for (int32_t i = 0; i < entries; i++) {
    if (mask[i / 8] >> i % 8 & 1) printf(" %d", (int)i);
  }
  printf("\n");
  mumbling_free(deleted);
  free(mask);
}
/* [read] */

int main(void) {
  dv_bytes bytes = delete_entries((const int64_t[]){2, 7, 300}, 3);
  printf("%zu bytes:", bytes.size);
  for (size_t i = 0; i < bytes.size; i++) printf(" %02x", bytes.data[i]);
  printf("\n");
  list_entries(&bytes, 10);

  /* Deleting more: to a deletion vector, and back. */
  mumbling_t *before = NULL;
  dv_t *deleted = NULL;
  dv_bytes after = {NULL, 0};
  TRY(mumbling_read(bytes.data, bytes.size, &before));
  TRY(mumbling_to_dv(before, &deleted));
  TRY(dv_set_range(deleted, 4, 7));
  TRY(mumbling_from_dv(deleted, &after));
  list_entries(&after, 10);

  dv_bytes_free(&bytes);
  dv_bytes_free(&after);
  mumbling_free(before);
  dv_free(deleted);
  return dv_live_handles() == 0 ? 0 : 1;
}
