/*
 * shim.h - what the C and the Go half of the border share. Private: hosts see include/dv.h only.
 *
 * Public function dv_x (shim.c)   checks what needs no Go: fork, NULL, re-entrance
 *   -> godv_x (capi/x.go)         restores the handles, locks them, recovers, calls a codec
 *   -> shim_* (support.c)         memory that C will own, the error text, the user's callbacks
 */
#ifndef LIBDV_SHIM_H
#define LIBDV_SHIM_H

#include "dv.h"

/* Handles made and not yet freed. It lives here so that dv_live_handles need not enter Go, which a forked child must
 * not. */
extern int64_t shim_live_handles;

/* Set in the child of a fork(): Go's threads are not there, a call into it would hang. */
extern volatile int shim_forked;

/* The text of this thread's last failure: one line, cut where it is longer than any sensible one; "" if none. */
void shim_record(const char *text, size_t size);
const char *shim_text(void);

/* Records "function: text" for a failure that is found before Go is entered, and returns status. */
dv_status shim_refuse(dv_status status, const char *function, const char *argument, const char *text);

/* malloc, realloc and free, with a NULL that the caller sees: cgo's own C.malloc ends the process instead. */
void *shim_malloc(size_t size);
void *shim_realloc(void *memory, size_t size);
void shim_free(void *memory);

/* What a handle stands for. */
enum {
  SHIM_VECTOR = 1,
  SHIM_SOURCE,
  SHIM_SINK,
  SHIM_PUFFIN,
  SHIM_WRITER,
  SHIM_DELTA_WRITER,
  SHIM_MUMBLING,
};

/* The handles that a call holds while it runs one of the caller's functions. They are listed per thread, innermost call
 * first, so that a call which comes back out of that function can tell whether its handle is in use by its own
 * thread. */
enum { SHIM_HELD = 3 };
typedef struct shim_frame {
  const void *held[SHIM_HELD];
  struct shim_frame *outer;
} shim_frame;
extern __thread shim_frame *shim_frames __attribute__((tls_model("initial-exec"), visibility("hidden")));

bool shim_in_use(const void *handle);

/* Run the caller's function with held (SHIM_HELD handles, NULL where there are fewer) listed as in use. */
int64_t shim_call_read_at(dv_read_at_fn read_at, uintptr_t context, int64_t offset, void *buffer, size_t size,
                          void *const *held);
int32_t shim_call_write(dv_write_fn write, uintptr_t context, const void *data, size_t size, void *const *held);
int32_t shim_call_finish(dv_finish_fn finish, uintptr_t context, bool success, void *const *held);

#endif /* LIBDV_SHIM_H */
