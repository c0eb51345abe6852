/*
 * handlers.c - the host's signal handlers, those from before the library was loaded and those from after, go on to work; the
 * library touches no others than it needs. It is loaded with dlopen, closed, and opened again.
 *
 *   handlers LIBRARY
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "dv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      failures++;                                                             \
    }                                                                         \
  } while (0)

/* The functions that are used, found by name. */
/* clang-format does not agree with itself about this list. */
/* clang-format off */
#define FUNCTIONS(X)                                                                                         \
  X(dv_new)                                                                                                  \
  X(dv_free)                                                                                                 \
  X(dv_set)                                                                                                  \
  X(dv_cardinality)                                                                                          \
  X(dv_source_memory) X(dv_source_free) X(dv_read_range) X(dv_last_error) X(dv_live_handles) X(dv_serialize) \
      X(dv_view) X(dv_keep_mask) X(dv_positions) X(dv_bytes_free) X(dv_delta_descriptor_path)
/* clang-format on */
#define POINTER(name) static __typeof__(&name) p_##name;
FUNCTIONS(POINTER)

static void *load(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
#define FIND(name) *(void **)&p_##name = dlsym(library, #name);
  FUNCTIONS(FIND)
  return library;
}

static void use(void) {
  dv_t *dv = NULL;
  int64_t n = 0;
  CHECK(p_dv_new(&dv) == DV_OK);
  for (int i = 0; i < 1000; i++) CHECK(p_dv_set(dv, i * 70000) == DV_OK);
  CHECK(p_dv_cardinality(dv, &n) == DV_OK && n == 1000);
  p_dv_free(dv);
  CHECK(p_dv_live_handles() == 0);
}

/* -------------------------------------------------------- the host's faults */

static sigjmp_buf back;
static volatile int caught, handler;

static void on_fault_before(int number, siginfo_t *info, void *context) {
  (void)info, (void)context;
  caught = number, handler = 1;
  siglongjmp(back, 1);
}

static void on_fault_after(int number, siginfo_t *info, void *context) {
  (void)info, (void)context;
  caught = number, handler = 2;
  siglongjmp(back, 1);
}

static void install(int number, void (*action)(int, siginfo_t *, void *), struct sigaction *old) {
  struct sigaction now = {.sa_sigaction = action, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  CHECK(sigaction(number, &now, old) == 0);
}

/* A fault in the host's own code, as the virtual machines of hosts make them on purpose, reaches the handler. */
static void fault(int expected) {
  static volatile int *nowhere; /* NULL */
  caught = 0, handler = 0;
  if (sigsetjmp(back, 1) == 0) *nowhere = 1;
  CHECK(caught == SIGSEGV && handler == expected);
}

/* A mapped file that was cut short, lent to the library: the call fails, and no handler of the host's is asked. */
static void lost_mapping(void) {
  FILE *file = tmpfile();
  dv_source_t *source = NULL;
  dv_t *dv = NULL;
  CHECK(file != NULL && ftruncate(fileno(file), 8192) == 0);
  uint8_t *mapped = mmap(NULL, 8192, PROT_READ, MAP_SHARED, fileno(file), 0);
  CHECK(mapped != MAP_FAILED);
  CHECK(p_dv_source_memory(mapped, 8192, &source) == DV_OK);
  CHECK(ftruncate(fileno(file), 0) == 0);
  caught = 0;
  CHECK(p_dv_read_range(source, 4096, 4096, DV_UNKNOWN, &dv) == DV_IO);
  CHECK(strstr(p_dv_last_error(), "cannot be accessed") != NULL);
  CHECK(caught == 0);
  p_dv_source_free(source);
  munmap(mapped, 8192);
  fclose(file);
}

/* The same for a string whose end is gone. */
static void lost_string(void) {
  FILE *file = tmpfile();
  dv_bytes path = {NULL, 0};
  CHECK(file != NULL && ftruncate(fileno(file), 8192) == 0);
  char *mapped = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
  CHECK(mapped != MAP_FAILED);
  memset(mapped, ' ', 8191);
  CHECK(ftruncate(fileno(file), 4096) == 0);
  caught = 0;
  CHECK(p_dv_delta_descriptor_path(mapped + 4000, &path) == DV_IO);
  CHECK(caught == 0);
  munmap(mapped, 8192);
  fclose(file);
}

/* The same for a view, whose bytes are read by kernels in assembly. */
static void lost_view(void) {
  FILE *file = tmpfile();
  dv_t *dv = NULL, *view = NULL;
  dv_bytes blob = {NULL, 0};
  uint8_t mask[8192];
  int64_t positions[100];
  size_t count = 0;
  CHECK(file != NULL && p_dv_new(&dv) == DV_OK);
  for (int i = 0; i < 32768; i++) CHECK(p_dv_set(dv, 2 * i) == DV_OK);
  CHECK(p_dv_serialize(dv, &blob) == DV_OK);
  CHECK(fwrite(blob.data, 1, blob.size, file) == blob.size && fflush(file) == 0);
  uint8_t *mapped = mmap(NULL, blob.size, PROT_READ, MAP_SHARED, fileno(file), 0);
  CHECK(mapped != MAP_FAILED);
  CHECK(p_dv_view(mapped, blob.size, 32768, &view) == DV_OK);
  CHECK(p_dv_keep_mask(view, 0, 65536, mask, sizeof mask) == DV_OK && mask[0] == 0xAA);
  CHECK(ftruncate(fileno(file), 0) == 0);
  caught = 0;
  CHECK(p_dv_keep_mask(view, 0, 65536, mask, sizeof mask) == DV_IO);
  CHECK(p_dv_positions(view, 0, INT64_MAX, positions, 100, &count) == DV_IO);
  CHECK(caught == 0);
  p_dv_free(view);
  p_dv_free(dv);
  p_dv_bytes_free(&blob);
  munmap(mapped, blob.size);
  fclose(file);
}

/* ------------------------------------------------------------- Go's threads */

/* Every thread but this one is Go's: it blocks all signals but those that Go cannot do without, so that the host's are
 * never given to it. */
static void check_threads(void) {
  char path[300], line[200];
  int threads = 0;
  DIR *dir = opendir("/proc/self/task");
  for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
    unsigned long long blocked = 0;
    if (entry->d_name[0] == '.' || atoi(entry->d_name) == getpid()) continue;
    snprintf(path, sizeof path, "/proc/self/task/%s/status", entry->d_name);
    FILE *status = fopen(path, "r");
    if (status == NULL) continue;
    while (fgets(line, sizeof line, status) != NULL) sscanf(line, "SigBlk: %llx", &blocked);
    fclose(status);
    static const int unblocked[] = {SIGKILL,   SIGSTOP, SIGILL,  SIGTRAP, SIGBUS, SIGFPE, SIGSEGV,
                                    SIGSTKFLT, SIGCHLD, SIGPROF, SIGURG,  32,     33,     34};
    for (size_t i = 0; i < sizeof unblocked / sizeof unblocked[0]; i++) blocked |= 1ull << (unblocked[i] - 1);
    if (blocked != ~0ull) {
      fprintf(stderr, "thread %s blocks %llx alone\n", entry->d_name, blocked);
      failures++;
    }
    threads++;
  }
  if (dir != NULL) closedir(dir);
  CHECK(threads >= 2);
}

/* A signal that the host waits for gets to it, and ends nothing. */
static void wait_for_signal(void) {
  sigset_t term, before;
  struct timespec second = {1, 0};
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  CHECK(pthread_sigmask(SIG_BLOCK, &term, &before) == 0);
  CHECK(!sigismember(&before, SIGTERM)); /* loading has left no mask behind */
  CHECK(kill(getpid(), SIGTERM) == 0);
  usleep(1000);
  CHECK(sigtimedwait(&term, NULL, &second) == SIGTERM);
  CHECK(pthread_sigmask(SIG_SETMASK, &before, NULL) == 0);
}

/* --------------------------------------------------------------------- main */

static void on_other(int number) { caught = number; }

static void break_a_pipe(void) {
  int ends[2];
  CHECK(pipe(ends) == 0);
  close(ends[0]);
  CHECK(write(ends[1], "x", 1) < 0 && errno == EPIPE);
  close(ends[1]);
}

/* Runs this program anew, with SIGPIPE as it is by default, or ignored: a broken pipe does to it what the host wants. */
static void expect_end(char **argv, const char *how, int by) {
  int status = -1;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    signal(SIGPIPE, strcmp(how, "ignored") == 0 ? SIG_IGN : SIG_DFL);
    execl("/proc/self/exe", argv[0], argv[1], how, NULL);
    _exit(127);
  }
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(by == 0 ? WIFEXITED(status) && WEXITSTATUS(status) == 0 : WIFSIGNALED(status) && WTERMSIG(status) == by);
}

int main(int argc, char **argv) {
  struct sigaction before[NSIG], after;
  if (argc == 3) {
    load(argv[1]);
    use();
    break_a_pipe();
    return failures != 0;
  }
  if (argc != 2) return 2;
  install(SIGSEGV, on_fault_before, NULL);
  signal(SIGPIPE, on_other);
  signal(SIGUSR1, on_other);
  signal(SIGURG, on_other);
  for (int i = 1; i < NSIG; i++) sigaction(i, NULL, &before[i]);

  void *library = load(argv[1]);
  use();
  for (int i = 1; i < NSIG; i++) { /* the library handles five signals; of others it keeps the host's handler */
    bool own = i == SIGSEGV || i == SIGBUS || i == SIGFPE || i == SIGURG || i == SIGPIPE;
    if (sigaction(i, NULL, &after) != 0) continue;
    if ((after.sa_handler != before[i].sa_handler) != own) {
      fprintf(stderr, "signal %d: its handler is %sthe host's\n", i, own ? "" : "not ");
      failures++;
    }
    if (i == SIGUSR1) CHECK((after.sa_flags & SA_ONSTACK) != 0); /* it may come while Go code is on the thread */
  }
  check_threads();
  wait_for_signal();
  fault(1); /* passed on by the library's handler */
  fault(1);
  lost_mapping();
  lost_view();
  lost_string();
  caught = 0;
  raise(SIGUSR1);
  CHECK(caught == SIGUSR1);
  caught = 0;
  break_a_pipe();
  CHECK(caught == SIGPIPE); /* passed on, too */
  caught = 0;
  raise(SIGURG);
  CHECK(caught == 0); /* this one is not: Go interrupts its own threads with it */
  expect_end(argv, "default", SIGPIPE);
  expect_end(argv, "ignored", 0);

  struct sigaction go;
  install(SIGSEGV, on_fault_after, &go); /* a later one wins; it must hand on what is not its own */
  fault(2);
  use();
  CHECK(sigaction(SIGSEGV, &go, NULL) == 0);
  fault(1);
  lost_mapping();
  lost_view();
  lost_string();

  struct sigaction urgent = {.sa_handler = on_other, .sa_flags = SA_ONSTACK | SA_RESTART};
  CHECK(sigaction(SIGURG, &urgent, NULL) == 0); /* a later handler gets it, and Go's own with it */
  use();
  caught = 0;
  raise(SIGURG);
  CHECK(caught == SIGURG);

  /* Closing does not unload: Go's threads go on. Opened again, it is the same library. */
  CHECK(dlclose(library) == 0);
  CHECK(dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD) == library);
  CHECK(load(argv[1]) == library);
  use();
  if (failures == 0) printf("ok      handlers\n");
  return failures != 0;
}
