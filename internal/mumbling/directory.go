package mumbling

import (
	"encoding/binary"
	"slices"

	"github.com/libdv/libdv/internal/fault"
)

const (
	descriptorReserved = 0xC0 // both bits are zero
	descriptorDense    = 0x20
	descriptorCount    = 0x1F // sparse: number of places
)

// octet is the directory's entry for eight neighbouring containers. That is as fine as it need
// be: the containers lie one behind the other, so where each begins follows from the sizes
// before it, and eight sizes are one word.
type octet struct {
	sizes uint64 // byte i: size in bytes of container i, 0 to 31 sparse, 32 dense
	start uint32 // first byte of container 0
}

// size returns the size of container i, 0 to 7.
func (o octet) size(i int) int { return int(o.sizes >> (8 * i & 63) & 0xFF) }

// at returns the first byte of container i, 0 to 7.
func (o octet) at(i int) int { return int(o.start) + o.before(i) }

// before returns the size of the containers before i, 0 to 7: at most 224, so that the product
// cannot carry into its top byte, which is the sum of all eight.
func (o octet) before(i int) int {
	below := uint64(1)<<(8*i&63) - 1
	return int(o.sizes & below * lanes >> 56)
}

// total returns the size of all eight, at most 256.
func (o octet) total() int {
	const evens = 0x00FF00FF00FF00FF
	return int((o.sizes&evens + o.sizes>>8&evens) * 0x0001000100010001 >> 48)
}

// few tells whether the octet is sparse throughout and of less than 128 places, whose numbers
// leave the top bit of a byte free: what basis needs.
func (o octet) few() bool {
	return o.sizes&(descriptorDense*lanes) == 0 && o.total() < 128
}

// The places of an octet of few lie one behind the other; which container a place is in follows
// from its index among them. No branch depends on the sizes: those of neighbouring containers
// are random, and a wrong guess costs the processor more than several places.

// firstIndex and nextIndex count the places of an octet, in each byte, from 128 on: so that
// subtracting ends sets the top bit of the lanes that ended.
const (
	firstIndex = 0x80 * lanes
	nextIndex  = lanes
)

// ends returns, in byte i, the number of places in containers 0 to i.
func (o octet) ends() uint64 { return o.sizes * lanes }

// basis returns the first place of the container that the place at index lies in, counted from
// the first place of the octet.
func basis(index, ends uint64) int {
	ended := (index - ends) & (0x80 * lanes) >> 7 // byte i: 1 where container i has ended
	return int(ended * lanes >> 48 & 0x0F00)
}

// load decodes the directory at first use and returns the fault that it met then, if any.
func (b *Bitmap) load() error {
	b.once.Do(b.decodeDirectory)
	return b.fault
}

// decodeDirectory decodes the descriptors and lays out the containers. Behind it every size and
// offset of the directory is within the bytes.
func (b *Bitmap) decodeDirectory() {
	octets := make([]octet, (b.containers+7)/8)
	at := headerSize
	var descriptors [chunkValues]byte
	for first := 0; first < b.containers; first += chunkValues {
		n := min(b.containers-first, chunkValues)
		clear(descriptors[n:])
		chunkAt := at
		end, err := decodeChunk(b.data, at, first/chunkValues, descriptors[:n])
		if err != nil {
			b.fault = fault.In(err, "Mumbling bitmap")
			return
		}
		at = end
		if i := fillSizes(octets[first/8:], &descriptors); i >= 0 {
			b.fault = fault.Corrupt("Mumbling bitmap: descriptor %d (in the PFOR chunk at byte %d) is 0x%02x, expected the two top bits to be zero",
				first+i, chunkAt, descriptors[i])
			return
		}
	}
	for i := range octets {
		o := &octets[i]
		o.start = uint32(at)
		at += o.total()
	}
	if at > len(b.data) {
		b.fault = b.overrun(octets)
		return
	}
	b.octets, b.end = octets, at
}

// fillSizes sets the sizes of as many octets as there are, 32 at most, from one chunk of
// descriptors. It returns the index of a descriptor with reserved bits, or -1.
func fillSizes(octets []octet, descriptors *[chunkValues]byte) (reserved int) {
	const dense = descriptorDense * lanes
	all := uint64(0)
	for g := range octets[:min(len(octets), chunkValues/8)] {
		x := binary.LittleEndian.Uint64(descriptors[8*g&0xF8:])
		all |= x
		// 0x20 - 1 is the mask of the low bits, which do not count in a dense descriptor.
		is := x & dense
		octets[g].sizes = x&(descriptorCount*lanes)&^(is-is>>5) | is
	}
	if all&(descriptorReserved*lanes) == 0 {
		return -1
	}
	return slices.IndexFunc(descriptors[:], func(d byte) bool { return d&descriptorReserved != 0 })
}

// overrun describes the first container that does not end within the bytes. There is one.
func (b *Bitmap) overrun(octets []octet) error {
	for i := 0; ; i++ {
		o := octets[i/8]
		at, size := o.at(i%8), o.size(i%8)
		if at+size > len(b.data) {
			return fault.Corrupt("Mumbling bitmap: container %d at byte %d: %d bytes left, expected %d",
				i, at, len(b.data)-at, size)
		}
	}
}

// stored returns the bytes of a container below b.containers; they are dense where they are
// denseSize, else sparse. The directory is loaded.
func (b *Bitmap) stored(container int) []byte {
	o := b.octets[container/8]
	at := o.at(container % 8)
	return b.data[at : at+o.size(container%8)]
}

// unorderedPlace returns the index of the first sparse place that is not above the one before
// it, or -1.
func unorderedPlace(places []byte) int {
	for i := 1; i < len(places); i++ {
		if places[i] <= places[i-1] {
			return i
		}
	}
	return -1
}

// unordered describes the first unordered sparse place in or behind the container first. There
// is one.
func (b *Bitmap) unordered(first int) error {
	for c := first; ; c++ {
		places := b.stored(c)
		if len(places) == denseSize {
			continue
		}
		if i := unorderedPlace(places); i > 0 {
			return fault.Corrupt("Mumbling bitmap: container %d: place %d at byte %d, expected more than %d, the one before it",
				c, places[i], b.octets[c/8].at(c%8)+i, places[i-1])
		}
	}
}
