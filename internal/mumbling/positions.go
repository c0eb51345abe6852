package mumbling

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/libdv/libdv/internal/fault"
)

// Positions writes every position, ascending, to out and returns how many there are.
//
// ErrTooSmall: out does not hold them all; the number returned is what it has to hold.
// ErrCorrupt: faulty descriptors, a sparse container whose places do not ascend, or a header
// that states another cardinality. The contents of out are unspecified after a failure.
func (b *Bitmap) Positions(out []int32) (int, error) {
	count, err := b.counted()
	if err != nil {
		return 0, err
	}
	if len(out) < count {
		return count, fault.TooSmall("Mumbling positions: room for %d, expected %d", len(out), count)
	}
	if !b.list(out[:count]) {
		return 0, b.unordered(0)
	}
	return count, nil
}

// list fills out, which has room for exactly what b.count counted. It tells whether all sparse
// places ascend.
func (b *Bitmap) list(out []int32) (ascend bool) {
	order := -1
	for i, octet := range b.octets {
		base := 8 * containerPlaces * i
		if octet.few() {
			total := octet.total()
			order &= listFew(out[:total], b.data[octet.start:], base, octet.ends())
			out = out[total:]
			continue
		}
		at := int(octet.start)
		for sizes := octet.sizes; sizes != 0; sizes >>= 8 {
			size := int(sizes & 0xFF)
			stored := b.data[at : at+size]
			if size < denseSize {
				order &= listSparse(out[:size], stored, base)
				out = out[size:]
			} else {
				out = out[listDense(out, (*[denseSize]byte)(stored), base):]
			}
			at += size
			base += containerPlaces
		}
	}
	return order < 0
}

// listFew fills out with the positions of an octet of few, the places of which places starts
// with. It returns a negative number where they ascend.
func listFew(out []int32, places []byte, base int, ends uint64) (order int) {
	order = -1
	before := base - 1
	index := uint64(firstIndex)
	places = places[:len(out)]
	for i, place := range places {
		position := base + basis(index, ends) + int(place)
		index += nextIndex
		out[i] = int32(position)
		order &= before - position
		before = position
	}
	return order
}

// listSparse is listFew for one sparse container.
func listSparse(out []int32, places []byte, base int) (order int) {
	order = -1
	before := -1
	places = places[:len(out)]
	for i, place := range places {
		out[i] = int32(base + int(place))
		order &= before - int(place)
		before = int(place)
	}
	return order
}

// eightPlaces holds, for every byte of a dense container, its places in order as four pairs of
// int32, the first in the low half; zeros follow.
var eightPlaces = func() (table [256][4]uint64) {
	for b := range table {
		n := 0
		for place := range 8 {
			if b<<place&0x80 != 0 {
				table[b][n/2] |= uint64(place) << (32 * (n & 1))
				n++
			}
		}
	}
	return table
}()

// listDense writes the positions of a dense container to the front of out and returns how many
// they are. Of every byte it writes eight positions and keeps as many as there are: no branch
// depends on the bits. Where out might be too short for that, they are written one by one.
func listDense(out []int32, stored *[denseSize]byte, base int) (count int) {
	const room = containerPlaces + 8
	if len(out) < room {
		return listBits(out, stored, base)
	}
	out = out[:room]
	pair := uint64(base)<<32 | uint64(base) // no half carries: positions are below 2^21
	for i := 0; i < denseSize; i += 8 {
		word := binary.LittleEndian.Uint64(stored[i : i+8])
		if word == math.MaxUint64 {
			listRun((*[64]int32)(out[count:]), pair)
			count += 64
			pair += 64<<32 | 64
			continue
		}
		for range 8 {
			b := byte(word)
			word >>= 8
			places := &eightPlaces[b]
			put((*[8]int32)(out[count:]), places[0]+pair, places[1]+pair, places[2]+pair, places[3]+pair)
			count += bits.OnesCount8(b)
			pair += 8<<32 | 8
		}
	}
	return count
}

// listRun writes 64 positions from the one on that both halves of pair are.
func listRun(out *[64]int32, pair uint64) {
	const two = 2<<32 | 2
	pair += 1 << 32
	for i := 0; i < 64; i += 8 {
		put((*[8]int32)(out[i:i+8]), pair, pair+two, pair+2*two, pair+3*two)
		pair += 4 * two
	}
}

// put writes four pairs. Constant indexes let the compiler store each as one word.
func put(out *[8]int32, a, b, c, d uint64) {
	out[0], out[1] = int32(a), int32(a>>32)
	out[2], out[3] = int32(b), int32(b>>32)
	out[4], out[5] = int32(c), int32(c>>32)
	out[6], out[7] = int32(d), int32(d>>32)
}

// listBits is listDense for an out of just the size.
func listBits(out []int32, stored *[denseSize]byte, base int) (count int) {
	for i := 0; i < denseSize; i += 8 {
		word := binary.BigEndian.Uint64(stored[i : i+8])
		for ; word != 0; count++ {
			place := bits.LeadingZeros64(word)
			out[count] = int32(base + 8*i + place)
			word &^= 1 << 63 >> (place & 63)
		}
	}
	return count
}
