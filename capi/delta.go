package main

// #include "shim.h"
import "C"

import (
	"unsafe"

	"github.com/libdv/libdv/internal/delta"
	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/storage"
)

// deltaWriter is what a dv_delta_writer_t stands for.
type deltaWriter struct {
	writer *delta.Writer
	sink   *entry
}

// release drops the file of a writer that was not finalized, unless the sink went first and did.
func (d *deltaWriter) release(self *entry) {
	if !d.sink.lifetime.enter() {
		return
	}
	defer d.sink.leave()
	d.sink.mu.Lock()
	defer d.sink.mu.Unlock()
	d.sink.value.(*sink).bind(handles{self.at.self, d.sink.at.self})
	d.writer.Abort()
}

//export godv_delta_writer_new
func godv_delta_writer_new(sinkHandle, out unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	e := c.hold(sinkHandle, kindSink, changes)
	if !c.lock() {
		return
	}
	s := e.value.(*sink)
	if c.err = s.attach(); c.err == nil {
		c.giveHandle(out, kindDeltaWriter, &deltaWriter{writer: delta.NewWriter(s), sink: e}, nil)
	}
	return
}

// deltaWriter holds a writer; nil where the call failed. Its sink comes last, see lockWithSink.
func (c *call) deltaWriter(handle unsafe.Pointer) *deltaWriter {
	e := c.hold(handle, kindDeltaWriter, changes)
	if c.err != nil {
		return nil
	}
	return e.value.(*deltaWriter)
}

// lockWithSink holds the sink of d as well, locks everything, and tells the sink's callbacks what
// the call holds.
func (c *call) lockWithSink(d *deltaWriter) bool {
	if c.err != nil {
		return false
	}
	if !d.sink.lifetime.enter() {
		c.err = fault.State("the dv_sink_t of this dv_delta_writer_t was freed")
		return false
	}
	c.add(d.sink, changes)
	if !c.lock() {
		return false
	}
	d.sink.value.(*sink).bind(c.handles())
	return true
}

//export godv_delta_writer_write
func godv_delta_writer_write(handle, vector unsafe.Pointer, out *C.dv_delta_result) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	d := c.deltaWriter(handle)
	v := c.hold(vector, kindVector, reads)
	if !c.lockWithSink(d) {
		return
	}
	var r delta.Result
	if r, c.err = d.writer.Write(v.value.(*dv.Vector)); c.err == nil {
		out.cardinality = C.int64_t(r.Cardinality)
		out.offset = C.int32_t(r.Offset)
		out.size_in_bytes = C.int32_t(r.SizeInBytes)
	}
	return
}

//export godv_delta_writer_finalize
func godv_delta_writer_finalize(handle unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	d := c.deltaWriter(handle)
	if c.lockWithSink(d) {
		c.err = d.writer.Finalize()
	}
	return
}

//export godv_delta_read
func godv_delta_read(source unsafe.Pointer, offset, sizeInBytes int32, cardinality int64,
	out unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if src := c.source(source); src != nil {
		v, err := delta.Read(src, offset, sizeInBytes, cardinality)
		c.giveHandle(out, kindVector, v, err)
	}
	return
}

//export godv_delta_inline_encode
func godv_delta_inline_encode(vector unsafe.Pointer, out *C.dv_bytes, sizeInBytes *C.int32_t) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if v := c.vector(vector, reads); v != nil {
		var encoded []byte
		var size int32
		encoded, size, c.err = delta.EncodeInline(v)
		if c.giveCopy(out, encoded); c.err == nil {
			*sizeInBytes = C.int32_t(size)
		}
	}
	return
}

//export godv_delta_inline_decode
func godv_delta_inline_decode(encoded unsafe.Pointer, size C.size_t, sizeInBytes int32, cardinality int64,
	out unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if in := input[byte](&c, encoded, size, "size"); c.err == nil {
		v, err := delta.DecodeInline(in, sizeInBytes, cardinality)
		c.giveHandle(out, kindVector, v, err)
	}
	return
}

//export godv_delta_descriptor_new
func godv_delta_descriptor_new(relativePath unsafe.Pointer, result *C.dv_delta_result,
	out *C.dv_bytes) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	var json []byte
	json, c.err = delta.NewDescriptor(text(relativePath), delta.Result{
		Cardinality: int64(result.cardinality),
		Offset:      int32(result.offset),
		SizeInBytes: int32(result.size_in_bytes),
	})
	c.giveCopy(out, json)
	return
}

//export godv_delta_descriptor_inline
func godv_delta_descriptor_inline(vector unsafe.Pointer, out *C.dv_bytes) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if v := c.vector(vector, reads); v != nil {
		var json []byte
		json, c.err = delta.InlineDescriptor(v)
		c.giveCopy(out, json)
	}
	return
}

// descriptor parses the JSON of one; nil where the call failed.
func (c *call) descriptor(json unsafe.Pointer) *delta.Descriptor {
	d, err := delta.ParseDescriptor(lentText(json))
	if err != nil {
		c.err = err
		return nil
	}
	return d
}

//export godv_delta_descriptor_path
func godv_delta_descriptor_path(json unsafe.Pointer, out *C.dv_bytes) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if d := c.descriptor(json); d != nil {
		c.giveCopy(out, []byte(d.Path()))
	}
	return
}

//export godv_delta_descriptor_unique_id
func godv_delta_descriptor_unique_id(json unsafe.Pointer, out *C.dv_bytes) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if d := c.descriptor(json); d != nil {
		c.giveCopy(out, []byte(d.UniqueID()))
	}
	return
}

//export godv_delta_descriptor_read
func godv_delta_descriptor_read(source, json, out unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	var src storage.Source
	if source != nil {
		src = c.source(source)
	}
	if c.err != nil {
		return
	}
	if d := c.descriptor(json); d != nil {
		v, err := d.Read(src)
		c.giveHandle(out, kindVector, v, err)
	}
	return
}
