package mumbling

import (
	"bytes"
	"sync"

	"github.com/libdv/libdv/internal/fault"
)

// Limits of version 1. Positions are below MaxCardinality.
const (
	MaxContainers  = 8192
	MaxCardinality = MaxContainers * containerPlaces
)

const (
	version         = 1
	headerSize      = 6
	containerPlaces = 256 // positions that a container covers
	denseSize       = 32  // bytes of a dense container
	denseMinimum    = 32  // places that a dense container holds at least
)

// Bitmap is a read-only Mumbling bitmap over its serialised bytes. Any number of threads may
// use one at a time.
//
// Its methods are safe on any bytes. The descriptors are decoded by the first call that needs
// them; a fault found then is ErrCorrupt from that call and from every later one but
// [Bitmap.Cardinality] and [Bitmap.Buffer].
type Bitmap struct {
	data        []byte
	cardinality int32 // as the header says
	containers  int   // number of containers, 0 to MaxContainers

	once   sync.Once
	octets []octet // the directory, once decoded
	end    int     // first byte behind the last container
	fault  error   // why there is no directory
}

// Read returns the bitmap that data holds. It copies data, once.
//
// ErrCorrupt: data is shorter than its header and the smallest coding of that many descriptors;
// more than MaxContainers containers; a cardinality above MaxCardinality. ErrUnsupported: a
// version other than 1.
func Read(data []byte) (*Bitmap, error) {
	b := &Bitmap{}
	if err := b.readHeader(data); err != nil {
		return nil, err
	}
	b.data = bytes.Clone(data)
	return b, nil
}

// ReadOwned is [Read] without the copy: the bitmap keeps data, which must not change any more.
func ReadOwned(data []byte) (*Bitmap, error) {
	b := &Bitmap{data: data}
	if err := b.readHeader(data); err != nil {
		return nil, err
	}
	return b, nil
}

func (b *Bitmap) readHeader(data []byte) error {
	if len(data) < headerSize {
		return fault.Corrupt("Mumbling bitmap: %d bytes, expected a header of %d", len(data), headerSize)
	}
	if data[0] != version {
		return fault.Unsupported("Mumbling bitmap: version %d at byte 0, expected %d", data[0], version)
	}
	cardinality := int32(data[1]) | int32(data[2])<<8 | int32(data[3])<<16
	if cardinality > MaxCardinality {
		return fault.Corrupt("Mumbling bitmap: cardinality %d at byte 1, expected at most %d",
			cardinality, MaxCardinality)
	}
	containers := int(data[4]) | int(data[5])<<8
	if containers > MaxContainers {
		return fault.Corrupt("Mumbling bitmap: %d containers at byte 4, expected at most %d",
			containers, MaxContainers)
	}
	chunks := (containers + chunkValues - 1) / chunkValues
	if least := chunks * chunkHeader; len(data)-headerSize < least {
		return fault.Corrupt("Mumbling bitmap: %d bytes after the header at byte %d, expected at least %d for %d descriptors",
			len(data)-headerSize, headerSize, least, containers)
	}
	b.cardinality, b.containers = cardinality, containers
	return nil
}

// Cardinality returns the number of positions that the header states. Only [Bitmap.Positions],
// [Bitmap.ToVector] and [Bitmap.Validate] count.
func (b *Bitmap) Cardinality() int32 { return b.cardinality }

// Buffer returns the serialised bytes, all of them. They must not be changed.
func (b *Bitmap) Buffer() []byte { return b.data }

// IsSet tells whether position is in the bitmap; past its end none is. ErrInvalidArgument: a
// negative position. ErrCorrupt: faulty descriptors.
func (b *Bitmap) IsSet(position int32) (bool, error) {
	if position < 0 {
		return false, fault.Invalid("Mumbling position %d is negative", position)
	}
	if err := b.load(); err != nil {
		return false, err
	}
	return b.isSet(position), nil
}

// IsSetMany sets out[i] to 1 where positions[i], in any order, is in the bitmap, else to 0. It
// fails like [Bitmap.IsSet], and with ErrTooSmall where out is shorter than positions; the
// contents of out are then unspecified.
func (b *Bitmap) IsSetMany(positions []int32, out []byte) error {
	if len(out) < len(positions) {
		return fault.TooSmall("Mumbling is-set: room for %d results, expected %d", len(out), len(positions))
	}
	if err := b.load(); err != nil {
		return err
	}
	out = out[:len(positions)]
	for i, p := range positions {
		if p < 0 {
			return fault.Invalid("Mumbling position %d at index %d is negative", p, i)
		}
		set := byte(0)
		if b.isSet(p) {
			set = 1
		}
		out[i] = set
	}
	return nil
}

// isSet expects a loaded directory and position >= 0.
func (b *Bitmap) isSet(position int32) bool {
	container := int(position) / containerPlaces
	if container >= b.containers {
		return false
	}
	octet := &b.octets[container/8]
	size := octet.size(container % 8)
	if size == 0 {
		return false
	}
	at := octet.at(container % 8)
	stored := b.data[at : at+size]
	if size == denseSize {
		return stored[position>>3&31]<<(position&7)&0x80 != 0
	}
	return bytes.IndexByte(stored, byte(position)) >= 0
}
