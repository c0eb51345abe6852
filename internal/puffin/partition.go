package puffin

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/libdv/libdv/internal/fault"
)

// partition turns the caller's partition of a data file into the array that its entry holds:
// the values in the order of the spec's fields, each copied as it was written, so that no
// number passes through a float and no text through another form.
//
// json is an object keyed by field id, or an array in the spec's order, with a value for
// every field; nil, {} and [] are the partition of an unpartitioned spec. The values are
// Iceberg's single-value JSON of primitive types: strings, numbers, booleans and null.
// Source: https://iceberg.apache.org/spec/#json-single-value-serialization.
func (s *spec) partition(json []byte) ([]byte, error) {
	values := make([]jsontext.Value, len(s.fields))
	if json != nil {
		p := &partitionParser{reader: newReader(json, fault.Invalid, 0, ""), spec: s, values: values}
		err := p.parse()
		if err == nil {
			err = p.end()
		}
		if err != nil {
			return nil, fault.In(err, "partition for spec %d", s.id)
		}
	}
	out := []byte{'['}
	for i, value := range values {
		if value == nil {
			return nil, fault.Invalid("partition for spec %d: no value for field id %d; null is written out", s.id, s.fields[i])
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, value...)
	}
	return append(out, ']'), nil
}

type partitionParser struct {
	*reader
	spec   *spec
	values []jsontext.Value
}

func (p *partitionParser) parse() error {
	if p.dec.PeekKind() == '[' {
		return p.inOrder()
	}
	if err := p.object(); err != nil {
		return err
	}
	for {
		name, more, err := p.name()
		if err != nil || !more {
			return err
		}
		if err := p.member(name); err != nil {
			return err
		}
	}
}

// inOrder reads the values as an array.
func (p *partitionParser) inOrder() error {
	if err := p.array(); err != nil {
		return err
	}
	for i := 0; ; i++ {
		more, err := p.more()
		switch {
		case err != nil:
			return err
		case !more && i < len(p.values):
			return p.at(p.dec.InputOffset(), "%d values, the spec has %d fields; null is written out", i, len(p.values))
		case !more:
			return nil
		case i < len(p.values):
			err = p.scalar(i)
		default:
			if err = p.skip(); err == nil {
				err = p.at(p.dec.InputOffset(), "value %d follows, the spec has %d fields", i+1, len(p.values))
			}
		}
		if err != nil {
			return err
		}
	}
}

// member reads the value of one field.
func (p *partitionParser) member(name []byte) error {
	i, ok := p.spec.place(name)
	if !ok {
		return p.at(p.dec.InputOffset(), "%s is no field id of the spec", fault.Quote(string(name)))
	}
	if p.values[i] != nil {
		return p.at(p.dec.InputOffset(), "field id %d stands twice", p.spec.fields[i])
	}
	return p.scalar(i)
}

// scalar reads the value of field i and keeps its text.
func (p *partitionParser) scalar(i int) error {
	raw, err := p.value()
	if err != nil {
		return err
	}
	if kind := raw.Kind(); kind == '{' || kind == '[' {
		return p.unexpected(raw, "a value of a primitive type")
	}
	p.values[i] = raw.Clone()
	return nil
}
