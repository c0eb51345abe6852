/*
 * syscalls.c - the file system fails, or the process is killed, at every system call of a flush or a read in turn. Whatever
 * happens: the target is whole or not there, an older file under its name stays, a failure is told as one, and nothing
 * else is left in the directory.
 *
 * The calls run in a child that is traced (ptrace): at the chosen system call it gets an error instead, or SIGKILL.
 *
 *   syscalls [ROUNDS]     of killing at random times, 20 unless given
 */
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

/* What is in linux/ptrace.h, which does not go together with sys/ptrace.h everywhere. */
#define GET_SYSCALL_INFO 0x420e
struct syscall_info {
  uint8_t op, pad[3];
  uint32_t arch;
  uint64_t instruction_pointer, stack_pointer;
  union {
    struct {
      uint64_t number, arguments[6];
    } entry;
    struct {
      int64_t result;
      uint8_t is_error;
    } exit;
  };
};
enum { ON_ENTRY = 1, ON_EXIT = 2 };

static char directory[] = "/tmp/libdv-syscalls-XXXXXX";
static const char *const scenarios[] = {"puffin", "delta", "read"};

/* ---------------------------------------------------------------- the child */

static void fill(dv_t *dv, int from) {
  int64_t list[2000];
  for (int i = 0; i < 2000; i++) list[i] = from + (int64_t)i * 331;
  OK(dv_set_many(dv, list, 2000));
}

static dv_status flush_puffin(const dv_t *dv, const char *path) {
  dv_writer_t *writer = NULL;
  dv_sink_t *sink = NULL;
  dv_bytes entries = {NULL, 0};
  OK(dv_writer_new(NULL, &writer));
  OK(dv_writer_load(writer, "a", dv, 0, NULL));
  OK(dv_writer_load(writer, "b", dv, 0, NULL));
  dv_status status = dv_sink_path(path, &sink);
  if (status == DV_OK) status = dv_writer_flush(writer, sink, "x", &entries);
  CHECK((status == DV_OK) == (entries.data != NULL));
  dv_bytes_free(&entries);
  dv_sink_free(sink);
  dv_writer_free(writer);
  return status;
}

static dv_status write_delta(const dv_t *dv, const char *path) {
  dv_sink_t *sink = NULL;
  dv_delta_writer_t *writer = NULL;
  dv_delta_result at;
  dv_status status = dv_sink_path(path, &sink);
  if (status != DV_OK) return status;
  OK(dv_delta_writer_new(sink, &writer));
  for (int i = 0; i < 3 && status == DV_OK; i++) status = dv_delta_writer_write(writer, dv, &at);
  if (status == DV_OK) status = dv_delta_writer_finalize(writer);
  dv_delta_writer_free(writer);
  dv_sink_free(sink);
  return status;
}

/* Reads the puffin file that is at path. */
static dv_status read_back(const dv_t *dv, const char *path) {
  dv_source_t *source = NULL;
  dv_puffin_t *puffin = NULL;
  dv_t *read = NULL;
  bool same = false;
  dv_status status = dv_source_path(path, &source);
  if (status != DV_OK) return status;
  status = dv_puffin_open(source, &puffin);
  if (status == DV_OK) status = dv_puffin_read(puffin, 1, &read);
  if (status == DV_OK) {
    OK(dv_equals(dv, read, &same));
    CHECK(same);
  }
  dv_free(read);
  dv_puffin_free(puffin);
  dv_source_free(source);
  return status;
}

/* Runs a scenario between two stops, which tell the parent where it begins and ends. */
static int run_child(const char *scenario, const char *path) {
  dv_t *dv = NULL;
  OK(dv_new(&dv));
  fill(dv, 5);
  raise(SIGSTOP);
  dv_status status = strcmp(scenario, "puffin") == 0  ? flush_puffin(dv, path)
                     : strcmp(scenario, "delta") == 0 ? write_delta(dv, path)
                                                      : read_back(dv, path);
  raise(SIGSTOP);
  dv_free(dv);
  CHECK_INT(0, dv_live_handles());
  return check_failures != 0 ? 100 : (int)status;
}

/* Writes one file after the other until it is killed. */
static int run_endless(void) {
  dv_t *dv = NULL;
  char path[128];
  OK(dv_new(&dv));
  fill(dv, 5);
  for (int i = 0; check_failures == 0; i++) {
    snprintf(path, sizeof path, "%s/file-%d", directory, i);
    OK(flush_puffin(dv, path));
  }
  return 1;
}

/* --------------------------------------------------------------- the tracer */

/* What happens to the child at its system call number `at` (from 1 on; 0: nothing). */
typedef struct {
  int at;
  int error;   /* it fails with this one, */
  bool killed; /* or the process ends there, */
  bool after;  /* after the call was made */
  int lacks; /* what the file system does not have: 0 nothing, 1 unnamed files, 2 that and a rename that replaces nothing */
} fault;

static uint64_t struck; /* the number of the system call that the last fault met */

static bool concerns_files(uint64_t number) {
  static const long numbers[] = {SYS_openat,    SYS_newfstatat, SYS_fstat,  SYS_statx,     SYS_pread64,
                                 SYS_write,     SYS_fsync,      SYS_linkat, SYS_renameat2, SYS_unlinkat,
                                 SYS_prlimit64, SYS_close,      SYS_lseek};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    if (number == (uint64_t)numbers[i]) return true;
  }
  return false;
}

/* Makes the system call that the child enters a call of nothing, or changes the result of the one that it leaves. */
static void set_number(pid_t child, long number) {
#if defined(__x86_64__)
  CHECK(ptrace(PTRACE_POKEUSER, child, offsetof(struct user_regs_struct, orig_rax), number) == 0);
#elif defined(__aarch64__)
  int value = (int)number;
  struct iovec iov = {&value, sizeof value};
  CHECK(ptrace(PTRACE_SETREGSET, child, 0x404 /* NT_ARM_SYSTEM_CALL */, &iov) == 0);
#endif
}

static void set_result(pid_t child, long result) {
#if defined(__x86_64__)
  CHECK(ptrace(PTRACE_POKEUSER, child, offsetof(struct user_regs_struct, rax), result) == 0);
#elif defined(__aarch64__)
  struct user_regs_struct regs;
  struct iovec iov = {&regs, sizeof regs};
  CHECK(ptrace(PTRACE_GETREGSET, child, NT_PRSTATUS, &iov) == 0);
  regs.regs[0] = (unsigned long)result;
  CHECK(ptrace(PTRACE_SETREGSET, child, NT_PRSTATUS, &iov) == 0);
#endif
}

static pid_t start(const char *scenario, const char *path) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(126);
    execl("/proc/self/exe", "syscalls", "--child", scenario, path, NULL);
    _exit(127);
  }
  return child;
}

/* Runs a scenario under a fault. Returns the status that its calls ended with, -1 where it was killed; *calls is how many
 * system calls on files it made. */
static int run(const char *scenario, const char *path, fault f, int *calls) {
  int status = 0, stops = 0, count = 0;
  bool fails = false; /* at this call */
  long instead = 0;   /* its result */
  pid_t child = start(scenario, path);
  CHECK_INT(child, waitpid(child, &status, 0)); /* of the exec */
  if (WIFEXITED(status)) {
    fprintf(stderr, "syscalls: this system does not let a process trace its child (exit %d)\n", WEXITSTATUS(status));
    exit(1);
  }
  CHECK(ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) == 0);
  for (int signal = 0;;) {
    bool inside = stops == 1; /* between the two marks */
    CHECK(ptrace(inside ? PTRACE_SYSCALL : PTRACE_CONT, child, NULL, signal) == 0 || errno == ESRCH);
    if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) break;
    signal = WSTOPSIG(status);
    if (signal == SIGSTOP) {
      stops++;
      signal = 0;
    } else if (signal == (SIGTRAP | 0x80)) {
      struct syscall_info info;
      signal = 0;
      CHECK(ptrace(GET_SYSCALL_INFO, child, sizeof info, &info) > 0);
      if (info.op == ON_ENTRY && concerns_files(info.entry.number)) {
        bool unnamed = info.entry.number == SYS_openat && (info.entry.arguments[2] & O_TMPFILE) == O_TMPFILE;
        fails = (f.lacks >= 1 && unnamed) || (f.lacks >= 2 && info.entry.number == SYS_renameat2);
        instead = unnamed ? -EOPNOTSUPP : -EINVAL;
        if (++count == f.at) {
          struck = info.entry.number;
          if (!f.killed) fails = true, instead = -f.error;
          if (f.killed && !f.after) {
            kill(child, SIGKILL);
            fails = false;
          }
        }
        if (fails) set_number(child, -1);
      } else if (info.op == ON_EXIT) {
        if (f.killed && f.after && count == f.at) {
          kill(child, SIGKILL);
        } else if (fails) {
          set_result(child, instead);
        }
        fails = false;
      }
    } else if (signal == SIGTRAP) {
      signal = 0;
    }
  }
  *calls = count;
  if (WIFSIGNALED(status)) {
    CHECK(f.killed && WTERMSIG(status) == SIGKILL);
    return -1;
  }
  CHECK(WEXITSTATUS(status) <= DV_INTERNAL);
  return WEXITSTATUS(status);
}

/* -------------------------------------------------------------- what is left */

static uint8_t *whole[2]; /* the files of the first two scenarios */
static size_t whole_size[2];
static const char OLD[] = "what was there before";

static uint8_t *read_file(const char *path, size_t *size) {
  struct stat st;
  int fd = open(path, O_RDONLY);
  if (fd < 0) return NULL;
  CHECK(fstat(fd, &st) == 0);
  *size = (size_t)st.st_size;
  uint8_t *data = malloc(*size + 1);
  CHECK(read(fd, data, *size) == (ssize_t)*size);
  close(fd);
  return data;
}

static void write_file(const char *path, const void *data, size_t size) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
  close(fd);
}

/* Counts what is in the directory beside the target, and removes it: temporary files. */
static int others(void) {
  int count = 0;
  DIR *dir = opendir(directory);
  for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 || strcmp(entry->d_name, "target") == 0)
      continue;
    CHECK(strncmp(entry->d_name, ".libdv-", 7) == 0); /* nobody mistakes it for a table's file */
    CHECK(unlinkat(dirfd(dir), entry->d_name, 0) == 0);
    count++;
  }
  closedir(dir);
  return count;
}

static void complain(const char *scenario, const fault *f, const char *what) {
  fprintf(stderr, "%s, call %d (system call %d), lacking %d, %s%s: %s\n", scenario, f->at, (int)struck, f->lacks,
          f->killed ? "killed" : strerror(f->error), f->after ? " after it" : "", what);
  check_failures++;
}

/* One run of a writing scenario under a fault; old: there is a file under the target's name already. */
static void try_writing(int scenario, const char *target, fault f, bool old, int *calls) {
  unlink(target);
  if (old) write_file(target, OLD, sizeof OLD);
  int status = run(scenarios[scenario], target, f, calls);
  size_t size = 0;
  uint8_t *data = read_file(target, &size);
  bool is_old = data != NULL && size == sizeof OLD && memcmp(data, OLD, size) == 0;
  bool is_new = data != NULL && size == whole_size[scenario] && memcmp(data, whole[scenario], size) == 0;
  bool is_none = data == NULL;
  free(data);
  if (old ? !is_old : !is_new && !is_none)
    complain(scenarios[scenario], &f, "the target is neither whole nor as it was");
  if (status == DV_OK && !is_new) complain(scenarios[scenario], &f, "it succeeded, and the file is not there");
  if (status > DV_OK && status != DV_IO) complain(scenarios[scenario], &f, "its failure is no DV_IO");
  if (status == DV_IO && is_new) complain(scenarios[scenario], &f, "it failed, and the file is there");
  if (status == DV_IO && f.error == EINTR && !old)
    complain(scenarios[scenario], &f, "an interrupted call is made again");
  /* A process that is killed, and a file system that removes no file, leave the temporary file where there is one. */
  bool may_be_left = f.lacks > 0 && (f.killed || (struck == SYS_unlinkat && f.error != EINTR));
  if (others() > may_be_left) complain(scenarios[scenario], &f, "a temporary file is left");
}

/* Every system call in turn under each kind of fault, until there is none left. */
static void test_writing(int scenario, const char *target) {
  static const struct {
    int error;
    bool killed, after, old;
  } kinds[] = {{EIO, false, false, true}, {EINTR, false, false, false}, {0, true, false, false}, {0, true, true, true}};
  for (int lacks = 0; lacks < 3; lacks++) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
      fault f = {.error = kinds[i].error, .killed = kinds[i].killed, .after = kinds[i].after, .lacks = lacks};
      for (int old = 0; old <= kinds[i].old; old++) {
        int calls = 0;
        f.at = 0;
        do {
          f.at++;
          try_writing(scenario, target, f, old, &calls);
        } while (calls >= f.at);
        CHECK(calls >= 8);
      }
    }
  }
}

static void test_reading(const char *target) {
  int calls = 0, at = 0;
  write_file(target, whole[0], whole_size[0]);
  do {
    fault f = {.at = ++at, .error = EINTR};
    CHECK_INT(DV_OK, run("read", target, f, &calls));
    f.error = EIO;
    int status = run("read", target, f, &calls);
    bool matters = calls >= at && struck != SYS_close; /* it was only read */
    if (status != (matters ? DV_IO : DV_OK)) complain("read", &f, "it ends otherwise than it should");
  } while (calls >= at);
  CHECK(at > 3);
}

/* Killed at any time, wherever it is: every file that is there is whole. */
static void test_random_kills(int rounds) {
  unsigned state = (unsigned)time(NULL);
  int files = 0;
  for (int i = 0; i < rounds; i++) {
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
      execl("/proc/self/exe", "syscalls", "--endless", directory, NULL);
      _exit(127);
    }
    usleep(30000 + rand_r(&state) % 30000);
    kill(child, SIGKILL);
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
    DIR *dir = opendir(directory);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
      char path[512];
      if (entry->d_name[0] == '.' && strncmp(entry->d_name, ".libdv-", 7) != 0) continue;
      snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
      size_t size = 0;
      uint8_t *data = read_file(path, &size);
      CHECK(entry->d_name[0] == '.' || (size == whole_size[0] && memcmp(data, whole[0], size) == 0));
      free(data);
      unlink(path);
      files++;
    }
    closedir(dir);
  }
  CHECK(files > 0);
}

int main(int argc, char **argv) {
  char target[128];
  int calls = 0;
  if (argc == 4 && strcmp(argv[1], "--child") == 0) return run_child(argv[2], argv[3]);
  if (argc == 3 && strcmp(argv[1], "--endless") == 0) {
    strcpy(directory, argv[2]);
    return run_endless();
  }
  CHECK(mkdtemp(directory) != NULL);
  snprintf(target, sizeof target, "%s/target", directory);
  for (int scenario = 0; scenario < 2; scenario++) {
    CHECK_INT(DV_OK, run(scenarios[scenario], target, (fault){0}, &calls));
    whole[scenario] = read_file(target, &whole_size[scenario]);
    CHECK(whole[scenario] != NULL && whole_size[scenario] > 4000);
    unlink(target);
  }
  for (int scenario = 0; scenario < 2; scenario++) test_writing(scenario, target);
  test_reading(target);
  unlink(target);
  test_random_kills(argc > 1 ? atoi(argv[1]) : 20);
  CHECK_INT(0, rmdir(directory));
  free(whole[0]), free(whole[1]);
  return finish("syscalls");
}
