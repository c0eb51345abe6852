/* puffin_file.h - a Puffin file for the tests that need one: two data files, "a" with {1, 70000} and "b" with {5}. */
#ifndef LIBDV_TEST_PUFFIN_FILE_H
#define LIBDV_TEST_PUFFIN_FILE_H

#include "check.h"

/* The file, to be freed with dv_bytes_free. Blob 0 is of "a", at offset 4; blob 1 follows it. */
static inline dv_bytes puffin_file(void) {
  dv_writer_t *writer = NULL;
  dv_sink_t *sink = NULL;
  dv_bytes entries = {NULL, 0}, file = {NULL, 0};
  OK(dv_writer_new(NULL, &writer));
  OK(dv_writer_add(writer, "a", (int64_t[]){70000, 1}, 2, 0, NULL));
  OK(dv_writer_add(writer, "b", (int64_t[]){5}, 1, 0, NULL));
  OK(dv_sink_memory(&sink));
  OK(dv_writer_flush(writer, sink, "x", &entries));
  OK(dv_sink_take(sink, &file));
  dv_bytes_free(&entries);
  dv_sink_free(sink);
  dv_writer_free(writer);
  return file;
}

/* A caller's function over a dv_bytes. */
static inline int64_t read_bytes(void *context, int64_t offset, uint8_t *buffer, size_t size) {
  const dv_bytes *file = (const dv_bytes *)context;
  memcpy(buffer, file->data + offset, size);
  return (int64_t)size;
}

#endif /* LIBDV_TEST_PUFFIN_FILE_H */
