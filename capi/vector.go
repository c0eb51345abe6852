package main

// #include "shim.h"
import "C"

import (
	"unsafe"

	"github.com/libdv/libdv/internal/dv"
)

//export godv_new
func godv_new(out unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	c.giveHandle(out, kindVector, dv.New(), nil)
	return
}

//export godv_copy
func godv_copy(handle, out unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if v := c.vector(handle, reads); v != nil {
		c.giveHandle(out, kindVector, v.Clone(), nil)
	}
	return
}

//export godv_set
func godv_set(handle unsafe.Pointer, position int64) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if v := c.vector(handle, changes); v != nil {
		c.err = v.Set(position)
	}
	return
}

//export godv_set_many
func godv_set_many(handle, positions unsafe.Pointer, count C.size_t) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	list := input[int64](&c, positions, count, "count")
	if v := c.vector(handle, changes); v != nil {
		c.err = v.SetMany(list)
	}
	return
}

//export godv_set_range
func godv_set_range(handle unsafe.Pointer, start, end int64) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if v := c.vector(handle, changes); v != nil {
		c.err = v.SetRange(start, end)
	}
	return
}

//export godv_or
func godv_or(handle, other unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if v, o := c.changed(handle, other); o != nil {
		c.err = v.Or(o)
	}
	return
}

//export godv_andnot
func godv_andnot(handle, other unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if v, o := c.changed(handle, other); o != nil {
		c.err = v.AndNot(o)
	}
	return
}

// changed holds a vector that another one changes. Where other is NULL there is nothing to do.
func (c *call) changed(handle, other unsafe.Pointer) (v, o *dv.Vector) {
	e := c.hold(handle, kindVector, changes)
	if other == nil || c.err != nil {
		return nil, nil
	}
	f := c.hold(other, kindVector, reads)
	if !c.lock() {
		return nil, nil
	}
	return e.value.(*dv.Vector), f.value.(*dv.Vector)
}

//export godv_run_length_encode
func godv_run_length_encode(handle unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if v := c.vector(handle, changes); v != nil {
		v.RunLengthEncode()
	}
	return
}

//export godv_contains
func godv_contains(handle unsafe.Pointer, position int64, out *C.bool) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if v := c.vector(handle, reads); v != nil {
		var in bool
		if in, c.err = v.Contains(position); c.err == nil {
			*out = C.bool(in)
		}
	}
	return
}

//export godv_contains_many
func godv_contains_many(handle, positions unsafe.Pointer, count C.size_t, out unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	list := input[int64](&c, positions, count, "count")
	if v := c.vector(handle, reads); v != nil {
		c.err = v.ContainsMany(list, output[byte](out, count))
	}
	return
}

//export godv_cardinality
func godv_cardinality(handle unsafe.Pointer, out *C.int64_t) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if v := c.vector(handle, reads); v != nil {
		*out = C.int64_t(v.Cardinality())
	}
	return
}

//export godv_count
func godv_count(handle unsafe.Pointer, start, end int64, out *C.int64_t) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if v := c.vector(handle, reads); v != nil {
		var n int64
		if n, c.err = v.Count(start, end); c.err == nil {
			*out = C.int64_t(n)
		}
	}
	return
}

//export godv_is_empty
func godv_is_empty(handle unsafe.Pointer, out *C.bool) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if v := c.vector(handle, reads); v != nil {
		*out = C.bool(v.IsEmpty())
	}
	return
}

//export godv_equals
func godv_equals(a, b unsafe.Pointer, out *C.bool) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	ea := c.hold(a, kindVector, reads)
	eb := c.hold(b, kindVector, reads)
	if c.lock() {
		*out = C.bool(ea.value.(*dv.Vector).Equals(eb.value.(*dv.Vector)))
	}
	return
}
