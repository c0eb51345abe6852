package main

// #include "shim.h"
import "C"

import (
	"unsafe"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/mumbling"
)

// bitmap is what a mumbling_t stands for. Its bytes are C memory, for mumbling_buffer lends them out.
type bitmap struct {
	*mumbling.Bitmap
	data unsafe.Pointer
}

func (b *bitmap) release(*entry) { C.shim_free(b.data) }

//export gomumbling_read
func gomumbling_read(data unsafe.Pointer, size C.size_t, out unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	from := input[byte](&c, data, size, "size")
	b := &bitmap{data: c.allocate(len(from))}
	if b.data == nil {
		return
	}
	own := unsafe.Slice((*byte)(b.data), len(from))
	copy(own, from)
	var err error
	b.Bitmap, err = mumbling.ReadOwned(own)
	c.giveHandle(out, kindMumbling, b, err)
	return
}

// bitmap holds the only handle of a call; nil where the call failed.
func (c *call) bitmap(handle unsafe.Pointer) *bitmap {
	e := c.hold(handle, kindMumbling, uses)
	if c.err != nil {
		return nil
	}
	return e.value.(*bitmap)
}

//export gomumbling_validate
func gomumbling_validate(handle unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if b := c.bitmap(handle); b != nil {
		c.err = b.Validate()
	}
	return
}

//export gomumbling_cardinality
func gomumbling_cardinality(handle unsafe.Pointer, out *C.int32_t) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if b := c.bitmap(handle); b != nil {
		*out = C.int32_t(b.Cardinality())
	}
	return
}

//export gomumbling_is_set
func gomumbling_is_set(handle unsafe.Pointer, position int32, out *C.bool) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if b := c.bitmap(handle); b != nil {
		var in bool
		if in, c.err = b.IsSet(position); c.err == nil {
			*out = C.bool(in)
		}
	}
	return
}

//export gomumbling_is_set_many
func gomumbling_is_set_many(handle, positions unsafe.Pointer, count C.size_t, out unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	list := input[int32](&c, positions, count, "count")
	if b := c.bitmap(handle); b != nil {
		c.err = b.IsSetMany(list, output[byte](out, count))
	}
	return
}

//export gomumbling_positions
func gomumbling_positions(handle, out unsafe.Pointer, capacity C.size_t, count *C.size_t) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if b := c.bitmap(handle); b != nil {
		n, err := b.Positions(output[int32](out, capacity))
		c.giveCount(count, n, err)
	}
	return
}

//export gomumbling_keep_mask
func gomumbling_keep_mask(handle unsafe.Pointer, start, length int32, out unsafe.Pointer,
	size C.size_t) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if b := c.bitmap(handle); b != nil {
		c.err = b.KeepMask(start, length, output[byte](out, size))
	}
	return
}

//export gomumbling_buffer
func gomumbling_buffer(handle, data unsafe.Pointer, size *C.size_t) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if b := c.bitmap(handle); b != nil {
		*(*unsafe.Pointer)(data) = b.data
		*size = C.size_t(len(b.Buffer()))
	}
	return
}

//export gomumbling_to_dv
func gomumbling_to_dv(handle, out unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if b := c.bitmap(handle); b != nil {
		v, err := b.ToVector()
		c.giveHandle(out, kindVector, v, err)
	}
	return
}

//export gomumbling_from_dv
func gomumbling_from_dv(vector unsafe.Pointer, out *C.dv_bytes) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if v := c.vector(vector, reads); v != nil {
		var data []byte
		data, c.err = mumbling.FromVector(v)
		c.giveCopy(out, data)
	}
	return
}

//export gomumbling_pfor_encode
func gomumbling_pfor_encode(values unsafe.Pointer, count C.size_t, out *C.dv_bytes) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if in := input[byte](&c, values, count, "count"); c.err == nil {
		c.giveCopy(out, mumbling.EncodePFOR(in))
	}
	return
}

//export gomumbling_pfor_decode
func gomumbling_pfor_decode(data unsafe.Pointer, size C.size_t, values unsafe.Pointer, count C.size_t,
	consumed *C.size_t) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	in := input[byte](&c, data, size, "size")
	out := input[byte](&c, values, count, "count")
	if c.err != nil {
		return
	}
	var n int
	if n, c.err = mumbling.DecodePFOR(in, out); c.err == nil {
		*consumed = C.size_t(n)
	}
	return
}

//export gomumbling_pfor_estimate
func gomumbling_pfor_estimate(count C.size_t, out *C.size_t) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	n := -1
	if uint64(count) <= maxMemory {
		n = mumbling.EstimatePFOR(int(count))
	}
	if n < 0 {
		c.err = fault.Invalid("count: %d is more than memory can hold", count)
		return
	}
	*out = C.size_t(n)
	return
}
