/*
 * lives.c - threads that come, call once and go, by the thousand; many that are there at once; a process that ends while its
 * threads are in calls.
 *
 *   lives [THREADS]     that come and go, 3,000 unless given
 */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { AT_ONCE = 500, ENDS = 20 };

static int64_t status_value(const char *name) {
  char line[256];
  int64_t value = -1;
  FILE *file = fopen("/proc/self/status", "r");
  if (!CHECK(file != NULL)) return -1;
  while (fgets(line, sizeof line, file) != NULL) {
    if (strncmp(line, name, strlen(name)) == 0) sscanf(line + strlen(name), "%" SCNd64, &value);
  }
  fclose(file);
  return value;
}

/* One call that succeeds and one that fails: the thread gets its place in the runtime, and a text of its own. */
static void call_once(void) {
  dv_t *dv = NULL;
  bool in = true;
  OK(dv_new(&dv));
  OK(dv_set(dv, 3));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_contains(dv, -1, &in));
  CHECK_ERROR("-1");
  dv_free(dv);
}

static void *once(void *unused) {
  call_once();
  return unused;
}

/* What a thread leaves behind is garbage at most: memory ends somewhere, and so does the number of threads. */
static void test_threads_come_and_go(int count) {
  int64_t before = 0, threads = 0;
  for (int i = 0; i < count; i++) {
    pthread_t thread;
    if (i == count / 2) before = status_value("VmRSS:"), threads = status_value("Threads:");
    CHECK_INT(0, pthread_create(&thread, NULL, once, NULL));
    pthread_join(thread, NULL);
  }
  CHECK(status_value("Threads:") <= threads + 4);
  CHECK(status_value("VmRSS:") - before < 40 * 1024); /* what the collector lets the heap grow by */
}

static pthread_barrier_t all_here;

static void *once_among_many(void *unused) {
  call_once();
  pthread_barrier_wait(&all_here);
  call_once();
  return unused;
}

static void test_many_at_once(void) {
  static pthread_t threads[AT_ONCE];
  pthread_barrier_init(&all_here, NULL, AT_ONCE);
  for (int i = 0; i < AT_ONCE; i++) CHECK_INT(0, pthread_create(&threads[i], NULL, once_among_many, NULL));
  for (int i = 0; i < AT_ONCE; i++) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&all_here);
}

static void *for_ever(void *unused) {
  for (;;) call_once();
  return unused;
}

/* Ends with threads in calls. */
static int end_in_calls(void) {
  pthread_t thread;
  for (int i = 0; i < 4; i++) CHECK_INT(0, pthread_create(&thread, NULL, for_ever, NULL));
  usleep(10000);
  return check_failures != 0;
}

static void test_ends(void) {
  for (int i = 0; i < ENDS; i++) {
    int status = -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
      alarm(20); /* stands in for the hang that there must not be */
      execl("/proc/self/exe", "lives", "--end", NULL);
      _exit(127);
    }
    CHECK_INT(child, waitpid(child, &status, 0));
    CHECK_INT(0, status);
  }
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--end") == 0) return end_in_calls();
  test_threads_come_and_go(argc > 1 ? atoi(argv[1]) : 3000);
  test_many_at_once();
  test_ends();
  return finish("lives");
}
