/*
 * disk.c - files are written until the file system is full: then a flush is DV_IO, what it was writing is gone, every other file
 * is whole, and once there is room again the same writer flushes what it kept.
 *
 *   disk DIRECTORY     on a small file system, or under a small limit on the size of files
 */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

enum { MOST_FILES = 64 };
static const char *directory;

static void name(char path[512], int number) { snprintf(path, 512, "%s/%d", directory, number); }

/* Every position counts some two bytes, so that the files soon are too many, or one too long. */
static dv_writer_t *writer_of(int thousands) {
  dv_writer_t *writer = NULL;
  int64_t list[1000];
  OK(dv_writer_new(NULL, &writer));
  for (int i = 0; i < thousands; i++) {
    for (int j = 0; j < 1000; j++) list[j] = (int64_t)(i * 1000 + j) * 17;
    OK(dv_writer_add(writer, "a", list, 1000, 0, NULL));
  }
  return writer;
}

static dv_status flush(dv_writer_t *writer, const char *path) {
  dv_sink_t *sink = NULL;
  dv_bytes entries = {NULL, 0};
  dv_status status = dv_sink_path(path, &sink);
  if (status == DV_OK) status = dv_writer_flush(writer, sink, path, &entries);
  dv_sink_free(sink);
  dv_bytes_free(&entries);
  return status;
}

static void check_whole(const char *path) {
  dv_source_t *source = NULL;
  dv_puffin_t *puffin = NULL;
  dv_t *dv = NULL;
  OK(dv_source_path(path, &source));
  OK(dv_puffin_open(source, &puffin));
  OK(dv_puffin_read(puffin, 0, &dv));
  dv_free(dv);
  dv_puffin_free(puffin);
  dv_source_free(source);
}

static int files(void) {
  int count = 0;
  DIR *dir = opendir(directory);
  for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
    count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
  }
  closedir(dir);
  return count;
}

int main(int argc, char **argv) {
  char path[512], first[512];
  dv_status status = DV_OK;
  int written = 0;
  if (argc != 2) return 2;
  directory = argv[1];
  dv_writer_t *writer = NULL;
  while (status == DV_OK && written < MOST_FILES) { /* each is longer than the one before */
    writer = writer_of(2 * written + 2);
    name(path, written);
    status = flush(writer, path);
    if (status == DV_OK) {
      dv_writer_free(writer);
      written++;
    }
  }
  CHECK_STATUS(DV_IO, status);
  CHECK_ERROR(path);
  CHECK(written > 2);
  CHECK_INT(written, files()); /* and nothing of the one that failed */
  for (int i = 0; i < written; i++) {
    name(first, i);
    check_whole(first);
    unlink(first);
  }
  dv_sink_t *sink = NULL;
  dv_bytes entries = {NULL, 0};
  OK(dv_sink_memory(&sink)); /* the writer holds everything still */
  OK(dv_writer_flush(writer, sink, "x", &entries));
  CHECK(strstr((const char *)entries.data, "\"record-count\":") != NULL);
  dv_bytes_free(&entries);
  dv_sink_free(sink);
  dv_writer_free(writer);
  writer = writer_of(2); /* and there is room again */
  name(path, 0);
  OK(flush(writer, path));
  check_whole(path);
  unlink(path);
  dv_writer_free(writer);
  return finish("disk");
}
