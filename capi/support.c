/*
 * support.c - the state of a thread (its error text, its callbacks under way), of the process (fork, live handles), and
 * memory.
 *
 * A thread costs the library two words of static thread-local storage: a library that is opened late, or copied and
 * opened again after every fork, finds little of that left. The text itself is on the heap.
 */
#include "shim.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

int64_t shim_live_handles;
volatile int shim_forked;

/* ---------------------------------------------------------------- error text */

/* Longer than the longest path that a system takes, and a sentence around it. */
enum { TEXT_SIZE = 4608, SPARE_TEXTS = 16 };

static __thread char *thread_text __attribute__((tls_model("initial-exec")));
static pthread_key_t text_key; /* its destructor gives a finished thread's text back */
static bool have_text_key;

/* Texts for threads whose allocation was refused, so that the failure which matters most then is not lost. */
static char spare_text[SPARE_TEXTS][TEXT_SIZE];
static atomic_flag spare_taken[SPARE_TEXTS];

static char *take_text(void) {
  char *text = malloc(TEXT_SIZE);
  for (int i = 0; text == NULL && i < SPARE_TEXTS; i++) {
    if (!atomic_flag_test_and_set(&spare_taken[i])) text = spare_text[i];
  }
  return text;
}

static void give_text(void *memory) {
  char *text = memory;
  thread_text = NULL;
  if (text >= spare_text[0] && text < spare_text[0] + sizeof spare_text) {
    atomic_flag_clear(&spare_taken[(text - spare_text[0]) / TEXT_SIZE]);
  } else {
    free(text);
  }
}

/* This thread's text, or NULL where even the spare ones are in use. */
static char *own_text(void) {
  if (thread_text == NULL) {
    thread_text = take_text();
    if (thread_text == NULL) return NULL;
    if (have_text_key) pthread_setspecific(text_key, thread_text);
  }
  return thread_text;
}

/* Cuts before the character that no longer fits, never inside one. */
static size_t cut(const char *text, size_t size, size_t room) {
  if (size <= room) return size;
  while (room > 0 && ((unsigned char)text[room] & 0xC0) == 0x80) room--;
  return room;
}

static size_t append(char *text, size_t at, const char *more, size_t size) {
  static const char dots[] = "...";
  size_t room = TEXT_SIZE - sizeof dots - at;
  size_t fits = cut(more, size, room);
  for (size_t i = 0; i < fits; i++) {
    unsigned char c = (unsigned char)more[i];
    text[at++] = c < 0x20 || c == 0x7F ? ' ' : (char)c; /* one line */
  }
  if (fits < size) {
    memcpy(text + at, dots, sizeof dots - 1);
    at += sizeof dots - 1;
  }
  text[at] = '\0';
  return at;
}

void shim_record(const char *text, size_t size) {
  char *own = own_text();
  if (own != NULL) append(own, 0, text, size);
}

dv_status shim_refuse(dv_status status, const char *function, const char *argument, const char *text) {
  char *own = own_text();
  if (own != NULL) {
    size_t at = append(own, 0, function, strlen(function));
    at = append(own, at, ": ", 2);
    at = append(own, at, argument, strlen(argument));
    append(own, at, text, strlen(text));
  }
  return status;
}

const char *shim_text(void) { return thread_text != NULL ? thread_text : ""; }

/* ---------------------------------------------------------------------- fork */

static void in_child(void) { shim_forked = 1; }

/*
 * Go's threads take the mask of signals from the thread that loads the library. With the host's, they would be given signals
 * that the host blocks in each of its own threads because one of them waits for them: SIGTERM would end a process
 * that handles it. So everything is blocked while Go starts: this constructor comes before Go's own, which has no
 * priority, and start comes behind it, in the order of linking.
 */
static sigset_t loading_mask;
static bool loading;

__attribute__((constructor(101))) static void before_go(void) {
  sigset_t all;
  sigfillset(&all);
  loading = pthread_sigmask(SIG_SETMASK, &all, &loading_mask) == 0;
}

__attribute__((constructor)) static void start(void) {
  if (loading) pthread_sigmask(SIG_SETMASK, &loading_mask, NULL);
  pthread_atfork(NULL, NULL, in_child);
  have_text_key = pthread_key_create(&text_key, give_text) == 0;
}

/* -------------------------------------------------------------------- memory */

void *shim_malloc(size_t size) { return malloc(size); }
void *shim_realloc(void *memory, size_t size) { return realloc(memory, size); }
void shim_free(void *memory) { free(memory); }

/* ----------------------------------------------------------------- callbacks */

__thread shim_frame *shim_frames __attribute__((tls_model("initial-exec"), visibility("hidden")));

bool shim_in_use(const void *handle) {
  for (const shim_frame *f = shim_frames; f != NULL; f = f->outer) {
    for (int i = 0; i < SHIM_HELD; i++) {
      if (f->held[i] == handle) return handle != NULL;
    }
  }
  return false;
}

static shim_frame enter(void *const *held) {
  shim_frame frame = {{held[0], held[1], held[2]}, shim_frames};
  return frame;
}

int64_t shim_call_read_at(dv_read_at_fn read_at, uintptr_t context, int64_t offset, void *buffer, size_t size,
                          void *const *held) {
  shim_frame frame = enter(held);
  shim_frames = &frame;
  int64_t got = read_at((void *)context, offset, buffer, size);
  shim_frames = frame.outer;
  return got;
}

int32_t shim_call_write(dv_write_fn write, uintptr_t context, const void *data, size_t size, void *const *held) {
  shim_frame frame = enter(held);
  shim_frames = &frame;
  int32_t refused = write((void *)context, data, size);
  shim_frames = frame.outer;
  return refused;
}

int32_t shim_call_finish(dv_finish_fn finish, uintptr_t context, bool success, void *const *held) {
  shim_frame frame = enter(held);
  shim_frames = &frame;
  int32_t refused = finish((void *)context, success);
  shim_frames = frame.outer;
  return refused;
}
