/* test_fork.c - in the child of a fork() every call says so at once; the parent is none the worse for it. */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "puffin_file.h"

static dv_t *dv;
static dv_source_t *source;
static dv_puffin_t *puffin;
static dv_sink_t *sink;
static dv_writer_t *writer;
static dv_delta_writer_t *delta;
static mumbling_t *bitmap;
static dv_bytes file;
static int finished;

static int32_t on_write(void *context, const uint8_t *data, size_t size) {
  (void)context, (void)data, (void)size;
  return 0;
}
static int32_t on_finish(void *context, bool success) {
  (void)context, (void)success;
  finished++;
  return 0;
}

static void make(void) {
  file = puffin_file();
  OK(dv_new(&dv));
  OK(dv_set(dv, 5));
  OK(dv_source_memory(file.data, file.size, &source));
  OK(dv_puffin_open(source, &puffin));
  OK(dv_sink_callbacks(NULL, on_write, on_finish, &sink));
  OK(dv_delta_writer_new(sink, &delta));
  OK(dv_writer_new(NULL, &writer));
  OK(mumbling_read((const uint8_t *)"\1\0\0\0\0\0", 6, &bitmap));
}

static void free_all(void) {
  dv_free(dv), dv_source_free(source), dv_puffin_free(puffin), dv_delta_writer_free(delta), dv_sink_free(sink);
  dv_writer_free(writer), mumbling_free(bitmap);
}

#define FORKED(call) CHECK_STATUS(DV_FORKED, call)

/* What the child sees. An alarm stands in for the hang that there must not be. */
static void in_child(dv_bytes bytes) {
  dv_t *made = NULL;
  bool flag = false;
  int64_t n = 0;
  size_t count = 0;
  uint8_t mask[2];
  dv_bytes out = {NULL, 0};
  dv_delta_result at;
  alarm(20);
  FORKED(dv_new(&made));
  CHECK_ERROR("fork");
  FORKED(dv_set(dv, 1));
  FORKED(dv_set(NULL, 1)); /* before anything else is looked at */
  FORKED(dv_or(dv, NULL));
  FORKED(dv_contains(dv, 5, &flag));
  FORKED(dv_cardinality(dv, &n));
  FORKED(dv_keep_mask(dv, 0, 8, mask, 1));
  FORKED(dv_serialize(dv, &out));
  FORKED(dv_deserialize(bytes.data, bytes.size, DV_UNKNOWN, &made));
  FORKED(dv_blob_positions(bytes.data, bytes.size, DV_UNKNOWN, NULL, 0, &count));
  FORKED(dv_blob_from_positions(&n, 1, &out));
  FORKED(dv_source_path("/dev/null", &source));
  FORKED(dv_puffin_read(puffin, 0, &made));
  FORKED(dv_puffin_keep_masks(puffin, NULL, &n, 1, mask, sizeof mask));
  FORKED(dv_read(source, 4, 42, 1, "a", &made, NULL));
  FORKED(dv_sink_memory(&sink));
  FORKED(dv_writer_add(writer, "a", &n, 1, 0, NULL));
  FORKED(dv_delta_writer_write(delta, dv, &at));
  FORKED(dv_delta_writer_finalize(delta));
  FORKED(dv_delta_descriptor_path("{}", &out));
  FORKED(dv_inspect(source, NULL, &out));
  FORKED(mumbling_validate(bitmap));
  FORKED(mumbling_pfor_estimate(9, &count));
  CHECK(made == NULL && out.data == NULL && n == 0 && count == 0);
  free_all();
  CHECK_INT(0, finished); /* nothing was dropped: the parent still writes that file */
  CHECK_INT(DV_ABI_VERSION, dv_abi_version());
  CHECK(strcmp(DV_VERSION, dv_version()) == 0 && strcmp("DV_FORKED", dv_status_name(DV_FORKED)) == 0);
  CHECK(dv_live_handles() > 0);
  dv_bytes_free(&bytes); /* malloc's own */
  CHECK(bytes.data == NULL);
}

static void expect_clean_exit(pid_t child) {
  int status = -1;
  CHECK_INT(child, waitpid(child, &status, 0));
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void fork_once(bool nested) {
  dv_bytes bytes = {NULL, 0};
  OK(dv_serialize(dv, &bytes));
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    in_child(bytes);
    if (nested) {
      pid_t grandchild = fork();
      if (grandchild == 0) {
        alarm(20);
        FORKED(dv_set(dv, 1));
        _exit(check_failures != 0);
      }
      expect_clean_exit(grandchild);
    }
    _exit(check_failures != 0);
  }
  expect_clean_exit(child);
  dv_bytes_free(&bytes);
}

static volatile bool stop;

static void *work_on(void *unused) {
  (void)unused;
  while (!stop) {
    dv_t *made = NULL;
    uint8_t masks[128];
    dv_bytes blob = {NULL, 0};
    OK(dv_puffin_read(puffin, 0, &made));
    dv_free(made);
    OK(dv_puffin_keep_masks(puffin, NULL, (int64_t[]){9, 9}, 2, masks, sizeof masks));
    OK(dv_blob_from_positions((int64_t[]){70000, 1}, 2, &blob));
    dv_bytes_free(&blob);
  }
  return NULL;
}

/* Forked while other threads are in the middle of calls. */
static void test_fork_under_load(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) CHECK_INT(0, pthread_create(&threads[i], NULL, work_on, NULL));
  for (int i = 0; i < 20; i++) fork_once(false);
  stop = true;
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}

int main(void) {
  make();
  fork_once(true);
  fork_once(false);
  test_fork_under_load();
  bool in = false;
  OK(dv_contains(dv, 5, &in)); /* the parent goes on */
  CHECK(in);
  OK(dv_delta_writer_finalize(delta));
  CHECK_INT(1, finished);
  free_all();
  dv_bytes_free(&file);
  return finish("fork");
}
