package dv

import (
	"encoding/binary"
	"math"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/kernel"
)

const (
	frameHead = 8 // length and magic
	frameSize = frameHead + 4
)

// Encoding is a serialisation that was planned: its size is known and its bytes are written
// once, straight to where they belong. It is valid until the vector changes.
type Encoding struct {
	v      *Vector
	shapes []shape
	size   int
	framed bool
}

// shape is the form in which one container is written.
type shape struct {
	runs int32
	kind kind
}

// EncodeBlob plans the deletion-vector-v1 blob: every container in its smallest form, no
// empty bitmaps. ErrLimit where it would not fit 2^31-1 bytes.
func (v *Vector) EncodeBlob() (*Encoding, error) {
	e := v.plan(true)
	e.size += frameSize
	if e.size > math.MaxInt32 {
		return nil, fault.Limit("a deletion-vector-v1 blob of %d bytes, expected at most %d", e.size, math.MaxInt32)
	}
	return e, nil
}

// EncodeBitmap plans the bare bitmap with every container as it stands.
func (v *Vector) EncodeBitmap() (*Encoding, error) {
	return v.plan(false), nil
}

// plan sizes a blob, or a bare bitmap.
func (v *Vector) plan(framed bool) *Encoding {
	n := v.containers()
	v.settle(0, n)
	e := &Encoding{v: v, shapes: make([]shape, n), size: 8, framed: framed}
	var c container
	for lo := 0; lo < n; {
		hi := v.highEnd(lo)
		hasRuns := false
		for i := lo; i < hi; i++ {
			c = v.at(i)
			s := shape{kind: c.kind, runs: int32(len(c.data) / 4)}
			if framed {
				to, runs := smallest(&c)
				s = shape{kind: to, runs: int32(runs)}
			}
			e.shapes[i] = s
			hasRuns = hasRuns || s.kind == runKind
			e.size += formSize(s.kind, c.card, int(s.runs))
		}
		e.size += 4 + headSize(hi-lo, hasRuns)
		lo = hi
	}
	return e
}

// highEnd gives the end of the containers whose upper 32 position bits are those of container lo.
func (v *Vector) highEnd(lo int) int { return v.search((v.keyAt(lo)>>16 + 1) << 16) }

// headSize is what stands before the containers of a 32-bit bitmap.
func headSize(n int, hasRuns bool) int {
	switch {
	case !hasRuns:
		return 8 + 8*n
	case n < noOffsetLimit:
		return 4 + (n+7)/8 + 4*n
	default:
		return 4 + (n+7)/8 + 8*n
	}
}

// Size is the number of bytes.
func (e *Encoding) Size() int { return e.size }

// Cardinality is the number of positions.
func (e *Encoding) Cardinality() int64 { return e.v.card }

// Bytes returns the serialisation in memory of its own.
func (e *Encoding) Bytes() []byte {
	out := make([]byte, e.size)
	e.Put(out)
	return out
}

// Put writes the serialisation to dst, which has exactly Size bytes.
func (e *Encoding) Put(dst []byte) {
	if !e.framed {
		e.putBitmap(dst)
		return
	}
	binary.BigEndian.PutUint32(dst, uint32(e.size-8))
	binary.LittleEndian.PutUint32(dst[4:], Magic)
	end := e.size - 4
	e.putBitmap(dst[frameHead:end])
	binary.BigEndian.PutUint32(dst[end:], kernel.CRC32(dst[4:end]))
}

func (e *Encoding) putBitmap(dst []byte) {
	pos, bitmaps := 8, uint64(0)
	for lo := 0; lo < len(e.shapes); {
		hi := e.v.highEnd(lo)
		binary.LittleEndian.PutUint32(dst[pos:], uint32(e.v.keyAt(lo)>>16))
		pos += 4
		pos += e.putBitmap32(dst[pos:], lo, hi)
		bitmaps++
		lo = hi
	}
	binary.LittleEndian.PutUint64(dst, bitmaps)
}

// putBitmap32 writes containers [lo, hi) as a 32-bit bitmap and returns its size.
func (e *Encoding) putBitmap32(dst []byte, lo, hi int) int {
	n := hi - lo
	hasRuns := false
	for _, s := range e.shapes[lo:hi] {
		hasRuns = hasRuns || s.kind == runKind
	}
	pos := 8
	if hasRuns {
		binary.LittleEndian.PutUint32(dst, cookieRuns|uint32(n-1)<<16)
		flags := dst[4 : 4+(n+7)/8]
		clear(flags)
		for i, s := range e.shapes[lo:hi] {
			if s.kind == runKind {
				flags[i>>3] |= 1 << (i & 7)
			}
		}
		pos = 4 + len(flags)
	} else {
		binary.LittleEndian.PutUint32(dst, cookieNoRuns)
		binary.LittleEndian.PutUint32(dst[4:], uint32(n))
	}
	heads := dst[pos : pos+4*n]
	pos += 4 * n
	var offsets []byte
	if !hasRuns || n >= noOffsetLimit {
		offsets = dst[pos : pos+4*n]
		pos += 4 * n
	}
	for i := range n {
		c, s := e.v.at(lo+i), e.shapes[lo+i]
		binary.LittleEndian.PutUint32(heads[4*i:], uint32(c.key&0xFFFF)|(c.card-1)<<16)
		if offsets != nil {
			binary.LittleEndian.PutUint32(offsets[4*i:], uint32(pos))
		}
		size := formSize(s.kind, c.card, int(s.runs))
		out := dst[pos : pos+size]
		pos += size
		if s.kind == runKind {
			binary.LittleEndian.PutUint16(out, uint16(s.runs))
			out = out[2:]
		}
		e.putPayload(out, &c, s.kind)
	}
	return pos
}

func (e *Encoding) putPayload(out []byte, c *container, to kind) {
	switch {
	case !e.framed:
		copy(out, c.data) // as it stands, adjacent runs too
	case to == bitmapKind && c.kind != bitmapKind:
		clear(out) // the bits are or-ed in, and malloc'd memory is not zero
		fallthrough
	default:
		putForm(out, c, to)
	}
}
