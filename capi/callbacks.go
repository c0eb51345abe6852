package main

// #include "shim.h"
import "C"

import (
	"fmt"
	"unsafe"
)

// A callback may come back into the library. So that such a call does not wait for locks which
// its own thread holds, every callback runs with the handles of its outer call listed as in use
// (see shim_in_use): a call on one of them is DV_STATE, a free takes effect when the outer call
// ends.

// handles is what a call holds while its callback runs.
type handles = [maxHeld]unsafe.Pointer

// reader is the caller's function behind a source.
type reader struct {
	readAt  C.dv_read_at_fn
	context uintptr // the caller's, and perhaps no address: Go must not take it for one
}

func (r reader) read(p []byte, off int64, held *handles) (int, error) {
	n := C.shim_call_read_at(r.readAt, C.uintptr_t(r.context), C.int64_t(off), unsafe.Pointer(unsafe.SliceData(p)), C.size_t(len(p)),
		&held[0])
	return int(n), nil // storage judges the count
}

// receiver is the caller's functions behind a sink.
type receiver struct {
	write   C.dv_write_fn
	finish  C.dv_finish_fn
	context uintptr // the caller's, and perhaps no address: Go must not take it for one
	held    handles // of the call that uses the sink now; one at a time does
}

func (r *receiver) take(p []byte) error {
	refused := C.shim_call_write(r.write, C.uintptr_t(r.context), unsafe.Pointer(unsafe.SliceData(p)), C.size_t(len(p)), &r.held[0])
	return callbackResult(refused)
}

func (r *receiver) end(success bool) error {
	return callbackResult(C.shim_call_finish(r.finish, C.uintptr_t(r.context), C.bool(success), &r.held[0]))
}

func callbackResult(refused C.int32_t) error {
	if refused != 0 {
		return fmt.Errorf("it reported failure (%d)", refused)
	}
	return nil
}
