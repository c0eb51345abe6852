/* test_hostile.c - every broken input of testdata/golden/hostile, by every way in: refused where the manifest says so,
 * with a message, without a trace. Each lies in a block of its own size, so that the sanitizer sees a read beyond
 * it. */
#include "check.h"
#include "golden.h"

static int seen;

/* What reading found, the worst of its calls: a file of several vectors is refused where one of them is. */
static void judge(dv_status status, char *columns[GOLDEN_COLUMNS], const char *call) {
  const char *expected = columns[1];
  if (status == DV_INVALID_ARGUMENT && strcmp(columns[0], "delta") == 0)
    status = DV_CORRUPT; /* no descriptor says so */
  bool refused = status == DV_CORRUPT || status == DV_MISMATCH || status == DV_UNSUPPORTED || status == DV_LIMIT;
  bool good = strcmp(expected, "accept") == 0   ? status == DV_OK
              : strcmp(expected, "reject") == 0 ? refused
                                                : refused || status == DV_OK;
  if (!good) {
    fprintf(stderr, "%s (%s): %s: %s, expected %s\n", columns[6], columns[2], call, dv_status_name(status), expected);
    check_failures++;
  }
  if (refused) CHECK_ERROR(" ");
}

static void read_blob(const uint8_t *data, size_t size, int64_t cardinality, char *columns[]) {
  dv_t *dv = NULL;
  dv_source_t *source = NULL;
  int64_t one[1];
  uint8_t mask[128];
  size_t count = 0;
  judge(dv_deserialize(data, size, cardinality, &dv), columns, "deserialize");
  dv_free(dv), dv = NULL;
  judge(dv_view(data, size, cardinality, &dv), columns, "view");
  dv_free(dv), dv = NULL;
  judge(dv_blob_keep_mask(data, size, cardinality, 0, 1000, mask, sizeof mask), columns, "blob_keep_mask");
  dv_status status = dv_blob_positions(data, size, cardinality, one, 1, &count);
  judge(status == DV_TOO_SMALL ? DV_OK : status, columns, "blob_positions");
  OK(dv_source_memory(data, size, &source));
  judge(dv_read_range(source, 0, (int64_t)size, cardinality, &dv), columns, "read_range");
  dv_free(dv);
  dv_source_free(source);
}

static void read_bitmap(const uint8_t *data, size_t size, char *columns[]) {
  dv_t *dv = NULL;
  judge(dv_deserialize_bitmap(data, size, &dv), columns, "deserialize_bitmap");
  dv_free(dv);
}

/* Opens the file and reads each of its deletion vectors, first by its number and then by what the footer says of it. */
static dv_status read_vectors(const dv_source_t *source) {
  dv_puffin_t *puffin = NULL;
  size_t count = 0;
  dv_status worst = dv_puffin_open(source, &puffin);
  if (worst != DV_OK) return worst;
  OK(dv_puffin_count(puffin, &count));
  for (size_t i = 0; i < count; i++) {
    const dv_puffin_blob *blob = NULL;
    dv_t *dv = NULL;
    OK(dv_puffin_blob_at(puffin, i, &blob));
    if (strcmp(blob->type, "deletion-vector-v1") != 0) continue;
    dv_status status = dv_puffin_read(puffin, i, &dv);
    if (status == DV_OK) {
      int64_t n = 0;
      OK(dv_cardinality(dv, &n));
      dv_free(dv), dv = NULL;
      status = dv_puffin_read_entry(puffin, blob->offset, blob->length, n, blob->referenced_data_file, &dv, NULL);
      dv_free(dv);
    }
    if (status != DV_OK) worst = status;
  }
  dv_puffin_free(puffin);
  return worst;
}

static void read_puffin(const uint8_t *data, size_t size, char *columns[]) {
  dv_source_t *source = NULL;
  OK(dv_source_memory(data, size, &source));
  judge(read_vectors(source), columns, "puffin");
  dv_source_free(source);
}

static void read_delta(const uint8_t *data, size_t size, char *columns[]) {
  dv_source_t *source = NULL;
  dv_t *dv = NULL;
  OK(dv_source_memory(data, size, &source));
  judge(dv_delta_read(source, atoi(columns[3]), atoi(columns[4]), strtoll(columns[5], NULL, 10), &dv), columns,
        "delta");
  dv_free(dv);
  dv_source_free(source);
}

static dv_status read_all_of(const mumbling_t *bitmap) {
  static int32_t positions[MUMBLING_MAX_CARDINALITY];
  static uint8_t mask[MUMBLING_MAX_CARDINALITY / 8];
  size_t count = 0;
  bool in = false;
  dv_t *dv = NULL;
  dv_status ignored = mumbling_keep_mask(bitmap, 0, MUMBLING_MAX_CARDINALITY, mask, sizeof mask);
  ignored = mumbling_is_set(bitmap, 300, &in);
  ignored = mumbling_to_dv(bitmap, &dv);
  (void)ignored; /* they may find less than validate does */
  dv_free(dv);
  dv_status status = mumbling_positions(bitmap, positions, MUMBLING_MAX_CARDINALITY, &count);
  dv_status valid = mumbling_validate(bitmap);
  return valid != DV_OK ? valid : status;
}

static void read_mumbling(const uint8_t *data, size_t size, char *columns[]) {
  mumbling_t *bitmap = NULL;
  dv_status status = mumbling_read(data, size, &bitmap);
  judge(status == DV_OK ? read_all_of(bitmap) : status, columns, "mumbling");
  mumbling_free(bitmap);
}

static void read_inline(char *columns[]) {
  dv_t *dv = NULL;
  const char *text = strcmp(columns[2], "-") == 0 ? "" : columns[2];
  judge(dv_delta_inline_decode(text, strlen(text), atoi(columns[4]), strtoll(columns[5], NULL, 10), &dv), columns,
        "inline_decode");
  dv_free(dv);
}

static void read_one(char *columns[GOLDEN_COLUMNS]) {
  const char *kind = columns[0];
  size_t size = 0;
  uint8_t *data = strcmp(kind, "inline") == 0 ? NULL : golden_bytes(columns[2], &size);
  seen++;
  if (strcmp(kind, "blob") == 0) {
    read_blob(data, size, strtoll(columns[5], NULL, 10), columns);
  } else if (strcmp(kind, "roaring64") == 0) {
    read_bitmap(data, size, columns);
  } else if (strcmp(kind, "puffin") == 0) {
    read_puffin(data, size, columns);
  } else if (strcmp(kind, "delta") == 0) {
    read_delta(data, size, columns);
  } else if (strcmp(kind, "mumbling") == 0) {
    read_mumbling(data, size, columns);
  } else if (strcmp(kind, "inline") == 0) {
    read_inline(columns);
  } else {
    seen--;
  }
  free(data);
}

int main(void) {
  int lines = for_each_line("build/tests/hostile.tsv", read_one);
  CHECK(lines > 270);
  CHECK_INT(lines, seen);
  return finish("hostile");
}
