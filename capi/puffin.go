package main

// #include "shim.h"
import "C"

import (
	"unsafe"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/puffin"
)

// puffinFile is what a dv_puffin_t stands for: a footer, and the source that it came from.
type puffinFile struct {
	file   *puffin.File
	source *entry
	blobs  unsafe.Pointer // C memory: what dv_puffin_blob_at lends out
}

func (p *puffinFile) release(*entry) { C.shim_free(p.blobs) }

//export godv_puffin_open
func godv_puffin_open(handle, out unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	src := c.source(handle)
	if src == nil {
		return
	}
	p := &puffinFile{source: c.held[0].entry}
	if p.file, c.err = puffin.Open(src); c.err != nil {
		return
	}
	if p.blobs = c.lendBlobs(p.file.Blobs()); p.blobs != nil {
		c.giveHandle(out, kindPuffin, p, nil)
	}
	return
}

const blobSize = C.sizeof_dv_puffin_blob

// lendBlobs makes the C form of a file's blobs: an array, and behind it the strings it points to. nil where
// the call failed.
func (c *call) lendBlobs(blobs []puffin.Blob) unsafe.Pointer {
	size := len(blobs) * blobSize
	for i := range blobs {
		size += len(blobs[i].Type) + len(blobs[i].Codec) + len(blobs[i].DataFile) + 3
	}
	block := c.allocate(size)
	if block == nil {
		return nil
	}
	strings := unsafe.Slice((*byte)(block), size)[len(blobs)*blobSize:]
	lend := func(s string, has bool) *C.char {
		if !has {
			return nil
		}
		start := &strings[0]
		strings[copy(strings, s)] = 0
		strings = strings[len(s)+1:]
		return (*C.char)(unsafe.Pointer(start))
	}
	for i := range blobs {
		b, from := blobAt(block, i), &blobs[i]
		b._type = lend(from.Type, true)
		b.compression_codec = lend(from.Codec, from.HasCodec)
		b.referenced_data_file = lend(from.DataFile, from.HasDataFile)
		b.cardinality = C.int64_t(from.Cardinality)
		b.offset = C.int64_t(from.Offset)
		b.length = C.int64_t(from.Length)
		b.snapshot_id = C.int64_t(from.SnapshotID)
		b.sequence_number = C.int64_t(from.SequenceNumber)
	}
	return block
}

func blobAt(block unsafe.Pointer, i int) *C.dv_puffin_blob {
	return (*C.dv_puffin_blob)(unsafe.Add(block, i*blobSize))
}

// puffin holds a Puffin file; nil where the call failed.
func (c *call) puffin(handle unsafe.Pointer) *puffinFile {
	e := c.hold(handle, kindPuffin, uses)
	if c.err != nil {
		return nil
	}
	return e.value.(*puffinFile)
}

//export godv_puffin_count
func godv_puffin_count(handle unsafe.Pointer, out *C.size_t) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if p := c.puffin(handle); p != nil {
		*out = C.size_t(len(p.file.Blobs()))
	}
	return
}

//export godv_puffin_blob_at
func godv_puffin_blob_at(handle unsafe.Pointer, index C.size_t, out unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	p := c.puffin(handle)
	if p == nil {
		return
	}
	if count := len(p.file.Blobs()); index >= C.size_t(count) {
		c.err = fault.Invalid("puffin file: there is no blob %d, it has %d", index, count)
		return
	}
	*(*unsafe.Pointer)(out) = unsafe.Pointer(blobAt(p.blobs, int(index)))
	return
}

//export godv_puffin_footer_json
func godv_puffin_footer_json(handle unsafe.Pointer, out *C.dv_bytes) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if p := c.puffin(handle); p != nil {
		c.giveCopy(out, p.file.FooterJSON())
	}
	return
}

//export godv_puffin_read
func godv_puffin_read(handle unsafe.Pointer, index C.size_t, out unsafe.Pointer) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	p := c.puffin(handle)
	if p == nil {
		return
	}
	if count := len(p.file.Blobs()); index >= C.size_t(count) {
		c.err = fault.Invalid("puffin file: there is no blob %d, it has %d", index, count)
		return
	}
	if src := c.sourceOf(p.source, kindPuffin); src != nil {
		v, err := p.file.Read(src, int(index))
		c.giveHandle(out, kindVector, v, err)
	}
	return
}

//export godv_puffin_keep_masks
func godv_puffin_keep_masks(handle, indices, lengths unsafe.Pointer, count C.size_t, out unsafe.Pointer,
	size C.size_t) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	p := c.puffin(handle)
	if p == nil {
		return
	}
	masks := puffin.Masks{Lengths: input[int64](&c, lengths, count, "count")}
	if indices != nil {
		masks.Indices = input[uint](&c, indices, count, "count")
	}
	if src := c.sourceOf(p.source, kindPuffin); src != nil {
		c.err = p.file.KeepMasks(src, masks, output[byte](out, size))
	}
	return
}

// entryOf collects what a manifest entry says.
func entryOf(offset, size, count int64, dataFile unsafe.Pointer) puffin.Entry {
	return puffin.Entry{ContentOffset: offset, ContentSize: size, RecordCount: count, DataFile: text(dataFile)}
}

//export godv_puffin_read_entry
func godv_puffin_read_entry(handle unsafe.Pointer, offset, size, count int64, dataFile, out unsafe.Pointer,
	warnings *C.uint32_t) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	p := c.puffin(handle)
	if p == nil {
		return
	}
	if src := c.sourceOf(p.source, kindPuffin); src != nil {
		v, warned, err := p.file.ReadEntry(src, entryOf(offset, size, count, dataFile))
		c.giveWarned(out, warnings, v, warned, err)
	}
	return
}

//export godv_read
func godv_read(source unsafe.Pointer, offset, size, count int64, dataFile, out unsafe.Pointer,
	warnings *C.uint32_t) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	if src := c.source(source); src != nil {
		v, warned, err := puffin.ReadEntry(src, entryOf(offset, size, count, dataFile))
		c.giveWarned(out, warnings, v, warned, err)
	}
	return
}

// giveWarned hands out a vector and, to a caller who asked for them, the warnings.
func (c *call) giveWarned(out unsafe.Pointer, warnings *C.uint32_t, v *dv.Vector, warned uint32, err error) {
	c.giveHandle(out, kindVector, v, err)
	if c.err == nil && warnings != nil {
		*warnings = C.uint32_t(warned)
	}
}
