/*
 * iceberg.c - delete rows of an Iceberg v3 table, delete more, and filter a scan.
 *
 * usage: iceberg DIRECTORY   (an empty one; the Puffin files go there)
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

static const char *const data_file = "s3://lake/t/data/a.parquet";

/* [delete] */
/* Deletes rows, on top of those that previous says are deleted already (NULL: none), and prints the manifest entries. */
static void delete_rows(const char *path, const char *location, const int64_t *rows, size_t count,
                        const dv_t *previous) {
  dv_writer_t *writer = NULL;
  dv_sink_t *sink = NULL;
  dv_bytes entries = {NULL, 0};

  TRY(dv_writer_new(NULL, &writer)); /* NULL: an unpartitioned table; else its "partition-specs" */
  TRY(dv_writer_add(writer, data_file, rows, count, 0, NULL));
  if (previous != NULL) TRY(dv_writer_load(writer, data_file, previous, 0, NULL));
  TRY(dv_sink_path(path, &sink)); /* the file appears whole, or not at all */
  TRY(dv_writer_flush(writer, sink, location, &entries));
  printf("%s\n", (const char *)entries.data); /* content files, as a REST catalog takes them */

  dv_bytes_free(&entries);
  dv_sink_free(sink);
  dv_writer_free(writer);
}
/* [delete] */

/* [read] */
/* Reads the vector that a manifest entry points at; it is checked against the entry and the file's footer. */
static dv_t *read_vector(const char *path, int64_t content_offset, int64_t content_size, int64_t record_count) {
  dv_source_t *file = NULL;
  dv_t *deleted = NULL;

  TRY(dv_source_path(path, &file));
  TRY(dv_read(file, content_offset, content_size, record_count, data_file, &deleted, NULL));
  dv_source_free(file);
  return deleted;
}

/* Prints the rows of [start, start + length) that a scan keeps. */
static void scan(const dv_t *deleted, int64_t start, int64_t length) {
  uint8_t *mask = malloc((size_t)(length + 7) / 8); /* one bit per row, as in an Arrow Boolean buffer */
  if (mask == NULL) abort();
  TRY(dv_keep_mask(deleted, start, length, mask, (size_t)(length + 7) / 8));
  printf("kept:");
  for (int64_t i = 0; i < length; i++) {
    if (mask[i / 8] >> i % 8 & 1) printf(" %lld", (long long)(start + i));
  }
  printf("\n");
  free(mask);
}
/* [read] */

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  char first[4096], second[4096];
  snprintf(first, sizeof first, "%s/first.puffin", argv[1]);
  snprintf(second, sizeof second, "%s/second.puffin", argv[1]);

  delete_rows(first, "s3://lake/t/data/first.puffin", (const int64_t[]){3, 5, 8}, 3, NULL);
  dv_t *deleted = read_vector(first, 4, 46, 3);
  scan(deleted, 0, 10);

  delete_rows(second, "s3://lake/t/data/second.puffin", (const int64_t[]){5, 0}, 2, deleted);
  dv_free(deleted);
  deleted = read_vector(second, 4, 48, 4);
  scan(deleted, 0, 10);
  dv_free(deleted);
  return dv_live_handles() == 0 ? 0 : 1;
}
