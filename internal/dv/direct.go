package dv

import "github.com/libdv/libdv/internal/fault"

// BlobKeepMask goes from a deletion-vector-v1 blob straight to KeepMask's mask, checked as
// by ParseBlob.
func BlobKeepMask(data []byte, expected, start, length int64, out []byte) error {
	out, err := maskBuffer(start, length, out)
	if err != nil {
		return err
	}
	v, err := ParseBlob(data, expected)
	if err != nil {
		return err
	}
	v.mask(start, length, out, 0xFF)
	return nil
}

// BlobPositions goes from a blob straight to all of its positions, checked as by ParseBlob,
// and returns their number, also with ErrTooSmall, where out cannot hold all.
func BlobPositions(data []byte, expected int64, out []int64) (int, error) {
	v, err := ParseBlob(data, expected)
	if err != nil {
		return 0, err
	}
	if int64(len(out)) < v.card {
		return int(v.card), fault.TooSmall("a buffer of %d positions, expected %d", len(out), v.card)
	}
	return v.Positions(0, MaxPosition+1, out)
}
