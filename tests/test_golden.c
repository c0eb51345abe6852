/* test_golden.c - every vector of testdata/golden, written by a real implementation, read by every way in: its
 * positions are those of the manifest. */
#include "check.h"
#include "golden.h"
#include "puffin_file.h"
#include "sha256.h"

static int seen;

/* The vector of the line at hand, once its positions are known to be right. */
static dv_t *right;

/* Positions are little endian, as the manifest digests them. */
static void check_digest(const int64_t *positions, size_t count, char *columns[]) {
  sha256 sum;
  char hex[65];
  sha256_start(&sum);
  sha256_add(&sum, positions, count * sizeof *positions);
  sha256_end(&sum, hex);
  if (strcmp(hex, columns[5]) != 0) {
    fprintf(stderr, "%s: other positions than the manifest's\n", columns[1]);
    check_failures++;
  }
}

/* Takes a vector that was read and frees it. The first of a line is compared with the manifest, the others with it. */
static void check_vector(dv_t *dv, char *columns[]) {
  int64_t n = -1;
  OK(dv_cardinality(dv, &n));
  CHECK_INT(strtoll(columns[4], NULL, 10), n);
  if (right != NULL) {
    bool same = false;
    OK(dv_equals(right, dv, &same));
    CHECK(same);
    dv_free(dv);
    return;
  }
  int64_t *positions = malloc(((size_t)n + 1) * sizeof *positions);
  size_t count = 0;
  OK(dv_positions(dv, 0, INT64_MAX, positions, (size_t)n + 1, &count));
  CHECK_INT(n, count);
  check_digest(positions, count, columns);
  free(positions);
  right = dv;
}

static void read_blob(const uint8_t *data, size_t size, int64_t cardinality, char *columns[]) {
  dv_t *dv = NULL;
  dv_source_t *source = NULL;
  if (OK(dv_deserialize(data, size, cardinality, &dv))) check_vector(dv, columns);
  if (OK(dv_view(data, size, cardinality, &dv))) check_vector(dv, columns);
  OK(dv_source_memory(data, size, &source));
  if (OK(dv_read_range(source, 0, (int64_t)size, cardinality, &dv))) check_vector(dv, columns);
  dv_source_free(source);

  int64_t *positions = malloc(((size_t)cardinality + 1) * sizeof *positions);
  size_t count = 0;
  OK(dv_blob_positions(data, size, cardinality, positions, (size_t)cardinality, &count));
  OK(dv_new(&dv));
  OK(dv_set_many(dv, positions, count));
  check_vector(dv, columns);
  free(positions);

  dv_bytes again = {NULL, 0}; /* what we write of it reads the same */
  OK(dv_deserialize(data, size, cardinality, &dv));
  OK(dv_serialize(dv, &again));
  dv_free(dv);
  if (OK(dv_deserialize(again.data, again.size, cardinality, &dv))) check_vector(dv, columns);
  dv_bytes_free(&again);
}

static void read_puffin(const uint8_t *data, size_t size, dv_status expected, uint32_t warned, char *columns[]) {
  char path[512];
  int64_t offset = strtoll(columns[2], NULL, 10), length = strtoll(columns[3], NULL, 10);
  int64_t cardinality = strtoll(columns[4], NULL, 10);
  dv_bytes bytes = {(uint8_t *)data, size};
  dv_source_t *sources[3] = {NULL, NULL, NULL};
  golden_path(path, columns[1]);
  OK(dv_source_path(path, &sources[0]));
  OK(dv_source_memory(data, size, &sources[1]));
  OK(dv_source_callbacks(&bytes, (int64_t)size, read_bytes, &sources[2]));
  for (int i = 0; i < 3; i++) {
    dv_t *at_once = NULL, *opened = NULL;
    dv_puffin_t *puffin = NULL;
    uint32_t warnings = warned;
    CHECK_STATUS(expected, dv_read(sources[i], offset, length, cardinality, columns[6], &at_once, &warnings));
    CHECK_INT(warned, warnings);
    OK(dv_puffin_open(sources[i], &puffin));
    CHECK_STATUS(expected, dv_puffin_read_entry(puffin, offset, length, cardinality, columns[6], &opened, NULL));
    if (at_once != NULL) check_vector(at_once, columns);
    if (opened != NULL) check_vector(opened, columns);
    dv_puffin_free(puffin);
    dv_source_free(sources[i]);
  }
  if (expected == DV_OK) read_blob(data + offset, (size_t)length, cardinality, columns);
}

static void read_delta(const uint8_t *data, size_t size, dv_status expected, char *columns[]) {
  int32_t offset = atoi(columns[2]), length = atoi(columns[3]);
  int64_t cardinality = strtoll(columns[4], NULL, 10);
  dv_t *dv = NULL;
  dv_source_t *source = NULL;
  OK(dv_source_memory(data, size, &source));
  dv_status status = dv_delta_read(source, offset, length, cardinality, &dv);
  CHECK_STATUS(expected, status);
  if (status == DV_OK) {
    check_vector(dv, columns);
    read_blob(data + offset, (size_t)length + 8, cardinality, columns); /* a record is an Iceberg blob */
  }
  dv_source_free(source);
}

static void read_mumbling(const uint8_t *data, size_t size, char *columns[]) {
  mumbling_t *bitmap = NULL;
  dv_t *dv = NULL, *back = NULL;
  dv_bytes again = {NULL, 0};
  OK(mumbling_read(data, size, &bitmap));
  OK(mumbling_validate(bitmap));
  int32_t n = -1;
  OK(mumbling_cardinality(bitmap, &n));
  CHECK_INT(atoi(columns[4]), n);
  OK(mumbling_to_dv(bitmap, &dv));
  mumbling_free(bitmap);
  OK(mumbling_from_dv(dv, &again));
  check_vector(dv, columns);
  OK(mumbling_read(again.data, again.size, &bitmap));
  OK(mumbling_to_dv(bitmap, &back));
  check_vector(back, columns);
  mumbling_free(bitmap);
  dv_bytes_free(&again);
}

static void read_inline(dv_status expected, char *columns[]) {
  dv_t *dv = NULL;
  dv_bytes text = {NULL, 0};
  int32_t size = 0;
  dv_status status =
      dv_delta_inline_decode(columns[6], strlen(columns[6]), atoi(columns[3]), strtoll(columns[4], NULL, 10), &dv);
  CHECK_STATUS(expected, status);
  if (status != DV_OK) return;
  OK(dv_delta_inline_encode(dv, &text, &size));
  CHECK_INT(0, text.data[text.size]);
  dv_bytes_free(&text);
  check_vector(dv, columns);
}

static void read_one(char *columns[]) {
  const char *kind = columns[0];
  size_t size = 0;
  uint8_t *data = strcmp(columns[1], "-") == 0 ? NULL : golden_bytes(columns[1], &size);
  dv_t *dv = NULL;
  seen++;
  if (strcmp(kind, "iceberg-dv-blob") == 0) {
    read_blob(data, size, strtoll(columns[4], NULL, 10), columns);
  } else if (strcmp(kind, "roaring64-portable") == 0) {
    if (OK(dv_deserialize_bitmap(data, size, &dv))) check_vector(dv, columns);
  } else if (strcmp(kind, "puffin") == 0) {
    read_puffin(data, size, DV_OK, 0, columns);
  } else if (strcmp(kind, "puffin-uncounted") == 0) {
    read_puffin(data, size, DV_OK, DV_WARN_NO_CARDINALITY, columns);
  } else if (strcmp(kind, "puffin-codec") == 0) {
    read_puffin(data, size, DV_UNSUPPORTED, 0, columns);
  } else if (strcmp(kind, "delta") == 0) {
    read_delta(data, size, DV_OK, columns);
  } else if (strcmp(kind, "delta-native") == 0) { /* the older form */
    read_delta(data, size, DV_UNSUPPORTED, columns);
  } else if (strcmp(kind, "mumbling-v1") == 0) {
    read_mumbling(data, size, columns);
  } else if (strcmp(kind, "inline") == 0) {
    read_inline(DV_OK, columns);
  } else if (strcmp(kind, "inline-native") == 0) {
    read_inline(DV_UNSUPPORTED, columns);
  } else {
    seen--;
  }
  dv_free(right);
  right = NULL;
  free(data);
}

int main(void) {
  int lines = for_each_line("build/tests/golden.tsv", "\t", 7, read_one);
  CHECK(lines > 150);
  CHECK_INT(lines, seen);
  return finish("golden");
}
