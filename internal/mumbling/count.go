package mumbling

import (
	"encoding/binary"
	"math/bits"

	"github.com/libdv/libdv/internal/fault"
)

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
