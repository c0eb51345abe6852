package main

// #include "shim.h"
import "C"

import "unsafe"

//export godv_positions
func godv_positions(handle unsafe.Pointer, start, end int64, out unsafe.Pointer, capacity C.size_t,
	count *C.size_t) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if v := c.vector(handle, reads); v != nil {
		n, err := v.Positions(start, end, output[int64](out, capacity))
		c.giveCount(count, n, err)
	}
	return
}

//export godv_keep_mask
func godv_keep_mask(handle unsafe.Pointer, start, length int64, out unsafe.Pointer,
	size C.size_t) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if v := c.vector(handle, reads); v != nil {
		c.err = v.KeepMask(start, length, output[byte](out, size))
	}
	return
}

//export godv_delete_mask
func godv_delete_mask(handle unsafe.Pointer, start, length int64, out unsafe.Pointer,
	size C.size_t) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if v := c.vector(handle, reads); v != nil {
		c.err = v.DeleteMask(start, length, output[byte](out, size))
	}
	return
}

//export godv_keep_bytes
func godv_keep_bytes(handle unsafe.Pointer, start, length int64, out unsafe.Pointer,
	size C.size_t) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if v := c.vector(handle, reads); v != nil {
		c.err = v.KeepBytes(start, length, output[byte](out, size))
	}
	return
}

//export godv_keep_indices
func godv_keep_indices(handle unsafe.Pointer, start, length int64, out unsafe.Pointer, capacity C.size_t,
	count *C.size_t) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if v := c.vector(handle, reads); v != nil {
		n, err := v.KeepIndices(start, length, output[uint32](out, capacity))
		c.giveCount(count, n, err)
	}
	return
}
