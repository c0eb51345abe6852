package mumbling

import (
	"encoding/binary"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/kernel"
)

// KeepMask writes which of the length rows from start on are kept: bit i of out, least
// significant first, is 1 where start + i is not in the bitmap. Rows past the end of the bitmap
// are kept. It fills (length + 7) / 8 bytes; bits past length are 0, bytes past those untouched.
//
// ErrInvalidArgument: negative start or length. ErrTooSmall: out is shorter. ErrCorrupt: faulty
// descriptors, or a sparse container within reach of the window whose places do not ascend.
// The contents of out are then unspecified.
func (b *Bitmap) KeepMask(start, length int32, out []byte) error {
	if start < 0 || length < 0 {
		return fault.Invalid("Mumbling keep mask: %d rows from %d on, expected neither to be negative", length, start)
	}
	size := int((int64(length) + 7) / 8)
	if len(out) < size {
		return fault.TooSmall("Mumbling keep mask: room for %d bytes, expected %d", len(out), size)
	}
	if err := b.load(); err != nil {
		return err
	}
	m := window{b: b, start: int(start), out: out[:size]}
	m.keepAll(int(length))

	end := int(min(int64(start)+int64(length), int64(b.containers*containerPlaces)))
	for from := m.start; from < end; { // three rounds at most: a part, whole containers, a part
		container := from / containerPlaces
		if next := end / containerPlaces; from%containerPlaces == 0 && next > container {
			if !m.whole(container, next) {
				return b.unordered(container)
			}
			from = next * containerPlaces
			continue
		}
		next := min(end, (container+1)*containerPlaces)
		if !m.part(container, from, next) {
			return b.unordered(container)
		}
		from = next
	}
	return nil
}

// window is a keep mask under way: bit i of out is row start + i.
type window struct {
	b     *Bitmap
	start int
	out   []byte
}

// keepAll sets the bits of length rows and clears those behind.
func (m *window) keepAll(length int) {
	kernel.Fill(m.out, 0xFF)
	if over := length & 7; over != 0 {
		m.out[len(m.out)-1] = 1<<over - 1
	}
}

// whole clears the bits of the containers from first up to last, which the window covers
// altogether. It tells whether all sparse places ascend; where not, the mask is of no use.
func (m *window) whole(first, last int) (ascend bool) {
	order := -1
	for c := first; c < last; {
		octet := m.b.octets[c/8]
		row := c*containerPlaces - m.start
		if c%8 == 0 && c+8 <= last && octet.few() {
			order &= m.clearFew(octet, row)
			c += 8
			continue
		}
		next := min(last, c|7+1)
		for at := octet.at(c % 8); c < next; c++ {
			size := octet.size(c % 8)
			stored := m.b.data[at : at+size]
			if size < denseSize {
				order &= m.clearSparse(stored, row)
			} else {
				m.clearDense((*[denseSize]byte)(stored), row)
			}
			row += containerPlaces
			at += size
		}
	}
	return order < 0
}

// clearFew clears the bits of an octet of few places. Like clearSparse it returns a negative number where
// the places ascend.
func (m *window) clearFew(o octet, row int) (order int) {
	out := m.out
	order = -1
	before := row - 1
	index, ends := uint64(firstIndex), o.ends()
	for _, place := range m.b.data[o.start:][:o.total()] {
		bit := row + basis(index, ends) + int(place)
		index += nextIndex
		out[bit>>3] &^= 1 << (bit & 7)
		order &= before - bit
		before = bit
	}
	return order
}

// clearSparse clears the bits of a sparse container and returns a negative number where its
// places ascend. Neighbouring places are often of one byte, whose changes wait for each other;
// so the two halves take turns.
func (m *window) clearSparse(places []byte, row int) (order int) {
	out := m.out
	order = -1
	half := len(places) / 2
	low, high := places[:half], places[half:]
	beforeLow, beforeHigh := -1, -1
	if half > 0 {
		beforeHigh = int(low[half-1])
	}
	for i, place := range low {
		bit := row + int(place)
		out[bit>>3] &^= 1 << (bit & 7)
		order &= beforeLow - int(place)
		beforeLow = int(place)

		place = high[i]
		bit = row + int(place)
		out[bit>>3] &^= 1 << (bit & 7)
		order &= beforeHigh - int(place)
		beforeHigh = int(place)
	}
	if len(high) > half {
		place := int(high[half])
		out[(row+place)>>3] &^= 1 << ((row + place) & 7)
		order &= beforeHigh - place
	}
	return order
}

// clearDense clears the bits of a dense container.
func (m *window) clearDense(stored *[denseSize]byte, row int) {
	if shift := uint(row & 7); shift != 0 {
		maskDenseShifted((*[denseSize + 1]byte)(m.out[row>>3:]), stored, shift)
	} else {
		maskDense((*[denseSize]byte)(m.out[row>>3:]), stored)
	}
}

// part clears the bits of the rows from up to end, all within one container. It tells whether
// the sparse places ascend.
func (m *window) part(container, from, end int) (ascend bool) {
	stored := m.b.stored(container)
	base := container * containerPlaces
	if len(stored) == denseSize {
		for row := from; row < end; row++ {
			place := row - base
			if stored[place>>3]<<(place&7)&0x80 != 0 {
				m.clearRow(row)
			}
		}
		return true
	}
	for _, place := range stored {
		if row := base + int(place); from <= row && row < end {
			m.clearRow(row)
		}
	}
	return unorderedPlace(stored) < 0
}

func (m *window) clearRow(row int) {
	bit := row - m.start
	m.out[bit>>3] &^= 1 << (bit & 7)
}

// maskDense writes the kept rows of a dense container that begins with the first bit of out.
func maskDense(out, stored *[denseSize]byte) {
	for i := 0; i < denseSize; i += 8 {
		x := binary.LittleEndian.Uint64(stored[i : i+8])
		binary.LittleEndian.PutUint64(out[i:i+8], ^mirror(x))
	}
}

// maskDenseShifted is maskDense for a container that begins with bit shift, 1 to 7, of out.
// The bits around it stay.
func maskDenseShifted(out *[denseSize + 1]byte, stored *[denseSize]byte, shift uint) {
	over := uint64(0) // what the word before left for the next
	for i := 0; i < denseSize; i += 8 {
		x := mirror(binary.LittleEndian.Uint64(stored[i : i+8]))
		keep := binary.LittleEndian.Uint64(out[i:i+8]) &^ (x<<(shift&7) | over)
		binary.LittleEndian.PutUint64(out[i:i+8], keep)
		over = x >> (64 - shift&63)
	}
	out[denseSize] &^= byte(over)
}

// mirror reverses the bits of every byte of x: from the top bit first of a dense container to
// the least significant first of a mask, and back.
func mirror(x uint64) uint64 {
	x = x>>1&(0x55*lanes) | x&(0x55*lanes)<<1
	x = x>>2&(0x33*lanes) | x&(0x33*lanes)<<2
	return x>>4&(0x0F*lanes) | x&(0x0F*lanes)<<4
}
