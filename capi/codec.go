package main

// #include "shim.h"
import "C"

import (
	"bytes"
	"unsafe"

	"github.com/libdv/libdv/internal/dv"
)

//export godv_serialize
func godv_serialize(handle unsafe.Pointer, out *C.dv_bytes) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if v := c.vector(handle, reads); v != nil {
		encoding, err := v.EncodeBlob()
		c.giveEncoding(out, encoding, err)
	}
	return
}

//export godv_serialize_bitmap
func godv_serialize_bitmap(handle unsafe.Pointer, out *C.dv_bytes) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if v := c.vector(handle, reads); v != nil {
		encoding, err := v.EncodeBitmap()
		c.giveEncoding(out, encoding, err)
	}
	return
}

// giveEncoding writes a planned encoding straight into the memory that the caller will own.
func (c *call) giveEncoding(out *C.dv_bytes, encoding *dv.Encoding, err error) {
	if err != nil {
		c.err = err
		return
	}
	c.newBytes(out, encoding.Size(), encoding.Put)
}

//export godv_deserialize
func godv_deserialize(data unsafe.Pointer, size C.size_t, expected int64, out unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if blob := input[byte](&c, data, size, "size"); c.err == nil {
		v, err := dv.CopyBlob(blob, expected)
		c.giveHandle(out, kindVector, v, err)
	}
	return
}

//export godv_view
func godv_view(data unsafe.Pointer, size C.size_t, expected int64, out unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if blob := input[byte](&c, data, size, "size"); c.err == nil {
		v, err := dv.ViewBlob(blob, expected)
		c.giveHandle(out, kindVector, v, err)
	}
	return
}

//export godv_deserialize_bitmap
func godv_deserialize_bitmap(data unsafe.Pointer, size C.size_t, out unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if bitmap := input[byte](&c, data, size, "size"); c.err == nil {
		v, err := dv.ParseBitmap(bytes.Clone(bitmap))
		c.giveHandle(out, kindVector, v, err)
	}
	return
}

//export godv_blob_keep_mask
func godv_blob_keep_mask(data unsafe.Pointer, size C.size_t, expected, start, length int64, out unsafe.Pointer,
	outSize C.size_t) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if blob := input[byte](&c, data, size, "size"); c.err == nil {
		c.err = dv.BlobKeepMask(blob, expected, start, length, output[byte](out, outSize))
	}
	return
}

//export godv_blob_positions
func godv_blob_positions(data unsafe.Pointer, size C.size_t, expected int64, out unsafe.Pointer, capacity C.size_t,
	count *C.size_t) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if blob := input[byte](&c, data, size, "size"); c.err == nil {
		n, err := dv.BlobPositions(blob, expected, output[int64](out, capacity))
		c.giveCount(count, n, err)
	}
	return
}

//export godv_blob_from_positions
func godv_blob_from_positions(positions unsafe.Pointer, count C.size_t, out *C.dv_bytes) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	list := input[int64](&c, positions, count, "count")
	if c.err != nil {
		return
	}
	v := dv.New()
	defer v.Release()
	if c.err = v.SetMany(list); c.err == nil {
		encoding, err := v.EncodeBlob()
		c.giveEncoding(out, encoding, err)
	}
	return
}

//export godv_read_range
func godv_read_range(source unsafe.Pointer, offset, size, expected int64, out unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if src := c.source(source); src != nil {
		v, err := dv.ReadRange(src, offset, size, expected)
		c.giveHandle(out, kindVector, v, err)
	}
	return
}
