package main

// #include "shim.h"
import "C"

import (
	"unsafe"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/storage"
)

// source is what a dv_source_t stands for: bytes, a file, or a function of the caller.
type source struct {
	fixed  storage.Source      // memory or path; nil: reader
	path   *storage.PathSource // to close
	reader reader
	size   int64 // of reader
}

// bind gives the source for one call: its callbacks must know what that call holds.
func (s *source) bind(c *call) storage.Source {
	if s.fixed != nil {
		return s.fixed
	}
	held := c.handles()
	return storage.NewFuncSource(s.size, func(p []byte, off int64) (int, error) {
		return s.reader.read(p, off, &held)
	})
}

func (s *source) release(*entry) {
	if s.path != nil {
		_ = s.path.Close() // it was only read
	}
}

// source holds the only handle of a call; nil where the call failed.
func (c *call) source(handle unsafe.Pointer) storage.Source {
	e := c.hold(handle, kindSource, uses)
	if c.err != nil {
		return nil
	}
	return e.value.(*source).bind(c)
}

// sourceOf holds the source that an object was made on. It may be gone, and the call may come from
// that source's own callback through this object, which shim.c cannot see.
func (c *call) sourceOf(e *entry, object kind) storage.Source {
	if c.err != nil {
		return nil
	}
	if !e.lifetime.enter() {
		c.err = fault.State("the dv_source_t of this %s was freed", object)
		return nil
	}
	c.add(e, uses)
	s := e.value.(*source)
	if s.fixed == nil && bool(C.shim_in_use(e.at.self)) {
		c.err = fault.State("the dv_source_t of this %s is being used by the call whose callback this is", object)
		return nil
	}
	return s.bind(c)
}

//export godv_source_memory
func godv_source_memory(data unsafe.Pointer, size C.size_t, out unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	bytes := input[byte](&c, data, size, "size")
	c.giveHandle(out, kindSource, &source{fixed: storage.Memory(bytes)}, nil)
	return
}

//export godv_source_path
func godv_source_path(name, out unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	file, err := storage.OpenPath(text(name))
	c.giveHandle(out, kindSource, &source{fixed: file, path: file}, err)
	return
}

//export godv_source_callbacks
func godv_source_callbacks(context uintptr, size int64, readAt C.dv_read_at_fn,
	out unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if size < 0 {
		c.err = fault.Invalid("size: %d bytes, 0 or more were expected", size)
		return
	}
	c.giveHandle(out, kindSource, &source{reader: reader{readAt, context}, size: size}, nil)
	return
}
