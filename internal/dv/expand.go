package dv

import (
	"encoding/binary"
	"math"
	"math/bits"

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
	w := indexWriter{out: out}
	var p part
	for all := v.parts(start, length); all.next(&p); {
		w.part(&p)
	}
	w.upTo(length)
	return kept, nil
}

type indexWriter struct {
	out  []uint32
	next int64 // the first index not yet decided
}

// upTo writes the indices from next to end.
func (w *indexWriter) upTo(end int64) {
	if w.next >= end {
		return
	}
	n := end - w.next
	first := uint32(w.next)
	for i := range w.out[:n] {
		w.out[i] = first + uint32(i)
	}
	w.out = w.out[n:]
	w.next = end
}

func (w *indexWriter) part(p *part) {
	shift := p.at - int64(p.from)
	w.upTo(p.at)
	switch p.kind {
	case bitmapKind:
		w.bitmap(p, shift)
	case arrayKind:
		for data := p.array(); len(data) >= 2; data = data[2:] {
			i := shift + int64(binary.LittleEndian.Uint16(data))
			w.upTo(i)
			w.next = i + 1
		}
	default:
		p.runs(func(first, end uint32) {
			w.upTo(shift + int64(first))
			w.next = shift + int64(end)
		})
	}
}

func (w *indexWriter) bitmap(p *part, shift int64) {
	for from := p.from; from < p.to; {
		n := min(64-from&63, p.to-from)
		word := ^u64at(p.data, int(from>>6)) >> (from & 63)
		if n < 64 {
			word &= 1<<n - 1
		}
		at := uint32(shift + int64(from))
		k := bits.OnesCount64(word)
		for i := range w.out[:k] {
			w.out[i] = at + uint32(bits.TrailingZeros64(word))
			word &= word - 1
		}
		w.out = w.out[k:]
		from += n
	}
	w.next = shift + int64(p.to)
}
