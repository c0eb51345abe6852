//go:build dvpanic

package main

// #include <stdint.h>
// extern int32_t shim_panic_at;
import "C"

import "sync/atomic"

// Where a call can be made to panic. The order is that of dv_panic_next.
const (
	panicAtBegin = iota + 1 // with nothing held
	panicLocked             // with its objects locked
	panicHeld               // with an object held, before it is locked
)

// panicPoint panics where dv_panic_next asked for it, once.
func panicPoint(at int32) {
	if atomic.CompareAndSwapInt32((*int32)(&C.shim_panic_at), at, 0) {
		panic("on demand")
	}
}
