package main

// #include "shim.h"
// #cgo nocallback shim_realloc
import "C"

import (
	"unsafe"

	"github.com/libdv/libdv/internal/fault"
)

// memorySink collects a file in C memory, which take hands over as it is.
type memorySink struct {
	p        unsafe.Pointer
	size     int
	capacity int // beyond it one byte is left for the 0 that ends every dv_bytes
	end      string
}

const (
	sinkCommitted = "committed"
	sinkDropped   = "dropped"
	sinkTaken     = "committed and taken"
)

func (s *memorySink) ended(action string) error {
	if s.end == "" {
		return nil
	}
	return fault.State("%s a sink that was %s", action, s.end)
}

// Write appends p. A refused allocation drops the file, as any failed write does.
func (s *memorySink) Write(p []byte) error {
	if err := s.ended("write to"); err != nil {
		return err
	}
	if err := s.reserve(s.size + len(p)); err != nil {
		s.Abort()
		return err
	}
	copy(unsafe.Slice((*byte)(s.p), s.capacity)[s.size:], p)
	s.size += len(p)
	return nil
}

// reserve makes room for size bytes in all.
func (s *memorySink) reserve(size int) error {
	if s.p != nil && size <= s.capacity {
		return nil
	}
	capacity := max(size, 2*s.capacity, 4096)
	p := C.shim_realloc(s.p, C.size_t(capacity)+1)
	if p == nil {
		return fault.NoMemory("%d bytes of memory for the sink were refused", capacity)
	}
	s.p, s.capacity = p, capacity
	return nil
}

// Commit makes the bytes available to take.
func (s *memorySink) Commit() error {
	if err := s.ended("commit of"); err != nil {
		return err
	}
	if err := s.reserve(s.size); err != nil { // a file of no bytes
		s.Abort()
		return err
	}
	s.end = sinkCommitted
	return nil
}

// Abort drops the bytes.
func (s *memorySink) Abort() {
	if s.end == "" {
		s.end = sinkDropped
		s.free()
	}
}

// take hands over the committed bytes, once.
func (s *memorySink) take() (unsafe.Pointer, int, error) {
	switch s.end {
	case "":
		return nil, 0, fault.State("take from a sink that is not committed yet")
	case sinkCommitted:
		p := s.p
		*(*byte)(unsafe.Add(p, s.size)) = 0
		s.p, s.end = nil, sinkTaken
		return p, s.size, nil
	}
	return nil, 0, s.ended("take from")
}

// free gives the memory back, if it is still here.
func (s *memorySink) free() {
	C.shim_free(s.p)
	s.p = nil
}
