package puffin

import (
	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
)

// Writer collects deleted positions per data file and writes them as one Puffin file.
//
// A failed call leaves it as it was. It serves one thread at a time.
type Writer struct {
	specs specs
	files []dataFile     // in the order in which they were first added
	index map[string]int // name to place in files
}

// dataFile is what is known of one data file.
type dataFile struct {
	name      string
	specID    int32
	partition []byte // the JSON array of its entry
	vector    *dv.Vector
}

// NewWriter returns an empty writer for a table with the given partition specs: the member
// "partition-specs" of its metadata, or nil for an unpartitioned table with spec 0 alone.
// ErrInvalidArgument: they are no such JSON, or an id stands twice.
func NewWriter(partitionSpecsJSON []byte) (*Writer, error) {
	specs, err := parseSpecs(partitionSpecsJSON)
	if err != nil {
		return nil, err
	}
	return &Writer{specs: specs, index: map[string]int{}}, nil
}

// Add adds deleted positions of a data file, in any order; duplicates are fine. No positions:
// nothing happens.
//
// The first add or load of a data file fixes its spec and partition; later ones do not look at
// theirs. partitionJSON is an object {"<field id>": value} or an array in the spec's order,
// with every field of the spec, null written out; nil, {} or [] where it has none.
//
// ErrInvalidArgument, and nothing is added: the name is empty, no UTF-8, or holds a NUL; the
// spec id is unknown; the partition does not fit the spec; a position is below 0 or above
// dv.MaxPosition.
func (w *Writer) Add(name string, positions []int64, specID int32, partitionJSON []byte) error {
	if err := checkName("data file", name); err != nil || len(positions) == 0 {
		return err
	}
	if i, ok := w.index[name]; ok {
		return inFile(w.files[i].vector.SetMany(positions), name)
	}
	file, err := w.newFile(name, specID, partitionJSON)
	if err != nil {
		return err
	}
	file.vector = dv.New()
	if err := file.vector.SetMany(positions); err != nil {
		return inFile(err, name)
	}
	w.keep(file)
	return nil
}

// Load adds the positions of existing, which it does not keep; all else is as for Add. It is
// how the vector that a data file already has is merged with new positions.
func (w *Writer) Load(name string, existing *dv.Vector, specID int32, partitionJSON []byte) error {
	if existing == nil {
		return fault.Invalid("load for %s: no vector", fault.Quote(name))
	}
	if err := checkName("data file", name); err != nil || existing.IsEmpty() {
		return err
	}
	if i, ok := w.index[name]; ok {
		return inFile(w.files[i].vector.Or(existing), name)
	}
	file, err := w.newFile(name, specID, partitionJSON)
	if err != nil {
		return err
	}
	file.vector = existing.Clone()
	w.keep(file)
	return nil
}

// newFile checks the spec and the partition of a data file that is new.
func (w *Writer) newFile(name string, specID int32, partitionJSON []byte) (dataFile, error) {
	spec, err := w.specs.find(specID)
	if err != nil {
		return dataFile{}, inFile(err, name)
	}
	partition, err := spec.partition(partitionJSON)
	if err != nil {
		return dataFile{}, inFile(err, name)
	}
	return dataFile{name: name, specID: specID, partition: partition}, nil
}

func (w *Writer) keep(file dataFile) {
	w.index[file.name] = len(w.files)
	w.files = append(w.files, file)
}

// inFile says of which data file an error is.
func inFile(err error, name string) error {
	return fault.In(err, "data file %s", fault.Quote(name))
}
