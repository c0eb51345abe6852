package puffin

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"sort"
	"strings"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/storage"
)

// Entry is what a manifest says of a deletion vector.
type Entry struct {
	ContentOffset int64  // content_offset
	ContentSize   int64  // content_size_in_bytes
	RecordCount   int64  // record_count: how many rows are deleted
	DataFile      string // referenced_data_file
}

// WarnNoCardinality says that a blob lacks its cardinality property, so that the entry's
// record count was the only one to check.
const WarnNoCardinality uint32 = 1

// check refuses an entry that no file could satisfy.
func (e *Entry) check() error {
	if e.ContentOffset < 0 || e.ContentSize < 0 || e.RecordCount < 0 {
		return fault.Invalid("entry with content offset %d, content size %d and record count %d, expected none below 0",
			e.ContentOffset, e.ContentSize, e.RecordCount)
	}
	return checkName("referenced data file of the entry", e.DataFile)
}

// byRange orders blobs by offset, length and data file.
func byRange(a, b *Blob) int {
	return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Length, b.Length), strings.Compare(a.DataFile, b.DataFile))
}

func (e *Entry) names(b *Blob) bool {
	return b.Offset == e.ContentOffset && b.Length == e.ContentSize && b.DataFile == e.DataFile && b.Type == DeletionVector
}

// match proves that blob b is what the entry says, as far as the footer knows.
func (e *Entry) match(b *Blob) (warnings uint32, err error) {
	if err := b.CheckVector(); err != nil {
		return 0, err
	}
	switch b.Cardinality {
	case -1:
		return WarnNoCardinality, nil
	case e.RecordCount:
		return 0, nil
	}
	return 0, fault.Mismatch("its property %q is %d, expected the entry's record count %d",
		cardinalityProperty, b.Cardinality, e.RecordCount)
}

// ReadEntry reads the vector that a manifest entry points at, in one request, and checks it
// against the footer and the entry. The warnings are WarnNoCardinality or 0.
//
// ErrInvalidArgument: the entry has a negative number or no valid data file. ErrMismatch: the
// footer has no vector at exactly that offset and length for that data file, or the
// cardinality property or the vector itself does not agree with the record count.
// ErrUnsupported: the blob has a codec. ErrCorrupt: the blob names no data file, its
// cardinality property is no number, or its bytes are no deletion-vector-v1 blob.
func (f *File) ReadEntry(src storage.Source, e Entry) (*dv.Vector, uint32, error) {
	if err := e.check(); err != nil {
		return nil, 0, err
	}
	b, err := f.find(&e)
	if err != nil {
		return nil, 0, err
	}
	warnings, err := e.match(b)
	if err != nil {
		return nil, 0, e.in(err)
	}
	v, err := f.read(src, b, e.RecordCount)
	if err != nil {
		return nil, 0, e.in(err)
	}
	return v, warnings, nil
}

// in says of which blob an error is.
func (e *Entry) in(err error) error {
	return fault.In(err, "blob at offset %d of the Puffin file, for %s", e.ContentOffset, fault.Quote(e.DataFile))
}

// find looks an entry's blob up.
func (f *File) find(e *Entry) (*Blob, error) {
	want := Blob{Offset: e.ContentOffset, Length: e.ContentSize, DataFile: e.DataFile}
	vectors := f.sorted()
	i := sort.Search(len(vectors), func(i int) bool { return byRange(&f.blobs[vectors[i]], &want) >= 0 })
	if i < len(vectors) && e.names(&f.blobs[vectors[i]]) {
		return &f.blobs[vectors[i]], nil
	}
	return nil, f.missing(e)
}

// findOnce is find without an order to search in.
func (f *File) findOnce(e *Entry) (*Blob, error) {
	for i := range f.blobs {
		if e.names(&f.blobs[i]) {
			return &f.blobs[i], nil
		}
	}
	return nil, f.missing(e)
}

// missing says what is where an entry's blob should be.
func (f *File) missing(e *Entry) error {
	near := -1 // the blob that has most in common with the entry
	for i := range f.blobs {
		b := &f.blobs[i]
		if b.Offset != e.ContentOffset {
			continue
		}
		if near < 0 || b.Length == e.ContentSize && f.blobs[near].Length != e.ContentSize {
			near = i
		}
	}
	if near < 0 {
		return fault.Mismatch("Puffin file: none of its %d blobs starts at offset %d, where the entry for %s points",
			len(f.blobs), e.ContentOffset, fault.Quote(e.DataFile))
	}
	b := &f.blobs[near]
	if b.Length != e.ContentSize {
		return e.in(fault.Mismatch("its length is %d, expected the entry's content size %d", b.Length, e.ContentSize))
	}
	if b.Type == DeletionVector && b.DataFile != "" {
		return e.in(fault.Mismatch("its data file is %s", fault.Quote(b.DataFile)))
	}
	return e.in(b.CheckVector())
}

// ReadEntry is Open and File.ReadEntry in one go: at most three requests, one for a file of
// up to 64 KiB. Its errors are those of both; where src is no Puffin file the message tells
// how a bare blob is read.
//
// The requests are the last 64 KiB, what a longer footer has before that, and the blob, which
// is read from the head of the file on where it starts in the first 64 KiB. The head magic is
// checked unless that would take a fourth request.
func ReadEntry(src storage.Source, e Entry) (*dv.Vector, uint32, error) {
	if err := e.check(); err != nil {
		return nil, 0, err
	}
	t, err := readTail(src)
	if err != nil {
		return nil, 0, err
	}
	if err := t.checkEnd(); err != nil {
		return nil, 0, t.foreign(&e, err)
	}
	f, err := open(t)
	if err != nil {
		return nil, 0, err
	}
	b, err := f.findOnce(&e)
	if err != nil {
		return nil, 0, err
	}
	warnings, err := e.match(b)
	if err != nil {
		return nil, 0, e.in(err)
	}
	data, err := t.blob(b)
	if err != nil {
		return nil, 0, e.in(err)
	}
	v, err := dv.ParseBlob(data, e.RecordCount)
	if err != nil {
		return nil, 0, e.in(err)
	}
	return v, warnings, nil
}

const mostRequests = 3

// blob gives the bytes of a blob in memory of their own, and checks the head magic if the
// requests allow it.
func (t *tail) blob(b *Blob) ([]byte, error) {
	const what = "deletion vector blob"
	if data, ok := t.has(b.Offset, b.Length); ok {
		return bytes.Clone(data), t.checkHead()
	}
	if b.Offset <= tailSize {
		data, err := t.read(0, b.Offset+b.Length, what)
		if err != nil {
			return nil, err
		}
		if err := t.headFrom(data); err != nil {
			return nil, err
		}
		if data = data[b.Offset:]; b.Length < b.Offset {
			data = bytes.Clone(data) // rather than keep what is before it
		}
		return data, nil
	}
	if t.requests+1 < mostRequests {
		if err := t.checkHead(); err != nil {
			return nil, err
		}
	}
	return t.read(b.Offset, b.Length, what)
}

// foreign completes the error of a file that is no Puffin file: entries in the field also
// point into files that are a blob and nothing else, and into Delta's.
func (t *tail) foreign(e *Entry, err error) error {
	const ways = "dv_read_range reads a bare blob out of a file, dv_deserialize out of memory"
	if t.startsBlob(e.ContentOffset) {
		return fault.Corrupt("not a Puffin file (%v); the bytes at offset %d start a bare deletion vector blob, as in a Delta file: %s",
			err, e.ContentOffset, ways)
	}
	return fault.Corrupt("not a Puffin file (%v); no bare deletion vector blob starts at offset %d either (%s)", err, e.ContentOffset, ways)
}

// startsBlob reports whether a blob's length and magic are at off, asking for them if need be.
func (t *tail) startsBlob(off int64) bool {
	const head = 8
	if off > t.size-head {
		return false
	}
	data, ok := t.has(off, head)
	if !ok {
		var err error
		if data, err = t.read(off, head, "start of a blob"); err != nil {
			return false
		}
	}
	return binary.LittleEndian.Uint32(data[4:]) == dv.Magic
}
