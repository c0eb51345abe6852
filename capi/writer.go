package main

// #include "shim.h"
import "C"

import (
	"unsafe"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/puffin"
)

//export godv_writer_new
func godv_writer_new(specsJSON, out unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	w, err := puffin.NewWriter(lentText(specsJSON))
	c.giveHandle(out, kindWriter, w, err)
	return
}

//export godv_writer_add
func godv_writer_add(handle, dataFile, positions unsafe.Pointer, count C.size_t, specID int32,
	partitionJSON unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	list := input[int64](&c, positions, count, "count")
	e := c.hold(handle, kindWriter, changes)
	if c.lock() {
		c.err = e.value.(*puffin.Writer).Add(text(dataFile), list, specID, lentText(partitionJSON))
	}
	return
}

//export godv_writer_load
func godv_writer_load(handle, dataFile, existing unsafe.Pointer, specID int32,
	partitionJSON unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	e := c.hold(handle, kindWriter, changes)
	v := c.hold(existing, kindVector, reads)
	if c.lock() {
		c.err = e.value.(*puffin.Writer).Load(text(dataFile), v.value.(*dv.Vector), specID, lentText(partitionJSON))
	}
	return
}

//export godv_writer_flush
func godv_writer_flush(handle, sinkHandle, location unsafe.Pointer, out *C.dv_bytes) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	e := c.hold(handle, kindWriter, changes)
	f := c.hold(sinkHandle, kindSink, changes)
	if !c.lock() {
		return
	}
	s := f.value.(*sink)
	if c.err = s.attach(); c.err != nil {
		return
	}
	s.bind(c.handles())
	defer s.Abort() // whatever happens, the sink is finished: after a commit this does nothing

	// The caller's copy is made before the commit: a file whose entries are lost would be garbage
	// that nobody knows of.
	var copied C.dv_bytes
	c.err = e.value.(*puffin.Writer).FlushTo(s, text(location), func(entries []byte) error {
		c.giveCopy(&copied, entries)
		return c.err
	})
	if c.err == nil {
		*out = copied
	}
	return
}
