package puffin

import (
	"bytes"

	"github.com/libdv/libdv/internal/fault"
)

// The members of a blob that the format requires, in the order of blobMembers, and the others.
const (
	hasType members = 1 << iota
	hasFields
	hasSnapshot
	hasSequence
	hasOffset
	hasLength
	hasCodec
	hasProperties
)

var blobMembers = []string{"type", "fields", "snapshot-id", "sequence-number", "offset", "length"}

// footerParser reads a footer payload.
type footerParser struct {
	*reader
	end   int64 // where blobs must end: the start of the footer
	blobs []Blob
}

// blobs reads the payload of a footer.
func (f *footer) blobs() ([]Blob, error) {
	p := &footerParser{reader: newReader(f.payload, fault.Corrupt, f.base, f.place), end: f.start}
	p.blobs = make([]Blob, 0, guess(f.payload))
	err := p.top()
	if err == nil {
		err = p.reader.end()
	}
	return p.blobs, fault.In(err, "Puffin footer")
}

// guess says for how many blobs there should be room: never more than the bytes can hold.
func guess(payload []byte) int {
	return min(bytes.Count(payload, []byte(`"offset"`)), len(payload)/leastBlobJSON+1)
}

func (p *footerParser) top() error {
	const hasBlobs members = 1
	var seen members
	err := p.object(func(name []byte) error {
		switch string(name) {
		case "blobs":
			if err := p.once(&seen, hasBlobs, name); err != nil {
				return err
			}
			return p.array(p.blob)
		case "properties":
			if err := p.once(&seen, hasProperties, name); err != nil {
				return err
			}
			return p.object(p.property)
		}
		return p.skip()
	})
	if err != nil {
		return err
	}
	return p.require(seen, "blobs")
}

// blob reads element i of the list of blobs.
func (p *footerParser) blob(i int) error {
	p.blobs = append(p.blobs, Blob{Cardinality: -1})
	b := &p.blobs[i]
	var seen members
	err := p.object(func(name []byte) error { return p.member(b, &seen, name) })
	if err == nil {
		err = p.require(seen, blobMembers...)
	}
	if err == nil {
		err = p.inPlace(b)
	}
	return fault.In(err, "blob %d", i)
}

// member reads one member of a blob.
func (p *footerParser) member(b *Blob, seen *members, name []byte) error {
	var bit members
	var number *int64
	switch string(name) {
	case "type":
		bit = hasType
	case "fields":
		bit = hasFields
	case "snapshot-id":
		bit, number = hasSnapshot, &b.SnapshotID
	case "sequence-number":
		bit, number = hasSequence, &b.SequenceNumber
	case "offset":
		bit, number = hasOffset, &b.Offset
	case "length":
		bit, number = hasLength, &b.Length
	case "compression-codec":
		bit = hasCodec
	case "properties":
		bit = hasProperties
	default:
		return p.skip()
	}
	if err := p.once(seen, bit, name); err != nil {
		return err
	}
	var err error
	switch {
	case number != nil:
		*number, err = p.integer(64)
	case bit == hasType:
		b.Type, err = p.blobType()
	case bit == hasFields:
		err = p.array(func(int) error { _, err := p.integer(32); return err })
	case bit == hasCodec:
		var codec []byte
		codec, err = p.text()
		b.Codec, b.HasCodec = string(codec), true
	default:
		err = p.blobProperties(b)
	}
	return fault.In(err, "%s", blobMember(bit))
}

// blobMember names a member for messages.
func blobMember(bit members) string {
	for i, name := range blobMembers {
		if bit == 1<<i {
			return name
		}
	}
	if bit == hasCodec {
		return "compression-codec"
	}
	return "properties"
}

func (p *footerParser) blobType() (string, error) {
	text, err := p.text()
	switch {
	case err != nil:
		return "", err
	case len(text) == 0:
		return "", p.at(p.dec.InputOffset()-int64(len(`""`)), "found an empty string, expected a blob type")
	case string(text) == DeletionVector:
		return DeletionVector, nil // no copy for each
	}
	return string(text), nil
}

func (p *footerParser) blobProperties(b *Blob) error {
	const hasName, hasCardinality members = 1, 2
	var seen members
	return p.object(func(name []byte) error {
		var bit members
		switch string(name) {
		case dataFileProperty:
			bit = hasName
		case cardinalityProperty:
			bit = hasCardinality
		default:
			return p.property(nil)
		}
		if err := p.once(&seen, bit, name); err != nil {
			return err
		}
		value, err := p.text()
		if bit == hasName {
			b.DataFile, b.HasDataFile = string(value), true
		} else {
			n, ok := digits(value)
			b.Cardinality, b.malformed = n, !ok
		}
		return err
	})
}

// property passes over the value of a property that means nothing here: a string, as every
// property's.
func (p *footerParser) property([]byte) error {
	_, err := p.text()
	return err
}

// inPlace proves that a blob lies between the head magic and the footer.
func (p *footerParser) inPlace(b *Blob) error {
	if b.Offset < int64(magicSize) || b.Length < 0 || b.Offset > p.end || b.Length > p.end-b.Offset {
		return p.at(p.dec.InputOffset(), "found offset %d and length %d, expected a range within [%d, %d), before the footer",
			b.Offset, b.Length, magicSize, p.end)
	}
	return nil
}
