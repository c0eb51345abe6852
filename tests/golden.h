/* golden.h - the files of testdata/golden and the lines that manifest.py makes of their manifest. */
#ifndef LIBDV_TEST_GOLDEN_H
#define LIBDV_TEST_GOLDEN_H

#include "check.h"

enum { GOLDEN_COLUMNS = 7 };

/* Runs each on the columns of every line of a list, and returns how many there were. */
static inline int for_each_line(const char *list, void (*each)(char *columns[GOLDEN_COLUMNS])) {
  static char line[1 << 16];
  int lines = 0;
  FILE *in = fopen(list, "r");
  if (!CHECK(in != NULL)) return 0;
  while (fgets(line, sizeof line, in) != NULL) {
    char *columns[GOLDEN_COLUMNS], *rest = line;
    int n = 0;
    line[strcspn(line, "\n")] = '\0';
    while (n < GOLDEN_COLUMNS && (columns[n] = strsep(&rest, "\t")) != NULL) n++;
    if (CHECK_INT(GOLDEN_COLUMNS, n)) each(columns);
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
