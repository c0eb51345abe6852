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
		places, err := b.checkContainer(c)
		if err != nil {
			return err
		}
		count += places
	}
	if err := b.checkEnd(0); err != nil {
		return err
	}
	return b.compare(count)
}

// checkContainer proves one container and counts its places. The directory is loaded.
func (b *Bitmap) checkContainer(c int) (places int, err error) {
	stored := b.stored(c)
	if len(stored) < denseSize {
		if unorderedPlace(stored) >= 0 {
			return 0, b.unordered(c)
		}
		return len(stored), nil
	}
	places = countDense((*[denseSize]byte)(stored))
	if places < denseMinimum {
		return 0, fault.Corrupt("Mumbling bitmap: container %d at byte %d: dense with %d places, expected at least %d",
			c, b.octets[c/8].at(c%8), places, denseMinimum)
	}
	return places, nil
}

// checkEnd proves that the last container is the end of the bytes, of which there are more behind b.data.
func (b *Bitmap) checkEnd(more int64) error {
	if left := int64(len(b.data)-b.end) + more; left > 0 {
		return fault.Corrupt("Mumbling bitmap: %d bytes behind the last container at byte %d, expected none", left, b.end)
	}
	return nil
}
