package mumbling

import (
	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/kernel"
)

// listedPlaces is the average number of places per container up to which a list of positions is
// the shorter way to a vector than a mask, by measurement.
const listedPlaces = 4

// ToVector returns a deletion vector of the same positions. It fails like [Bitmap.Positions].
func (b *Bitmap) ToVector() (*dv.Vector, error) {
	count, err := b.counted()
	if err != nil {
		return nil, err
	}
	v, fill := dv.New(), b.maskInto
	if count <= listedPlaces*b.containers {
		fill = b.listInto
	}
	if err := fill(v); err != nil {
		return nil, err
	}
	return v, nil
}

// listInto is called where the cardinality was counted.
func (b *Bitmap) listInto(v *dv.Vector) error {
	list := make([]int32, b.cardinality)
	if !b.list(list) {
		return b.unordered(0)
	}
	positions := make([]int64, len(list))
	for i, p := range list {
		positions[i] = int64(p)
	}
	return v.SetMany(positions)
}

// maskInto takes 256 KiB at most for the mask, from which dv makes its containers as they are.
func (b *Bitmap) maskInto(v *dv.Vector) error {
	mask := make([]byte, b.containers*denseSize)
	if err := b.KeepMask(0, int32(b.containers*containerPlaces), mask); err != nil {
		return err
	}
	kernel.Xor(mask, mask, 0xFF)
	return v.SetMask(0, mask)
}
