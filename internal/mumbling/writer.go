package mumbling

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
)

// pageRows is what one chunk of descriptors covers: the positions are taken from the vector in
// masks of that many rows, which is as fast for few positions as for many.
const (
	pageRows  = chunkValues * containerPlaces
	pageBytes = pageRows / 8
)

// FromVector returns the bitmap of the vector's positions in its smallest valid form: no empty
// containers at the end, sparse below 32 places, descriptors as [EncodePFOR] codes them.
//
// ErrLimit: a position that does not fit, the first of which the message names; positions of
// a Mumbling bitmap are below MaxCardinality.
func FromVector(v *dv.Vector) ([]byte, error) {
	var over [1]int64
	n, err := v.Positions(MaxCardinality, math.MaxInt64, over[:])
	if err != nil {
		return nil, err
	}
	if n > 0 {
		return nil, fault.Limit("position %d does not fit a Mumbling bitmap, expected at most %d",
			over[0], MaxCardinality-1)
	}

	w := newWriter(int(v.Cardinality()))
	page := new([pageBytes]byte)
	for start := int64(0); w.missing > 0 && start < MaxCardinality; start += pageRows {
		if err := v.DeleteMask(start, pageRows, page[:]); err != nil {
			return nil, err
		}
		w.addPage(page)
	}
	return w.finish(), nil
}

// writer collects containers in their order.
type writer struct {
	cardinality int
	missing     int    // positions that are still to come
	descriptors []byte // up to the last container that is not empty, while none is missing
	containers  []byte // their bytes
}

// newWriter begins a bitmap of cardinality positions, MaxCardinality at most.
func newWriter(cardinality int) *writer {
	// A container is never longer than the number of its places.
	size := min(cardinality, MaxContainers*denseSize)
	return &writer{cardinality: cardinality, missing: cardinality, containers: make([]byte, 0, size)}
}

// addPage adds the next 256 containers from a mask, least significant bit first, of the
// positions in them. It stops behind the last position of the bitmap.
func (w *writer) addPage(page *[pageBytes]byte) {
	for at := 0; at < pageBytes && w.missing > 0; at += denseSize {
		w.add((*[denseSize]byte)(page[at:]))
	}
}

func (w *writer) add(mask *[denseSize]byte) {
	places := countDense(mask)
	w.missing -= places
	if places >= denseMinimum {
		w.descriptors = append(w.descriptors, descriptorDense)
		w.containers = appendDense(w.containers, mask)
		return
	}
	w.descriptors = append(w.descriptors, byte(places))
	if places > 0 {
		w.containers = appendSparse(w.containers, mask)
	}
}

func appendDense(dst []byte, mask *[denseSize]byte) []byte {
	for i := 0; i < denseSize; i += 8 {
		word := binary.LittleEndian.Uint64(mask[i : i+8])
		dst = binary.LittleEndian.AppendUint64(dst, mirror(word))
	}
	return dst
}

func appendSparse(dst []byte, mask *[denseSize]byte) []byte {
	for i := 0; i < denseSize; i += 8 {
		word := binary.LittleEndian.Uint64(mask[i : i+8])
		for ; word != 0; word &= word - 1 {
			dst = append(dst, byte(8*i+bits.TrailingZeros64(word)))
		}
	}
	return dst
}

// finish returns the bitmap's bytes.
func (w *writer) finish() []byte {
	n := len(w.descriptors)
	// appendPFOR wants eight bytes to spare.
	out := make([]byte, 0, headerSize+EstimatePFOR(n)+len(w.containers)+8)
	out = append(out, version,
		byte(w.cardinality), byte(w.cardinality>>8), byte(w.cardinality>>16),
		byte(n), byte(n>>8))
	out = appendPFOR(out, w.descriptors)
	return append(out, w.containers...)
}
