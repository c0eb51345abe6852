//go:build dvpanic

/*
 * panic_on.c - in the build that tests the guard, the one exported function that is in no header.
 */
#include <stdint.h>

int32_t shim_panic_at;

/* Makes the next call that comes to a place panic there: 1 with nothing held, 2 with its objects locked, 3 with an object
 * held and none locked; 0: none. Returns what was left from before. */
__attribute__((visibility("default"))) int32_t dv_panic_next(int32_t at) {
  return __atomic_exchange_n(&shim_panic_at, at, __ATOMIC_SEQ_CST);
}
