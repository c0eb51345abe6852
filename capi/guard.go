package main

// #include "shim.h"
// #cgo noescape shim_record
// #cgo nocallback shim_record
import "C"

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"unsafe"

	"github.com/libdv/libdv/internal/fault"
)

// statuses maps each kind of fault to its status.
var statuses = []struct {
	kind   error
	status C.dv_status
}{
	{fault.ErrInvalidArgument, C.DV_INVALID_ARGUMENT},
	{fault.ErrCorrupt, C.DV_CORRUPT},
	{fault.ErrMismatch, C.DV_MISMATCH},
	{fault.ErrUnsupported, C.DV_UNSUPPORTED},
	{fault.ErrLimit, C.DV_LIMIT},
	{fault.ErrIO, C.DV_IO},
	{fault.ErrTooSmall, C.DV_TOO_SMALL},
	{fault.ErrState, C.DV_STATE},
	{fault.ErrNoMemory, C.DV_NO_MEMORY},
}

// statusOf returns the status of an error. One that has no kind is a bug of ours.
func statusOf(err error) C.dv_status {
	kind := fault.Kind(err)
	for _, s := range statuses {
		if s.kind == kind {
			return s.status
		}
	}
	return C.DV_INTERNAL
}

// record keeps err for dv_last_error of this thread, and returns its status.
func record(err error) C.dv_status {
	text := strings.ToValidUTF8(err.Error(), "?")
	C.shim_record((*C.char)(unsafe.Pointer(unsafe.StringData(text))), C.size_t(len(text)))
	return statusOf(err)
}

// caught describes a recovered panic, from within the deferred function that recovered it.
//
// Memory that cannot be accessed is the caller's: a mapped file that was truncated, a buffer that
// is gone. Anything else is a bug of ours.
func caught(value any) error {
	if f, ok := value.(interface {
		runtime.Error
		Addr() uintptr
	}); ok {
		return fault.IO(nil, "memory at %#x cannot be accessed: a borrowed buffer is gone, or its mapped file was truncated",
			f.Addr())
	}
	return newBug(value)
}

// bug is what a panic becomes. It has no kind, hence DV_INTERNAL.
type bug struct {
	value any
	place string
}

func (b bug) Error() string { return fmt.Sprintf("a bug in libdv, at %s: %v", b.place, b.value) }

// newBug finds out where the panic under way began.
func newBug(value any) error {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs[:])])
	place, panicked := "an unknown place", false
	for {
		f, more := frames.Next()
		if panicked && !strings.HasPrefix(f.Function, "runtime.") {
			place = fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
			break
		}
		panicked = panicked || f.Function == "runtime.gopanic"
		if !more {
			break
		}
	}
	return bug{value, place}
}
