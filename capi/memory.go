package main

// #include "shim.h"
// #cgo nocallback shim_malloc
// #cgo nocallback shim_free
import "C"

import (
	"bytes"
	"errors"
	"unsafe"

	"github.com/libdv/libdv/internal/fault"
)

// maxMemory bounds what a caller can mean by a size: no process has more address space.
const maxMemory = 1 << 48

// room returns how many elements of a size can lie from p on.
func room(p unsafe.Pointer, size uintptr) uintptr {
	return min(maxMemory, -uintptr(p)) / size
}

// input is the caller's array of n elements, borrowed. A count that no memory can hold fails the
// call: Go would panic.
func input[T any](c *call, p unsafe.Pointer, n C.size_t, what string) []T {
	if n == 0 || c.err != nil {
		return nil
	}
	if uintptr(n) > room(p, unsafe.Sizeof(*new(T))) {
		c.err = fault.Invalid("%s: %d is more than memory can hold", what, n)
		return nil
	}
	return unsafe.Slice((*T)(p), int(n))
}

// output is the caller's buffer of n elements. A buffer may be larger than needed, so a count
// that no memory can hold means as much as there can be.
func output[T any](p unsafe.Pointer, n C.size_t) []T {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*T)(p), int(min(uintptr(n), room(p, unsafe.Sizeof(*new(T))))))
}

// text copies a string byte for byte; whether it is UTF-8 is asked by whoever needs that.
func text(p unsafe.Pointer) string { return C.GoString((*C.char)(p)) }

// lentText is the bytes of the caller's string, where they are: JSON can be long, and its parsers
// copy what they keep. nil for NULL.
func lentText(p unsafe.Pointer) []byte {
	if p == nil {
		return nil
	}
	return unsafe.Slice((*byte)(p), length(p))
}

// length is strlen in Go, where a fault in memory that is not there is recovered from. It looks at one
// page at a time: behind the one with the NUL there may be none.
func length(p unsafe.Pointer) (n int) {
	const page = 4096
	for {
		rest := unsafe.Slice((*byte)(unsafe.Add(p, n)), page-(uintptr(p)+uintptr(n))%page)
		if end := bytes.IndexByte(rest, 0); end >= 0 {
			return n + end
		}
		n += len(rest)
	}
}

// allocate returns size bytes of C memory and one more, 0, behind them; nil where the call failed. The
// memory is the call's only result: where the call fails after all, end frees it.
func (c *call) allocate(size int) unsafe.Pointer {
	if c.err != nil {
		return nil
	}
	p := C.shim_malloc(C.size_t(size) + 1)
	if p == nil {
		c.err = fault.NoMemory("%d bytes of memory for the result were refused", size)
		return nil
	}
	*(*byte)(unsafe.Add(p, size)) = 0
	c.result = p
	return p
}

// newBytes fills C memory of a known size with put, and hands it to the caller.
func (c *call) newBytes(out *C.dv_bytes, size int, put func(dst []byte)) {
	p := c.allocate(size)
	if p == nil {
		return
	}
	put(unsafe.Slice((*byte)(p), size))
	give(out, p, size)
}

// giveCopy hands a copy of data to the caller.
func (c *call) giveCopy(out *C.dv_bytes, data []byte) {
	c.newBytes(out, len(data), func(dst []byte) { copy(dst, data) })
}

func give(out *C.dv_bytes, p unsafe.Pointer, size int) {
	out.data = (*C.uint8_t)(p)
	out.size = C.size_t(size)
}

// giveHandle hands a new handle to the caller, unless the call failed.
func (c *call) giveHandle(out unsafe.Pointer, k kind, value any, err error) {
	if c.err == nil {
		c.err = err
	}
	if c.err == nil {
		*(*unsafe.Pointer)(out) = newHandle(k, value)
	}
}

// giveCount sets *count to what was written, or to what is needed where the buffer is too small.
func (c *call) giveCount(count *C.size_t, n int, err error) {
	c.err = err
	if err == nil || errors.Is(err, fault.ErrTooSmall) {
		*count = C.size_t(n)
	}
}
