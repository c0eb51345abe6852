package dv

import (
	"encoding/binary"
	"math"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/kernel"
)

// KeepBytes writes a byte for each of the length rows from start on: 1 iff it is not in the
// set, else 0. out holds at least length bytes.
func (v *Vector) KeepBytes(start, length int64, out []byte) error {
	if err := checkWindow(start, length); err != nil {
		return err
	}
	if int64(len(out)) < length {
		return fault.TooSmall("a buffer of %d bytes, expected %d, one for each row", len(out), length)
	}
	done := int64(0)
	var p part
	for w := v.parts(start, length); w.next(&p); {
		kernel.Fill(out[done:p.at], 1)
		done = p.at + int64(p.to-p.from)
		dst := out[p.at:done]
		switch p.kind {
		case bitmapKind:
			keepBytesOfBitmap(dst, &p)
		case arrayKind:
			kernel.Fill(dst, 1)
			for data := p.array(); len(data) >= 2; data = data[2:] {
				dst[uint32(binary.LittleEndian.Uint16(data))-p.from] = 0
			}
		default:
			kernel.Fill(dst, 1)
			p.runs(func(first, end uint32) { clear(dst[first-p.from : end-p.from]) })
		}
	}
	kernel.Fill(out[done:length], 1)
	return nil
}

func keepBytesOfBitmap(dst []byte, p *part) {
	value := p.from
	for ; value&7 != 0 && len(dst) > 0; value++ {
		dst[0] = ^p.data[value>>3] >> (value & 7) & 1
		dst = dst[1:]
	}
	src, whole := p.data[value>>3:], len(dst)/8
	kernel.KeepBytes(dst[:8*whole], src[:whole])
	dst, src = dst[8*whole:], src[whole:]
	for i := range dst {
		dst[i] = ^src[0] >> i & 1
	}
}

// KeepIndices writes i of every row start+i, i < length, that is not in the set, ascending,
// and returns how many there are. length is at most 2^32. Where out cannot hold all, nothing
// is written, and the error is ErrTooSmall.
func (v *Vector) KeepIndices(start, length int64, out []uint32) (int, error) {
	if err := checkWindow(start, length); err != nil {
		return 0, err
	}
	if length > math.MaxUint32+1 {
		return 0, fault.Invalid("window of %d rows, expected at most %d, whose indices fit 32 bits", length, int64(math.MaxUint32)+1)
	}
	deleted, err := v.Count(start, start+length)
	if err != nil {
		return 0, err
	}
	kept := int(length - deleted)
	if len(out) < kept {
		return kept, fault.TooSmall("a buffer of %d indices, expected %d, one for each kept row", len(out), kept)
	}
	n := 0
	p := pieces{v: v, start: start, end: start + length, rest: 0xFF}
	for base := uint32(0); n < kept && p.next(); base += uint32(p.rows) {
		words := p.mask[:(p.rows+63)/64*8]
		n += kernel.Indices(out[n:kept], words, base, int(float64(p.rows)*float64(kept)/float64(length)))
	}
	return n, nil
}

// pieces goes through the masks of a window, one that fits the first-level cache at a time. It is large: declared in a loop's
// head it would be copied each time around.
type pieces struct {
	v          *Vector
	start, end int64 // what is left of the window; the first piece begins as mask allows
	rest       byte  // as in Vector.mask

	rows int
	mask [bitmapBytes + 8]byte // of rows, with zero bits behind them
}

// next gives the piece up to the end of a container.
func (p *pieces) next() bool {
	if p.start == p.end {
		return false
	}
	rows := min(containerSpan-p.start&(containerSpan-1), p.end-p.start)
	size := (rows + 7) / 8
	p.v.mask(p.start, rows, p.mask[:size], p.rest)
	binary.LittleEndian.PutUint64(p.mask[size:], 0)
	p.rows = int(rows)
	p.start += rows
	return true
}
