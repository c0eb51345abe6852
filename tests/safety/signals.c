/*
 * signals.c - calls in a process whose threads are hit by signals all the time, have small stacks, no stack for signals,
 * or block everything: results stay right, and the host's masks, stacks and handlers stay the host's.
 *
 *   signals [SECONDS]     of the storm, 2 unless given
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "puffin_file.h"

enum { THREADS = 6, STORM_SIGNALS = 5 };
static const int storm_signals[STORM_SIGNALS] = {SIGALRM, SIGPROF, SIGUSR1, SIGURG, SIGWINCH};
static atomic_long handled;
static atomic_bool stop;
static char directory[] = "/tmp/libdv-signals-XXXXXX";

/* A handler like a host's, with some frames of its own. */
static void on_signal(int number) {
  volatile char frame[8192];
  frame[number] = 1;
  frame[sizeof frame - 1] = frame[number];
  atomic_fetch_add(&handled, 1);
}

static void handle(int number, int flags) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = flags};
  sigfillset(&action.sa_mask);
  CHECK_INT(0, sigaction(number, &action, NULL));
}

/* --------------------------------------------------------------- one round */

/* Every kind of call: through memory, a path, callbacks; the results are what they are without signals. */
static void round_of_calls(int thread, int round) {
  dv_t *dv = NULL, *read = NULL;
  dv_writer_t *writer = NULL;
  dv_sink_t *sink = NULL;
  dv_source_t *source = NULL;
  dv_puffin_t *puffin = NULL;
  dv_bytes entries = {NULL, 0};
  int64_t list[600], n = 0;
  char path[96];
  bool same = false;
  snprintf(path, sizeof path, "%s/%d-%d", directory, thread, round);
  for (int i = 0; i < 600; i++) list[i] = (int64_t)i * 977 + thread;
  OK(dv_new(&dv));
  OK(dv_set_many(dv, list, 600));
  OK(dv_writer_new(NULL, &writer));
  OK(dv_writer_load(writer, "a", dv, 0, NULL));
  OK(dv_sink_path(path, &sink));
  OK(dv_writer_flush(writer, sink, "x", &entries));
  dv_sink_free(sink);
  dv_writer_free(writer);
  dv_bytes_free(&entries);

  OK(dv_source_path(path, &source));
  OK(dv_puffin_open(source, &puffin));
  OK(dv_puffin_read(puffin, 0, &read));
  OK(dv_equals(dv, read, &same));
  CHECK(same);
  OK(dv_count(read, 0, 300 * 977, &n));
  CHECK_INT(300, n);
  CHECK_STATUS(DV_IO, dv_sink_path("/nowhere/at/all", &sink));
  dv_puffin_free(puffin);
  dv_source_free(source);
  dv_free(read);
  dv_free(dv);
  unlink(path);
}

/* Nothing but Go code, and much for its collector, which interrupts threads with signals of its own. */
static void compute(int thread) {
  dv_t *dv = NULL;
  int64_t n = 0;
  OK(dv_new(&dv));
  for (int64_t i = 0; i < 300; i++) OK(dv_set(dv, i * 70000 + thread));
  OK(dv_cardinality(dv, &n));
  CHECK_INT(300, n);
  dv_free(dv);
}

/* -------------------------------------------------------------------- storm */

static void *work(void *number) {
  int thread = (int)(intptr_t)number;
  for (int round = 0; !atomic_load(&stop); round++) thread % 2 == 0 ? round_of_calls(thread, round) : compute(thread);
  return NULL;
}

/* Every thread is hit by every signal, some by the kernel's clocks. With SA_RESTART or without, on the stack for signals or on
 * whatever stack the thread is on. */
static void test_storm(int seconds, int flags) {
  pthread_t threads[THREADS];
  struct itimerval often = {.it_interval = {0, 700}, .it_value = {0, 700}}, never = {{0, 0}, {0, 0}};
  unsigned turn = 0;
  atomic_store(&stop, false);
  atomic_store(&handled, 0);
  for (int i = 0; i < STORM_SIGNALS; i++) {
    /* Go sends this one to its own threads, whose stacks have no room for a handler: dv.h asks for the flag. */
    handle(storm_signals[i], storm_signals[i] == SIGURG ? flags | SA_ONSTACK : flags);
  }
  for (int i = 0; i < THREADS; i++) {
    CHECK_INT(0, pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i));
  }
  setitimer(ITIMER_REAL, &often, NULL);
  /* The kernel gives this one to whichever thread runs, Go's own among them, whose stacks are small. */
  if (flags & SA_ONSTACK) setitimer(ITIMER_PROF, &often, NULL);
  for (time_t end = time(NULL) + seconds + 1; time(NULL) < end; turn++) {
    pthread_kill(threads[turn % THREADS], storm_signals[turn / THREADS % STORM_SIGNALS]);
    if (turn % 16 == 0) usleep(100);
  }
  setitimer(ITIMER_REAL, &never, NULL);
  setitimer(ITIMER_PROF, &never, NULL);
  atomic_store(&stop, true);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  CHECK(atomic_load(&handled) > 1000);
}

/* ------------------------------------------------------------------ threads */

static void *some_rounds(void *number) {
  for (int round = 0; round < 20; round++) round_of_calls((int)(intptr_t)number, round);
  return NULL;
}

/* Threads whose stacks are far smaller than the usual 8 MiB. */
static void test_small_stacks(void) {
  static const size_t sizes[] = {64 << 10, 128 << 10, 256 << 10};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    CHECK_INT(0, pthread_attr_setstacksize(&attributes, sizes[i]));
    CHECK_INT(0, pthread_create(&thread, &attributes, some_rounds, (void *)(intptr_t)(100 + i)));
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
  }
}

/* What the Go runtime keeps unblocked in every thread that it runs in: faults, and a few that it or the C library needs. */
static bool go_unblocks(int number) {
  static const int unblocked[] = {SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGSTKFLT, SIGCHLD, SIGPROF, SIGURG, 34};
  for (size_t i = 0; i < sizeof unblocked / sizeof unblocked[0]; i++) {
    if (unblocked[i] == number) return true;
  }
  return false;
}

/* A call leaves the thread's mask as it was, but for those, and its stack for signals, where it has one. A thread that has
 * none gets one for as long as it lives. */
static void *keep_signal_state(void *own_stack) {
  stack_t before = {.ss_sp = own_stack, .ss_size = 64 << 10}, after;
  sigset_t all, mask, mask_after;
  if (own_stack != NULL) CHECK_INT(0, sigaltstack(&before, NULL));
  CHECK_INT(0, sigaltstack(NULL, &before));
  sigfillset(&all);
  CHECK_INT(0, pthread_sigmask(SIG_SETMASK, &all, &mask));
  CHECK_INT(0, pthread_sigmask(SIG_SETMASK, NULL, &mask)); /* everything that can be blocked */
  for (int round = 0; round < 5; round++) round_of_calls(200, round);
  CHECK_INT(0, pthread_sigmask(SIG_SETMASK, NULL, &mask_after));
  CHECK_INT(0, sigaltstack(NULL, &after));
  for (int number = 1; number < NSIG; number++) {
    if (!go_unblocks(number)) CHECK_INT(sigismember(&mask, number), sigismember(&mask_after, number));
  }
  if (own_stack != NULL) {
    CHECK(before.ss_sp == after.ss_sp && before.ss_size == after.ss_size && before.ss_flags == after.ss_flags);
  }
  return NULL;
}

static void test_signal_state(void) {
  void *stack = malloc(64 << 10);
  for (int with_stack = 0; with_stack < 2; with_stack++) {
    pthread_t thread;
    CHECK_INT(0, pthread_create(&thread, NULL, keep_signal_state, with_stack ? stack : NULL));
    pthread_join(thread, NULL);
  }
  free(stack);
}

int main(int argc, char **argv) {
  CHECK(mkdtemp(directory) != NULL);
  test_small_stacks();
  test_signal_state();
  int seconds = argc > 1 ? atoi(argv[1]) : 1;
  test_storm(seconds, SA_ONSTACK);
  test_storm(seconds, SA_RESTART);
  CHECK_INT(0, rmdir(directory)); /* every file was gone or whole, and none had another name */
  return finish("signals");
}
