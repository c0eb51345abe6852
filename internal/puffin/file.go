package puffin

import (
	"bytes"
	"slices"
	"sync"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/storage"
)

// File is the footer of a Puffin file, checked. It does not change and holds no source: the
// reading methods are given the one that it was opened from. Any number of threads may use it.
type File struct {
	payload []byte
	blobs   []Blob
	about   Footer

	sorting sync.Once
	vectors []int32 // the deletion vectors by offset, length, data file and index
}

// Open reads the footer of a Puffin file and proves its frame, its JSON, the place of every
// blob and the head magic: ErrCorrupt where one is wrong, ErrUnsupported for unknown flags,
// ErrLimit for a compressed footer that inflates beyond bounds, ErrIO where src fails.
//
// It makes one request for a file of up to 64 KiB, else one for the last 64 KiB, one for the
// head and one for what a longer footer has before that.
func Open(src storage.Source) (*File, error) {
	f, _, err := Examine(src)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// open reads the footer alone.
func open(t *tail) (*File, error) {
	footer, err := t.footer()
	if err != nil {
		return nil, err
	}
	return footer.file()
}

func (f *footer) file() (*File, error) {
	p, err := f.parse()
	if err != nil {
		return nil, err
	}
	about := Footer{Offset: f.start, Size: f.size, Compressed: f.place != "", CreatedBy: p.createdBy}
	return &File{payload: f.payload, blobs: p.blobs, about: about}, nil
}

// Blobs lists the file's blobs in the order of the footer. The list must not be changed.
func (f *File) Blobs() []Blob { return f.blobs }

// Footer tells where the footer is and how it is stored.
func (f *File) Footer() Footer { return f.about }

// FooterJSON returns a copy of the footer payload, inflated.
func (f *File) FooterJSON() []byte { return bytes.Clone(f.payload) }

// Read reads blob number index as a deletion vector, in one request.
//
// ErrInvalidArgument: there is no such blob. ErrMismatch: it is of another type, or does not
// hold as many positions as its cardinality property says. ErrUnsupported: it has a codec.
// ErrCorrupt: it names no data file, its cardinality property is no number, or its bytes are
// no deletion-vector-v1 blob.
func (f *File) Read(src storage.Source, index int) (*dv.Vector, error) {
	if index < 0 || index >= len(f.blobs) {
		return nil, fault.Invalid("blob %d of a Puffin file that has %d", index, len(f.blobs))
	}
	b := &f.blobs[index]
	v, err := f.read(src, b, b.Cardinality)
	return v, fault.In(err, "blob %d at offset %d of the Puffin file", index, b.Offset)
}

func (f *File) read(src storage.Source, b *Blob, expected int64) (*dv.Vector, error) {
	if err := b.CheckVector(); err != nil {
		return nil, err
	}
	data, err := storage.Read(src, b.Offset, b.Length, "deletion vector blob")
	if err != nil {
		return nil, err
	}
	return dv.ParseBlob(data, expected)
}

// sorted gives the indexes of the deletion vectors in the order of byRange.
func (f *File) sorted() []int32 {
	f.sorting.Do(func() {
		for i := range f.blobs {
			if f.blobs[i].Type == DeletionVector {
				f.vectors = append(f.vectors, int32(i))
			}
		}
		slices.SortStableFunc(f.vectors, func(i, j int32) int { return byRange(&f.blobs[i], &f.blobs[j]) })
	})
	return f.vectors
}
