package dv

import (
	"encoding/binary"
	"hash/crc32"
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
	shapes []shape // nil: the stored payloads of a frozen vector are written as they stand
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
	e := &Encoding{v: v, size: 8, framed: framed}
	if v.changed || framed && !v.isSmallest() {
		e.shapes = v.shapes(framed)
	}
	for lo := 0; lo < n; {
		hi := v.highEnd(lo)
		hasRuns, size := e.measure(lo, hi)
		e.size += 4 + headSize(hi-lo, hasRuns) + size
		lo = hi
	}
	return e
}

// isSmallest tells whether every container of a frozen vector has its smallest form.
func (v *Vector) isSmallest() bool {
	for i := 0; i < len(v.refs) && !v.smallest; i++ {
		if c := v.refAt(i); !isSmallest(&c) {
			return false
		}
	}
	return true
}

// shapes gives the smallest forms, or those that the containers have.
func (v *Vector) shapes(reshape bool) []shape {
	shapes := make([]shape, v.containers())
	for i := range shapes {
		c := v.at(i)
		shapes[i] = shape{kind: c.kind, runs: int32(len(c.data) / 4)}
		if reshape {
			to, runs := smallest(&c)
			shapes[i] = shape{kind: to, runs: int32(runs)}
		}
	}
	return shapes
}

// measure gives the size of the payloads of [lo, hi), and whether there are runs among them.
func (e *Encoding) measure(lo, hi int) (hasRuns bool, size int) {
	if e.shapes == nil {
		for i := lo; i < hi; i++ {
			hasRuns = hasRuns || e.v.refs[i].kind() == runKind
		}
		return hasRuns, len(e.v.stored(lo, hi))
	}
	for i := lo; i < hi; i++ {
		s := e.shapes[i]
		hasRuns = hasRuns || s.kind == runKind
		size += formSize(s.kind, e.v.cardAt(i), int(s.runs))
	}
	return hasRuns, size
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
		e.putBitmap(dst, nil)
		return
	}
	binary.BigEndian.PutUint32(dst, uint32(e.size-8))
	binary.LittleEndian.PutUint32(dst[4:], Magic)
	end := e.size - 4
	if e.shapes != nil || e.size < copySumMin {
		e.putBitmap(dst[frameHead:end], nil)
		binary.BigEndian.PutUint32(dst[end:], kernel.CRC32(dst[4:end]))
		return
	}
	sum := kernel.CRC32(dst[4:frameHead])
	e.putBitmap(dst[frameHead:end], &sum)
	binary.BigEndian.PutUint32(dst[end:], sum)
}

// copySumMin is the size from which on payloads are summed up while they are copied.
const copySumMin = 32 << 10

// putBitmap writes the bitmap. sum, where it is not nil, is the CRC-32 of what is before it and
// becomes that of all; the payloads then stand as they are to be written.
func (e *Encoding) putBitmap(dst []byte, sum *uint32) {
	n := e.v.containers()
	bitmaps := uint64(0)
	for lo := 0; lo < n; lo = e.v.highEnd(lo) {
		bitmaps++
	}
	binary.LittleEndian.PutUint64(dst, bitmaps)
	addSum(sum, dst[:8])
	dst = dst[8:]
	for lo := 0; lo < n; {
		hi := e.v.highEnd(lo)
		dst = dst[e.putBitmap32(dst, lo, hi, sum):]
		lo = hi
	}
}

// addSum goes on with a CRC-32, where there is one.
func addSum(sum *uint32, p []byte) {
	if sum != nil {
		*sum = crc32.Update(*sum, crc32.IEEETable, p)
	}
}

// putBitmap32 writes containers [lo, hi) as a 32-bit bitmap behind its key, and returns the size of
// both.
func (e *Encoding) putBitmap32(dst []byte, lo, hi int, sum *uint32) int {
	hasRuns, size := e.measure(lo, hi)
	head := 4 + headSize(hi-lo, hasRuns)
	binary.LittleEndian.PutUint32(dst, uint32(e.v.keyAt(lo)>>16))
	e.putHead(dst[4:head], lo, hi, hasRuns)
	addSum(sum, dst[:head])
	payloads := dst[head : head+size]
	switch {
	case e.shapes != nil:
		e.putPayloads(payloads, lo, hi)
	case sum != nil:
		*sum = kernel.CopyCRC32(payloads, e.v.stored(lo, hi), *sum)
	default:
		copy(payloads, e.v.stored(lo, hi))
	}
	return head + size
}

// putHead writes what stands before the payloads of [lo, hi).
func (e *Encoding) putHead(dst []byte, lo, hi int, hasRuns bool) {
	n := hi - lo
	heads, flags := dst[8:], []byte(nil)
	if hasRuns {
		binary.LittleEndian.PutUint32(dst, cookieRuns|uint32(n-1)<<16)
		flags, heads = dst[4:4+(n+7)/8], dst[4+(n+7)/8:]
		clear(flags)
	} else {
		binary.LittleEndian.PutUint32(dst, cookieNoRuns)
		binary.LittleEndian.PutUint32(dst[4:], uint32(n))
	}
	offsets := heads[4*n:] // none, or as many
	heads = heads[:4*n]
	pos := len(dst)
	for i := range n {
		key, card, s := e.headOf(lo + i)
		binary.LittleEndian.PutUint32(heads[4*i:], uint32(key&0xFFFF)|(card-1)<<16)
		if len(offsets) > 0 {
			binary.LittleEndian.PutUint32(offsets[4*i:], uint32(pos))
		}
		if s.kind == runKind {
			flags[i>>3] |= 1 << (i & 7)
		}
		pos += formSize(s.kind, card, int(s.runs))
	}
}

// headOf gives what stands of container i before the payloads.
func (e *Encoding) headOf(i int) (key uint64, card uint32, s shape) {
	if e.shapes != nil {
		return e.v.keyAt(i), e.v.cardAt(i), e.shapes[i]
	}
	r := &e.v.refs[i]
	s.kind = r.kind()
	if s.kind == runKind {
		s.runs = int32(e.v.runsAt(i))
	}
	return r.key(), r.card, s
}

func (e *Encoding) putPayloads(dst []byte, lo, hi int) {
	for i := lo; i < hi; i++ {
		c, s := e.v.at(i), e.shapes[i]
		size := formSize(s.kind, c.card, int(s.runs))
		out := dst[:size]
		dst = dst[size:]
		if s.kind == runKind {
			binary.LittleEndian.PutUint16(out, uint16(s.runs))
			out = out[2:]
		}
		e.putPayload(out, &c, s.kind)
	}
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
