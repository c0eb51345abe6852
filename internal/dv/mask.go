package dv

import (
	"encoding/binary"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/kernel"
)

// KeepMask writes the mask of the length rows from start on: bit i, least significant
// first as in an Arrow Boolean buffer, is 1 iff row start+i is not in the set. out holds at
// least (length+7)/8 bytes; bits of the last byte past length are 0.
func (v *Vector) KeepMask(start, length int64, out []byte) error {
	out, err := maskBuffer(start, length, out)
	if err != nil {
		return err
	}
	v.mask(start, length, out, 0xFF)
	return nil
}

// DeleteMask is KeepMask with 1 for the rows in the set.
func (v *Vector) DeleteMask(start, length int64, out []byte) error {
	out, err := maskBuffer(start, length, out)
	if err != nil {
		return err
	}
	v.mask(start, length, out, 0)
	return nil
}

// MaskSize is how many bytes the mask of length rows takes.
func MaskSize(length int64) int64 {
	size := length >> 3
	if length&7 != 0 {
		size++
	}
	return size
}

func maskBuffer(start, length int64, out []byte) ([]byte, error) {
	if err := checkWindow(start, length); err != nil {
		return nil, err
	}
	size := MaskSize(length)
	if int64(len(out)) < size {
		return nil, fault.TooSmall("a mask buffer of %d bytes, expected %d for %d rows", len(out), size, length)
	}
	return out[:size], nil
}

// mask writes rows in the set as the inverse of the bits of rest, all others as rest.
func (v *Vector) mask(start, length int64, out []byte, rest byte) {
	if start&7 != 0 {
		v.maskWithin(start, length, out, rest)
		return
	}
	m := masker{out: out, rest: rest}
	var p part
	for w := v.parts(start, length); w.next(&p); {
		m.write(&p)
	}
	m.finish(length)
}

// maskWithin is mask from a row on within a byte: from masks that begin where the byte does.
func (v *Vector) maskWithin(start, length int64, out []byte, rest byte) {
	lead := start & 7
	p := pieces{v: v, start: start - lead, end: start + length, rest: rest}
	for at := 0; p.next(); {
		if at > 0 { // the piece before left room in its last byte
			out[at-1] |= p.mask[0] << (8 - lead)
		}
		size := (p.rows + 7) / 8
		n := min(size, len(out)-at)
		kernel.ShiftDown(out[at:at+n], p.mask[:n+1], uint(lead))
		at += size
	}
}

// masker writes a mask from the containers of its window, which come in ascending order; the window begins at a row that is a
// multiple of 8, and so does every container.
type masker struct {
	out  []byte
	done int64 // bytes written
	rest byte
}

// finish writes what lies after the last container and clears the pad bits.
func (m *masker) finish(length int64) {
	m.fillTo(int64(len(m.out)))
	if pad := length & 7; pad != 0 {
		m.out[len(m.out)-1] &= 1<<pad - 1
	}
}

func (m *masker) fillTo(end int64) {
	if m.done < end {
		kernel.Fill(m.out[m.done:end], m.rest)
		m.done = end
	}
}

// write writes a container's part of the mask in one go: filled while it is in the cache,
// or straight from the stored words.
func (m *masker) write(p *part) {
	at := p.at >> 3
	size := int64(p.to-p.from+7) >> 3
	m.fillTo(at)
	dst := m.out[at : at+size]
	m.done = at + size
	if p.kind == bitmapKind {
		kernel.Xor(dst, p.data[p.from>>3:], m.rest)
		return
	}
	if p.full() {
		kernel.Fill(dst, ^m.rest)
		return
	}
	kernel.Fill(dst, m.rest)
	switch whole := len(dst) == bitmapBytes; {
	case p.from == 0 && p.kind == arrayKind:
		kernel.Flip(dst, p.array())
	case whole:
		kernel.SetRuns(asBitmap(dst), p.data, ^m.rest)
	case p.kind == arrayKind:
		flipValues(dst, p.array(), p.from)
	default:
		m.flipRuns(dst, p)
	}
}

// writeBitmap writes the part of a whole bitmap, which begins at a whole byte, and counts its bits.
func (m *masker) writeBitmap(at int64, bitmap *kernel.Bitmap) int {
	at >>= 3
	m.fillTo(at)
	m.done = at + bitmapBytes
	return kernel.XorCount(asBitmap(m.out[at:m.done]), bitmap, m.rest)
}

func (m *masker) flipRuns(dst []byte, p *part) {
	p.runs(func(first, end uint32) { m.flipRange(dst, int64(first-p.from), int64(end-p.from)) })
}

func (m *masker) flipRange(dst []byte, from, to int64) {
	if m.rest != 0 {
		clearBitRange(dst, from, to)
	} else {
		setBitRange(dst, from, to)
	}
}

// flipValues turns over the bits of ascending values, counted from from.
func flipValues(dst, values []byte, from uint32) {
	for ; len(values) >= 2; values = values[2:] {
		i := uint32(binary.LittleEndian.Uint16(values)) - from
		dst[i>>3] ^= 1 << (i & 7)
	}
}
