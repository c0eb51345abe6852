/*
 * delta.c - deletion vectors of a Delta table: a file of two, their descriptors, an inline one, and the way to Iceberg.
 *
 * usage: delta DIRECTORY   (an empty one: the table's root)
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
/* Writes two vectors into one file, and prints and keeps the descriptor of each: what add.deletionVector holds. */
static void write_file(const char *path, const char *relative_path, const dv_t *vectors[2], dv_bytes descriptors[2]) {
  dv_sink_t *sink = NULL;
  dv_delta_writer_t *writer = NULL;
  dv_delta_result where;

  TRY(dv_sink_path(path, &sink));
  TRY(dv_delta_writer_new(sink, &writer));
  for (int i = 0; i < 2; i++) {
    TRY(dv_delta_writer_write(writer, vectors[i], &where));
    TRY(dv_delta_descriptor_new(relative_path, &where, &descriptors[i]));
    printf("%s\n", (const char *)descriptors[i].data);
  }
  TRY(dv_delta_writer_finalize(writer)); /* now the file is there */
  dv_delta_writer_free(writer);
  dv_sink_free(sink);
}
/* [write] */

/* [read] */
/* Reads the vector that a descriptor points at; size and cardinality are checked. */
static dv_t *read_vector(const char *root, const dv_bytes *descriptor) {
  char file[4096];
  dv_bytes path = {NULL, 0};
  dv_source_t *source = NULL;
  dv_t *deleted = NULL;

  TRY(dv_delta_descriptor_path((const char *)descriptor->data, &path)); /* empty for an inline vector */
  if (path.size > 0) {
    snprintf(file, sizeof file, "%s/%s", root, (const char *)path.data);
    TRY(dv_source_path(file, &source));
  }
  TRY(dv_delta_descriptor_read(source, (const char *)descriptor->data, &deleted));
  dv_source_free(source);
  dv_bytes_free(&path);
  return deleted;
}
/* [read] */

/* [iceberg] */
/* A record of a Delta file is an Iceberg blob: from the offset on, 8 bytes longer than sizeInBytes. */
static dv_t *read_as_iceberg(const char *file, int32_t offset, int32_t size_in_bytes) {
  dv_source_t *source = NULL;
  dv_t *deleted = NULL;

  TRY(dv_source_path(file, &source));
  TRY(dv_read_range(source, offset, (int64_t)size_in_bytes + 8, DV_UNKNOWN, &deleted));
  dv_source_free(source);
  return deleted;
}
/* [iceberg] */

/* Prints what was read, frees it, and says whether it is what was written. */
static void compare(const char *what, const dv_t *written, dv_t *read) {
  int64_t rows = 0;
  bool same = false;

  TRY(dv_cardinality(read, &rows));
  TRY(dv_equals(written, read, &same));
  printf("%s: %lld rows, %s\n", what, (long long)rows, same ? "as written" : "OTHERS THAN WRITTEN");
  dv_free(read);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  const char *name = "deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin";
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", argv[1], name);

  dv_t *few = NULL, *many = NULL;
  TRY(dv_new(&few));
  TRY(dv_set_many(few, (const int64_t[]){3, 5, 8}, 3));
  TRY(dv_new(&many));
  TRY(dv_set_range(many, 100, 200));

  dv_bytes descriptors[2];
  write_file(path, name, (const dv_t *[]){few, many}, descriptors);
  compare("first", few, read_vector(argv[1], &descriptors[0]));
  compare("second", many, read_vector(argv[1], &descriptors[1]));

  dv_bytes inline_one = {NULL, 0};
  TRY(dv_delta_descriptor_inline(few, &inline_one));
  printf("%s\n", (const char *)inline_one.data);
  compare("inline", few, read_vector(argv[1], &inline_one));

  compare("as an Iceberg blob", few, read_as_iceberg(path, 1, 38));

  dv_bytes_free(&inline_one);
  dv_bytes_free(&descriptors[0]);
  dv_bytes_free(&descriptors[1]);
  dv_free(few);
  dv_free(many);
  return dv_live_handles() == 0 ? 0 : 1;
}
