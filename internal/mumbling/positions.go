package mumbling

import (
	"encoding/binary"
	"math/bits"

	"github.com/libdv/libdv/internal/dv"
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
	if !writePositions(b, out[:count]) {
		return 0, b.unordered(0, b.containers)
	}
	return count, nil
}

// ToVector returns a deletion vector of the same positions. It fails like [Bitmap.Positions].
func (b *Bitmap) ToVector() (*dv.Vector, error) {
	count, err := b.counted()
	if err != nil {
		return nil, err
	}
	positions := make([]int64, count)
	if !writePositions(b, positions) {
		return nil, b.unordered(0, b.containers)
	}
	v := dv.New()
	if err := v.SetMany(positions); err != nil {
		return nil, err
	}
	return v, nil
}

// counted returns the number of positions, counted and the same as in the header.
func (b *Bitmap) counted() (int, error) {
	if err := b.load(); err != nil {
		return 0, err
	}
	count := b.count()
	return count, b.compare(count)
}

// compare holds the header's cardinality against what was counted.
func (b *Bitmap) compare(count int) error {
	if count != int(b.cardinality) {
		return fault.Corrupt("Mumbling bitmap: cardinality %d at byte 1, expected %d, the positions stored",
			b.cardinality, count)
	}
	return nil
}

// count counts the positions; a place that a faulty sparse container repeats counts each time.
func (b *Bitmap) count() int {
	const dense = descriptorDense * lanes
	count := 0
	for _, octet := range b.octets {
		if octet.sizes&dense == 0 {
			count += octet.total()
			continue
		}
		at := int(octet.start)
		for sizes := octet.sizes; sizes != 0; sizes >>= 8 {
			size := int(sizes & 0xFF)
			if size == denseSize {
				count += countDense((*[denseSize]byte)(b.data[at:]))
			} else {
				count += size
			}
			at += size
		}
	}
	return count
}

func countDense(stored *[denseSize]byte) int {
	return bits.OnesCount64(binary.NativeEndian.Uint64(stored[0:])) +
		bits.OnesCount64(binary.NativeEndian.Uint64(stored[8:])) +
		bits.OnesCount64(binary.NativeEndian.Uint64(stored[16:])) +
		bits.OnesCount64(binary.NativeEndian.Uint64(stored[24:]))
}

// writePositions fills out, which has room for exactly what b.count counted. It tells whether
// all sparse places ascend.
func writePositions[T int32 | int64](b *Bitmap, out []T) (ascend bool) {
	order := -1 // stays negative as long as every place is above the one before it
	for i, octet := range b.octets {
		base := T(8 * containerPlaces * i)
		at := int(octet.start)
		for sizes := octet.sizes; sizes != 0; sizes >>= 8 {
			size := int(sizes & 0xFF)
			stored := b.data[at : at+size]
			if size == denseSize {
				out = out[writeDense(out, (*[denseSize]byte)(stored), base):]
			} else {
				here := out[:len(stored)]
				before := -1
				for k, place := range stored {
					here[k] = base + T(place)
					order &= before - int(place)
					before = int(place)
				}
				out = out[len(stored):]
			}
			at += size
			base += containerPlaces
		}
	}
	return order < 0
}

// writeDense writes the positions of a dense container, the first of which would be base, to
// the front of out and returns how many they are.
func writeDense[T int32 | int64](out []T, stored *[denseSize]byte, base T) (count int) {
	for i := 0; i < denseSize; i += 8 {
		word := binary.BigEndian.Uint64(stored[i : i+8])
		here := out[count:]
		n := bits.OnesCount64(word)
		here = here[:n]
		for k := range here {
			place := bits.LeadingZeros64(word)
			here[k] = base + T(place)
			word &^= 1 << 63 >> (place & 63)
		}
		count += n
		base += 64
	}
	return count
}
