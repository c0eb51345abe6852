package puffin

import (
	"math"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/storage"
)

// MaskAlign is what the places of the masks that KeepMasks writes are multiples of, in bytes.
// Source: https://arrow.apache.org/docs/format/Columnar.html#buffer-alignment-and-padding.
const MaskAlign = 64

// Masks says which masks KeepMasks writes: of blob Indices[i], or of blob i where Indices is
// nil, for the rows 0 to Lengths[i]-1.
type Masks struct {
	Indices []uint
	Lengths []int64
}

// blob is the number of the blob whose mask is number i.
func (m *Masks) blob(i int) uint {
	if m.Indices == nil {
		return uint(i)
	}
	return m.Indices[i]
}

// KeepMasks writes the keep masks of many blobs, each checked as by Read. They follow each other
// in out, each from a multiple of MaskAlign on, with zero bytes behind it up to there. It makes
// one request for each blob, none for one in memory.
//
// ErrInvalidArgument: there is no such blob, or a length is negative. ErrTooSmall: out does not
// hold the masks. In both cases nothing is written. The others are those of Read, and
// ErrInvalidArgument where a callback changed masks: after these the contents of out are
// unspecified.
func (f *File) KeepMasks(src storage.Source, masks Masks, out []byte) error {
	if err := f.checkMasks(&masks, len(out)); err != nil {
		return err
	}
	var buf []byte
	for i, length := range masks.Lengths {
		index, size := masks.blob(i), dv.MaskSize(length)
		// The caller's arrays may have changed since they were checked: a callback of src ran.
		if index >= uint(len(f.blobs)) || length < 0 || padded(size) > int64(len(out)) {
			return fault.Invalid("the index or the length of mask %d was changed during the call", i)
		}
		b := &f.blobs[index]
		var err error
		if buf, err = f.keepMask(src, b, length, out[:size], buf); err != nil {
			return fault.In(err, "blob %d at offset %d of the Puffin file", index, b.Offset)
		}
		clear(out[size:padded(size)])
		out = out[padded(size):]
	}
	return nil
}

// keepMask writes one mask. buf is memory that may be used, and what may be used next.
func (f *File) keepMask(src storage.Source, b *Blob, length int64, out, buf []byte) ([]byte, error) {
	if err := b.CheckVector(); err != nil {
		return buf, err
	}
	data, err := storage.ReadOver(buf, src, b.Offset, b.Length, "deletion vector blob")
	if err != nil {
		return buf, err
	}
	if _, lent := storage.Lent(src); !lent {
		buf = data
	}
	return buf, dv.BlobKeepMask(data, b.Cardinality, 0, length, out)
}

func (f *File) checkMasks(masks *Masks, room int) error {
	need := int64(0)
	for i, length := range masks.Lengths {
		if index := masks.blob(i); index >= uint(len(f.blobs)) {
			return fault.Invalid("mask %d is of blob %d of a Puffin file that has %d", i, index, len(f.blobs))
		}
		if length < 0 {
			return fault.Invalid("mask %d is for %d rows, expected 0 or more", i, length)
		}
		size := padded(dv.MaskSize(length))
		if size > math.MaxInt64-need {
			return fault.Invalid("the masks up to number %d take more bytes than there can be", i)
		}
		need += size
	}
	if int64(room) < need {
		return fault.TooSmall("a buffer of %d bytes, expected %d for %d masks", room, need, len(masks.Lengths))
	}
	return nil
}

// padded is how many bytes a mask takes among others.
func padded(size int64) int64 { return (size + MaskAlign - 1) &^ (MaskAlign - 1) }
