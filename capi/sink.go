package main

// #include "shim.h"
import "C"

import (
	"unsafe"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/storage"
)

// sink is what a dv_sink_t stands for: where one file goes, once.
type sink struct {
	storage.Sink
	memory   *memorySink // what take gives; nil: another make
	receiver *receiver   // the caller's functions; nil: another make
	attached bool        // some writer has or had it
}

// attach gives the sink to a writer, for ever.
func (s *sink) attach() error {
	if s.attached {
		return fault.State("the dv_sink_t is finished, or attached to another writer: a sink serves one file")
	}
	s.attached = true
	return nil
}

// bind tells the sink's callbacks what the call under way holds.
func (s *sink) bind(held handles) {
	if s.receiver != nil {
		s.receiver.held = held
	}
}

// release drops the file unless it is committed or dropped already.
func (s *sink) release(self *entry) {
	s.bind(handles{self.at.self})
	s.Abort()
	if s.memory != nil {
		s.memory.free()
	}
}

//export godv_sink_memory
func godv_sink_memory(out unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	memory := &memorySink{}
	c.giveHandle(out, kindSink, &sink{Sink: memory, memory: memory}, nil)
	return
}

//export godv_sink_take
func godv_sink_take(handle unsafe.Pointer, out *C.dv_bytes) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	e := c.hold(handle, kindSink, changes)
	if !c.lock() {
		return
	}
	s := e.value.(*sink)
	if s.memory == nil {
		c.err = fault.State("take from a dv_sink_t that is not dv_sink_memory's: its bytes went elsewhere")
		return
	}
	var p unsafe.Pointer
	var size int
	if p, size, c.err = s.memory.take(); c.err == nil {
		give(out, p, size)
	}
	return
}

//export godv_sink_path
func godv_sink_path(name, out unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	file, err := storage.CreatePath(text(name))
	c.giveHandle(out, kindSink, &sink{Sink: file}, err)
	return
}

//export godv_sink_callbacks
func godv_sink_callbacks(context uintptr, write C.dv_write_fn, finish C.dv_finish_fn,
	out unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	r := &receiver{write: write, finish: finish, context: context}
	c.giveHandle(out, kindSink, &sink{Sink: storage.NewFuncSink(r.take, r.end), receiver: r}, nil)
	return
}
