package mumbling

import "github.com/libdv/libdv/internal/fault"

// Validate checks everything that the format promises: faulty descriptors and, in the order of
// the bytes, sparse places that do not ascend, dense containers of fewer than 32 places, bytes
// behind the last container; then the cardinality of the header against the count.
//
// ErrCorrupt: the first of these faults, with its offset.
func (b *Bitmap) Validate() error {
	if err := b.load(); err != nil {
		return err
	}
	count := 0
	for c := 0; c < b.containers; c++ {
		if c%8 == 0 && b.octets[c/8].sizes == 0 {
			c += 7
			continue
		}
		stored := b.stored(c)
		if len(stored) < denseSize {
			if unorderedPlace(stored) >= 0 {
				return b.unordered(c)
			}
			count += len(stored)
			continue
		}
		places := countDense((*[denseSize]byte)(stored))
		if places < denseMinimum {
			return fault.Corrupt("Mumbling bitmap: container %d at byte %d: dense with %d places, expected at least %d",
				c, b.octets[c/8].at(c%8), places, denseMinimum)
		}
		count += places
	}
	if b.end < len(b.data) {
		return fault.Corrupt("Mumbling bitmap: %d bytes behind the last container at byte %d, expected none",
			len(b.data)-b.end, b.end)
	}
	return b.compare(count)
}
