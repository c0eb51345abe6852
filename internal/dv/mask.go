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

func maskBuffer(start, length int64, out []byte) ([]byte, error) {
	if err := checkWindow(start, length); err != nil {
		return nil, err
	}
	size := length >> 3
	if length&7 != 0 {
		size++
	}
	if int64(len(out)) < size {
		return nil, fault.TooSmall("a mask buffer of %d bytes, expected %d for %d rows", len(out), size, length)
	}
	return out[:size], nil
}

// mask writes rows in the set as the inverse of the bits of rest, all others as rest.
func (v *Vector) mask(start, length int64, out []byte, rest byte) {
	m := masker{out: out, rest: rest}
	m.begin(start)
	var p part
	for w := v.parts(start, length); w.next(&p); {
		m.part(&p)
	}
	m.finish(length)
}

// masker writes a mask from the containers of its window, which come in ascending order.
type masker struct {
	out     []byte
	done    int64 // bytes written, where containers begin at whole bytes
	rest    byte
	aligned bool // containers begin at whole bytes
}

// begin is for a new masker of the rows from start on.
func (m *masker) begin(start int64) {
	m.aligned = start&7 == 0
	if !m.aligned {
		m.fillTo(int64(len(m.out)))
	}
}

func (m *masker) part(p *part) {
	if m.aligned {
		m.write(p)
	} else {
		m.flip(p)
	}
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

// flip turns over a container's bits in a mask that is filled already.
func (m *masker) flip(p *part) {
	shift := p.at - int64(p.from) // mask index of value 0; negative where the window starts later
	switch p.kind {
	case bitmapKind:
		m.flipWords(p)
	case arrayKind:
		for data := p.array(); len(data) > 0; data = data[2:] {
			i := shift + int64(binary.LittleEndian.Uint16(data))
			m.out[i>>3] ^= 1 << (i & 7)
		}
	default:
		p.runs(func(first, end uint32) { m.flipRange(m.out, shift+int64(first), shift+int64(end)) })
	}
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

// flipWords xors the stored words of a bitmap container into the mask at any bit.
func (m *masker) flipWords(p *part) {
	for from := p.from; from < p.to; {
		// As many values as a stored word has left from here on.
		n := min(64-from&63, p.to-from)
		word := u64at(p.data, int(from>>6)) >> (from & 63)
		if n < 64 {
			word &= 1<<n - 1
		}
		xorWord(m.out, p.at+int64(from-p.from), word)
		from += n
	}
}

// xorWord xors the set bits of word into the mask from bit at on; bits beyond the mask are
// clear in word.
func xorWord(out []byte, at int64, word uint64) {
	i, shift := at>>3, uint(at&7)
	if i+9 <= int64(len(out)) {
		binary.LittleEndian.PutUint64(out[i:], binary.LittleEndian.Uint64(out[i:])^word<<shift)
		out[i+8] ^= byte(word >> 1 >> (63 - shift))
		return
	}
	for j, low := i, word<<shift; low != 0; j, low = j+1, low>>8 {
		out[j] ^= byte(low)
	}
	if high := byte(word >> 1 >> (63 - shift)); high != 0 {
		out[i+8] ^= high
	}
}
