package puffin

import (
	"bytes"
	"slices"
	"unsafe"

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
	payload   []byte
	end       int64 // where blobs must end: the start of the footer
	blobs     []Blob
	createdBy string // the file property created-by
}

// parse reads the payload of a footer.
func (f *footer) parse() (*footerParser, error) {
	p := &footerParser{reader: newPlainReader(f.payload), payload: f.payload, end: f.start}
	p.blobs = make([]Blob, 0, guess(f.payload))
	if p.all() == nil {
		return p, nil
	}
	p.reader = newReader(f.payload, fault.Corrupt, f.base, f.place)
	p.blobs, p.createdBy = p.blobs[:0], ""
	return p, fault.In(p.all(), "Puffin footer")
}

// guess says for how many blobs there should be room: each has a list of fields, in a list of blobs.
func guess(payload []byte) int {
	return min(bytes.Count(payload, []byte("[")), mostBlobs(payload))
}

// mostBlobs is how many blobs the bytes of a payload can hold: each is an object, as the
// payload is itself, and takes some bytes.
func mostBlobs(payload []byte) int {
	return min(bytes.Count(payload, []byte("{")), len(payload)/leastBlobJSON) + 1
}

// all reads the whole payload.
func (p *footerParser) all() error {
	if err := p.top(); err != nil {
		return err
	}
	return p.reader.end()
}

func (p *footerParser) top() error {
	const hasBlobs members = 1
	var seen members
	if err := p.object(); err != nil {
		return err
	}
	for {
		name, more, err := p.name()
		if err != nil {
			return err
		}
		if !more {
			return p.require(seen, "blobs")
		}
		switch string(name) {
		case "blobs":
			if err = p.once(&seen, hasBlobs, name); err == nil {
				err = p.list()
			}
		case "properties":
			if err = p.once(&seen, hasProperties, name); err == nil {
				err = p.properties(nil)
			}
		default:
			err = p.skip()
		}
		if err != nil {
			return err
		}
	}
}

// list reads the list of blobs.
func (p *footerParser) list() error {
	if err := p.array(); err != nil {
		return err
	}
	for {
		more, err := p.more()
		if err != nil || !more {
			return err
		}
		if n := len(p.blobs); n == cap(p.blobs) {
			p.blobs = slices.Grow(p.blobs, mostBlobs(p.payload)-n) // growing by steps would leave each of them behind
		}
		p.blobs = append(p.blobs, Blob{Cardinality: -1})
		if err := p.blob(&p.blobs[len(p.blobs)-1]); err != nil {
			return fault.In(err, "blob %d", len(p.blobs)-1)
		}
	}
}

// blob reads one element of the list.
func (p *footerParser) blob(b *Blob) error {
	var seen members
	if err := p.object(); err != nil {
		return err
	}
	for {
		name, more, err := p.name()
		if err != nil {
			return err
		}
		if !more {
			break
		}
		if seen, err = p.member(b, seen, name); err != nil {
			return err
		}
	}
	if err := p.require(seen, blobMembers...); err != nil {
		return err
	}
	return p.inPlace(b)
}

// member reads one member of a blob.
func (p *footerParser) member(b *Blob, seen members, name []byte) (members, error) {
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
		return seen, p.skip()
	}
	err := p.once(&seen, bit, name)
	switch {
	case err != nil:
	case number != nil:
		*number, err = p.integer(64)
	case bit == hasType:
		b.Type, err = p.blobType()
	case bit == hasFields:
		err = p.fields()
	case bit == hasCodec:
		var codec []byte
		codec, err = p.text()
		b.Codec, b.HasCodec = string(codec), true
	default:
		err = p.properties(b)
	}
	if err != nil {
		return seen, fault.In(err, "%s", blobMember(bit))
	}
	return seen, nil
}

// fields reads the ids of the columns that a blob is about; nothing here asks for them.
func (p *footerParser) fields() error {
	if err := p.array(); err != nil {
		return err
	}
	for {
		more, err := p.more()
		if err != nil || !more {
			return err
		}
		if _, err := p.integer(32); err != nil {
			return err
		}
	}
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
		return "", p.at(p.offset()-int64(len(`""`)), "found an empty string, expected a blob type")
	case string(text) == DeletionVector:
		return DeletionVector, nil // no copy for each
	}
	return string(text), nil
}

// properties reads an object whose values are strings: those of blob b, or of the file, which
// mean nothing here, where b is nil.
func (p *footerParser) properties(b *Blob) error {
	const hasName, hasCardinality, hasCreator members = 1, 2, 4
	var seen members
	if err := p.object(); err != nil {
		return err
	}
	for {
		name, more, err := p.name()
		if err != nil || !more {
			return err
		}
		var bit members
		switch {
		case b == nil:
			if string(name) == createdByProperty {
				bit = hasCreator
			}
		case string(name) == dataFileProperty:
			bit = hasName
		case string(name) == cardinalityProperty:
			bit = hasCardinality
		}
		if bit != 0 && b != nil {
			if err := p.once(&seen, bit, name); err != nil {
				return err
			}
		}
		value, err := p.text()
		if err != nil {
			return err
		}
		switch bit {
		case hasName:
			b.DataFile, b.HasDataFile = p.keep(value), true
		case hasCardinality:
			n, ok := digits(value)
			b.Cardinality, b.malformed = n, !ok
		case hasCreator:
			p.createdBy = string(value)
		}
	}
}

// keep gives the string for a text that was read last. Where that lies in the payload, which stays as it is,
// the string does so too: an allocation for each data file would cost as much as reading its name.
func (p *footerParser) keep(text []byte) string {
	if p.dec == nil {
		return unsafe.String(unsafe.SliceData(text), len(text))
	}
	return string(text)
}

// inPlace proves that a blob lies between the head magic and the footer.
func (p *footerParser) inPlace(b *Blob) error {
	if b.Offset < int64(magicSize) || b.Length < 0 || b.Offset > p.end || b.Length > p.end-b.Offset {
		return p.at(p.offset(), "found offset %d and length %d, expected a range within [%d, %d), before the footer",
			b.Offset, b.Length, magicSize, p.end)
	}
	return nil
}
