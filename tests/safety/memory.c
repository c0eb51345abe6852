/*
 * memory.c - reads one input in a process of its own and says how much memory that took beyond the caller's buffers:
 * at most 64 MiB and four times the size of the input. `go run ./internal/hostile/write worst` makes the inputs.
 *
 *   memory NAME HOW STATUS OFFSET SIZE CARDINALITY FILE SOURCE
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

enum { MASK_BYTES = 1 << 20, POSITIONS = 1 << 17 };

static const char *how;
static int64_t offset, size, cardinality;
static uint8_t *data; /* the input, in a mapping of the file that is resident before anything is measured */
static size_t data_size;
static const char *path;
static uint8_t *mask;
static int64_t *positions;

/* A line of /proc/self/status, in KiB. */
static int64_t status_kib(const char *name) {
  char line[256];
  int64_t kib = -1;
  FILE *file = fopen("/proc/self/status", "r");
  if (!CHECK(file != NULL)) return 0;
  while (fgets(line, sizeof line, file) != NULL) {
    if (strncmp(line, name, strlen(name)) == 0) sscanf(line + strlen(name) + 1, "%" SCNd64, &kib);
  }
  fclose(file);
  CHECK(kib >= 0);
  return kib;
}

/* Makes the highest resident size so far the present one. */
static void reset_peak(void) {
  int fd = open("/proc/self/clear_refs", O_WRONLY);
  CHECK(fd >= 0 && write(fd, "5", 1) == 1);
  close(fd);
}

static void load(void) {
  struct stat st;
  int fd = open(path, O_RDONLY);
  if (!CHECK(fd >= 0 && fstat(fd, &st) == 0)) exit(1);
  data_size = (size_t)st.st_size;
  data = mmap(NULL, data_size + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (size_t at = 0; at < data_size;) {
    ssize_t got = read(fd, data + at, data_size - at);
    if (!CHECK(got > 0)) exit(1);
    at += (size_t)got;
  }
  close(fd);
  mask = malloc(MASK_BYTES);
  positions = malloc(POSITIONS * 8);
  memset(mask, 1, MASK_BYTES);
  memset(positions, 1, POSITIONS * 8);
}

/* Bulk reads of what a call made, which is in *made by then. */
static dv_status scan(dv_status status, dv_t *const *made) {
  int64_t count = 0;
  size_t listed = 0;
  if (status != DV_OK) return status;
  dv_t *dv = *made;
  OK(dv_keep_mask(dv, 0, 8 * MASK_BYTES, mask, MASK_BYTES));
  OK(dv_positions(dv, 0, INT64_MAX, positions, POSITIONS, &listed));
  OK(dv_count(dv, 0, INT64_MAX, &count));
  dv_free(dv);
  return DV_OK;
}

enum { MASKS = 1 << 12 }; /* in one call */

/* The masks of many blobs in one call, of 512 rows each. */
static dv_status read_masks(const dv_puffin_t *puffin, const size_t *indices, size_t count) {
  static int64_t lengths[MASKS];
  for (size_t i = 0; i < count; i++) lengths[i] = 512;
  return dv_puffin_keep_masks(puffin, indices, lengths, count, mask, MASK_BYTES);
}

static dv_status read_puffin(dv_source_t *source) {
  static size_t indices[MASKS];
  dv_puffin_t *puffin = NULL;
  size_t count = 0, gathered = 0;
  dv_status status = dv_puffin_open(source, &puffin);
  if (status != DV_OK) return status;
  OK(dv_puffin_count(puffin, &count));
  for (size_t i = 0; i < count; i++) {
    const dv_puffin_blob *blob = NULL;
    dv_t *dv = NULL;
    OK(dv_puffin_blob_at(puffin, i, &blob));
    if (strcmp(blob->type, "deletion-vector-v1") != 0 || blob->compression_codec != NULL) continue;
    if (status == DV_OK) status = scan(dv_puffin_read(puffin, i, &dv), &dv);
    if (gathered < MASKS) indices[gathered++] = i;
  }
  dv_status masked = read_masks(puffin, indices, gathered);
  CHECK(masked == status || (masked == DV_OK && gathered == MASKS));
  dv_puffin_free(puffin);
  return status;
}

static dv_status read_source(dv_source_t *source) {
  dv_t *dv = NULL;
  dv_status status = strcmp(how, "puffin") == 0 ? read_puffin(source)
                     : strcmp(how, "range") == 0
                         ? dv_read_range(source, offset, size, cardinality, &dv)
                         : dv_delta_read(source, (int32_t)offset, (int32_t)size, cardinality, &dv);
  return dv == NULL ? status : scan(status, &dv);
}

/* Whatever the bytes are, they can be inspected. */
static dv_status inspect(dv_source_t *source) {
  dv_bytes json = {NULL, 0};
  OK(dv_inspect(source, NULL, &json));
  dv_bytes_free(&json);
  return DV_OK;
}

static int64_t read_at(void *context, int64_t at, uint8_t *buffer, size_t wanted) {
  (void)context;
  memcpy(buffer, data + at, wanted);
  return (int64_t)wanted;
}

static dv_source_t *open_source(const char *kind) {
  dv_source_t *source = NULL;
  if (strcmp(kind, "memory") == 0 || strcmp(kind, "inspect") == 0) OK(dv_source_memory(data, data_size, &source));
  if (strcmp(kind, "path") == 0) OK(dv_source_path(path, &source));
  if (strcmp(kind, "callbacks") == 0) OK(dv_source_callbacks(NULL, (int64_t)data_size, read_at, &source));
  return source;
}

static dv_status read_mumbling(void) {
  mumbling_t *bitmap = NULL;
  dv_t *dv = NULL;
  dv_status status = mumbling_read(data, data_size, &bitmap);
  if (status != DV_OK) return status;
  status = mumbling_validate(bitmap);
  if (status == DV_OK) status = scan(mumbling_to_dv(bitmap, &dv), &dv);
  mumbling_free(bitmap);
  return status;
}

static dv_status read_memory(void) {
  const char *text = (const char *)data; /* the byte behind it is 0 */
  dv_t *dv = NULL;
  dv_writer_t *writer = NULL;
  dv_bytes bytes = {NULL, 0};
  dv_status status = DV_INTERNAL;
  if (strcmp(how, "blob") == 0) {
    status = scan(dv_deserialize(data, data_size, cardinality, &dv), &dv);
  } else if (strcmp(how, "view") == 0) {
    status = scan(dv_view(data, data_size, cardinality, &dv), &dv);
  } else if (strcmp(how, "bitmap") == 0) {
    status = scan(dv_deserialize_bitmap(data, data_size, &dv), &dv);
  } else if (strcmp(how, "inline") == 0) {
    status = dv_delta_inline_decode(text, data_size, (int32_t)size, cardinality, &dv);
    status = scan(status, &dv);
  } else if (strcmp(how, "descriptor") == 0) {
    status = dv_delta_descriptor_path(text, &bytes);
    dv_bytes_free(&bytes);
  } else if (strcmp(how, "descriptor-read") == 0) {
    status = scan(dv_delta_descriptor_read(NULL, text, &dv), &dv);
  } else if (strcmp(how, "mumbling") == 0) {
    status = read_mumbling();
  } else if (strcmp(how, "specs") == 0) {
    status = dv_writer_new(text, &writer);
    dv_writer_free(writer);
  } else {
    fprintf(stderr, "no way to read \"%s\"\n", how);
  }
  return status;
}

/* The runtime's own memory: every call starts from here. */
static void warm_up(void) {
  dv_t *dv = NULL;
  for (int i = 0; i < 100; i++) {
    OK(dv_new(&dv));
    OK(dv_set(dv, i));
    dv_free(dv);
  }
}

int main(int argc, char **argv) {
  if (argc != 9) return 2;
  const char *name = argv[1], *status = argv[3];
  how = argv[2], path = argv[7];
  offset = strtoll(argv[4], NULL, 10), size = strtoll(argv[5], NULL, 10), cardinality = strtoll(argv[6], NULL, 10);
  const char *kind = argv[8];
  load();
  warm_up();
  dv_source_t *source = open_source(kind);
  reset_peak();
  int64_t before = status_kib("VmRSS:");
  bool inspects = strcmp(kind, "inspect") == 0;
  dv_status got = inspects ? inspect(source) : source != NULL ? read_source(source) : read_memory();
  int64_t taken = status_kib("VmHWM:") - before, allowed = 64 * 1024 + 4 * (int64_t)(data_size / 1024);
  dv_source_free(source);
  printf("%" PRId64 " %%, %" PRId64 " MiB for the %zu of %s, source %s\n", 100 * taken / allowed, taken / 1024,
         data_size >> 20, name, kind);
  CHECK(taken <= allowed);
  if (!inspects && strcmp(dv_status_name(got), status) != 0) {
    fprintf(stderr, "%s: %s, expected %s (%s)\n", name, dv_status_name(got), status, dv_last_error());
    check_failures++;
  }
  return check_failures == 0 && dv_live_handles() == 0 ? 0 : 1;
}
