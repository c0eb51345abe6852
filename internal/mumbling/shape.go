package mumbling

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// Shape says how a bitmap is built: its containers by kind, and its bounds.
type Shape struct {
	Empty, Sparse, Dense int   // number of containers
	First, Last          int32 // smallest and largest position, -1 where there is none
}

// Shape walks the containers. It needs no more than sound descriptors, without which it is
// ErrCorrupt: unordered places and sparsely filled dense containers are as good as any.
func (b *Bitmap) Shape() (Shape, error) {
	s := Shape{First: -1, Last: -1}
	if err := b.load(); err != nil {
		return s, err
	}
	for c := range b.containers {
		var low, high int
		switch stored := b.stored(c); len(stored) {
		case 0:
			s.Empty++
			continue
		case denseSize:
			s.Dense++
			if low, high = denseBounds(stored); high < 0 {
				continue
			}
		default:
			s.Sparse++
			low, high = int(slices.Min(stored)), int(slices.Max(stored))
		}
		if s.First < 0 {
			s.First = int32(c*containerPlaces + low)
		}
		s.Last = int32(c*containerPlaces + high)
	}
	return s, nil
}

// denseBounds returns the first and the last place of a dense container; last is -1 where it
// has none.
func denseBounds(stored []byte) (first, last int) {
	first, last = containerPlaces, -1
	for i := 0; i < denseSize; i += 8 {
		if word := binary.BigEndian.Uint64(stored[i:]); word != 0 {
			first = min(first, 8*i+bits.LeadingZeros64(word))
			last = 8*i + 63 - bits.TrailingZeros64(word)
		}
	}
	return first, last
}
