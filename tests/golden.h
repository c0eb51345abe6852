/* golden.h - lists of test inputs, one a line, and the files of testdata/golden. */
#ifndef LIBDV_TEST_GOLDEN_H
#define LIBDV_TEST_GOLDEN_H

#include "check.h"

/* Runs each on the columns of every line of a list, but for comments (#), and returns how many there were. */
static inline int for_each_line(const char *list, const char *separator, int columns, void (*each)(char *columns[])) {
  static char line[1 << 17];
  int lines = 0;
  FILE *in = fopen(list, "r");
  if (!CHECK(in != NULL)) return 0;
  while (fgets(line, sizeof line, in) != NULL) {
    char *column[16], *rest = line;
    int n = 0;
    if (line[0] == '#') continue;
    line[strcspn(line, "\n")] = '\0';
    while (n < columns && (column[n] = strsep(&rest, separator)) != NULL) n++;
    if (CHECK_INT(columns, n) && CHECK(rest == NULL)) each(column);
    lines++;
  }
  fclose(in);
  return lines;
}

static inline void golden_path(char path[512], const char *file) { snprintf(path, 512, "testdata/golden/%s", file); }

/* The bytes of a file, in a block that ends where they end. */
static inline uint8_t *golden_bytes(const char *file, size_t *size) {
  char path[512];
  golden_path(path, file);
  FILE *in = fopen(path, "rb");
  *size = 0;
  if (!CHECK(in != NULL)) return NULL;
  fseek(in, 0, SEEK_END);
  *size = (size_t)ftell(in);
  rewind(in);
  uint8_t *data = malloc(*size);
  CHECK_INT(*size, fread(data, 1, *size, in));
  fclose(in);
  return data;
}

#endif /* LIBDV_TEST_GOLDEN_H */
