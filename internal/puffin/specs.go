package puffin

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"github.com/libdv/libdv/internal/fault"
)

// spec is a partition spec of a table, as far as writing entries needs it.
type spec struct {
	id     int32
	fields []int32 // the partition field ids in the spec's order
	sorted []int   // the places in fields by ascending id
}

// place finds a field id as an object's member spells it: decimal, nothing else.
func (s *spec) place(name []byte) (int, bool) {
	id, err := strconv.ParseInt(string(name), 10, 32)
	if err != nil || string(name) != strconv.FormatInt(id, 10) {
		return 0, false
	}
	i, ok := slices.BinarySearchFunc(s.sorted, int32(id), func(at int, id int32) int { return cmp.Compare(s.fields[at], id) })
	if !ok {
		return 0, false
	}
	return s.sorted[i], true
}

// index sorts the places of the fields; an id that stands twice is returned.
func (s *spec) index() (twice int32, found bool) {
	s.sorted = make([]int, len(s.fields))
	for i := range s.sorted {
		s.sorted[i] = i
	}
	slices.SortFunc(s.sorted, func(i, j int) int { return cmp.Compare(s.fields[i], s.fields[j]) })
	for i := 1; i < len(s.sorted); i++ {
		if id := s.fields[s.sorted[i]]; id == s.fields[s.sorted[i-1]] {
			return id, true
		}
	}
	return 0, false
}

// specs are the partition specs of a table, in the order of its metadata.
type specs []spec

// find returns the spec of the given id.
func (s specs) find(id int32) (*spec, error) {
	for i := range s {
		if s[i].id == id {
			return &s[i], nil
		}
	}
	return nil, fault.Invalid("partition spec id %d is none of the table's %d specs", id, len(s))
}

// parseSpecs reads the member "partition-specs" of table metadata: a list of {spec-id, fields},
// each field with its field-id. What else a field says (source-id or source-ids, transform,
// name) does not matter to an entry; transform and name must be strings where they stand.
// Source: https://iceberg.apache.org/spec/#partition-specs.
func parseSpecs(json []byte) (specs, error) {
	if json == nil {
		return specs{{id: 0}}, nil
	}
	p := &specParser{reader: newReader(json, fault.Invalid, 0, "")}
	p.specs = make(specs, 0, min(bytes.Count(json, []byte(`"spec-id"`)), len(json)/leastSpecJSON))
	err := p.list()
	if err == nil {
		err = p.end()
	}
	if err == nil {
		err = p.specs.unique()
	}
	return p.specs, fault.In(err, "partition specs")
}

// leastSpecJSON is what a spec takes at least: {"spec-id":1,"fields":[]}.
const leastSpecJSON = 25

type specParser struct {
	*reader
	specs specs
}

// unique proves that no spec id stands twice.
func (s specs) unique() error {
	ids := make([]int32, len(s))
	for i := range s {
		ids[i] = s[i].id
	}
	slices.Sort(ids)
	for i := 1; i < len(ids); i++ {
		if ids[i] == ids[i-1] {
			return fault.Invalid("spec id %d stands twice", ids[i])
		}
	}
	return nil
}

func (p *specParser) list() error {
	if err := p.array(); err != nil {
		return err
	}
	for {
		more, err := p.more()
		if err != nil || !more {
			return err
		}
		var s spec
		if err := p.spec(&s); err != nil {
			return fault.In(err, "spec %d", len(p.specs))
		}
		p.specs = append(p.specs, s)
	}
}

// spec reads one element of the list.
func (p *specParser) spec(s *spec) error {
	const hasID, hasFields members = 1, 2
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
		switch string(name) {
		case "spec-id":
			if err = p.once(&seen, hasID, name); err == nil {
				s.id, err = p.number("spec-id")
			}
		case "fields":
			if err = p.once(&seen, hasFields, name); err == nil {
				err = p.fields(s)
			}
		default:
			err = p.skip()
		}
		if err != nil {
			return err
		}
	}
	if err := p.require(seen, "spec-id", "fields"); err != nil {
		return err
	}
	return p.uniqueFields(s)
}

// uniqueFields proves that no field id stands twice in a spec.
func (p *specParser) uniqueFields(s *spec) error {
	if id, found := s.index(); found {
		return p.at(p.dec.InputOffset(), "field id %d stands twice in the spec", id)
	}
	return nil
}

// fields reads the fields of a spec.
func (p *specParser) fields(s *spec) error {
	if err := p.array(); err != nil {
		return err
	}
	for {
		more, err := p.more()
		if err != nil || !more {
			return err
		}
		id, err := p.field()
		if err != nil {
			return fault.In(err, "field %d", len(s.fields))
		}
		s.fields = append(s.fields, id)
	}
}

// field reads one field of a spec and gives its id.
func (p *specParser) field() (id int32, err error) {
	const hasID, hasTransform, hasName members = 1, 2, 4
	var seen members
	if err := p.object(); err != nil {
		return 0, err
	}
	for {
		name, more, err := p.name()
		if err != nil {
			return 0, err
		}
		if !more {
			return id, p.require(seen, "field-id")
		}
		switch string(name) {
		case "field-id":
			if err = p.once(&seen, hasID, name); err == nil {
				id, err = p.number("field-id")
			}
		case "transform":
			if err = p.once(&seen, hasTransform, name); err == nil {
				_, err = p.text()
			}
		case "name":
			if err = p.once(&seen, hasName, name); err == nil {
				_, err = p.text()
			}
		default:
			err = p.skip()
		}
		if err != nil {
			return 0, err
		}
	}
}

// number reads an id: an integer from 0 on.
func (p *specParser) number(what string) (int32, error) {
	n, err := p.integer(32)
	if err == nil && n < 0 {
		err = p.at(p.dec.InputOffset(), "found %d, expected 0 or more", n)
	}
	return int32(n), fault.In(err, "%s", what)
}
