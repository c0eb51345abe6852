package delta

import (
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/storage"
)

// Records goes through the records of a vector file from the first to the last, for those who have no descriptors.
type Records struct {
	src storage.Source
	at  int64
}

// Record is one of them.
type Record struct {
	Offset int64  // of the size field, from the start of the file
	Data   []byte // size field, magic, bitmap and CRC-32; of a record that is cut short what there is
}

// NewRecords reads the version byte. ErrCorrupt: there is none. ErrUnsupported: it is not 1. ErrIO: the source failed.
func NewRecords(src storage.Source) (*Records, error) {
	r := recordReader{src: src}
	return &Records{src: src, at: firstRecord}, fault.In(r.readVersion(), "delta file")
}

// Rest is where the next record would begin and how many bytes there are from there on; 0: there is no further record.
func (r *Records) Rest() (offset, size int64) { return r.at, max(0, r.src.Size()-r.at) }

// Next reads the next record, of which there must be one; what is in it is not checked, but for the magic of an older form.
//
// ErrCorrupt: a size field that no record has, or fewer bytes than it says; where the next record begins is then unknown, and so
// Next must not be called again. ErrUnsupported: a record of an older form. ErrIO: the source failed.
func (r *Records) Next() (Record, error) {
	reader := &recordReader{src: r.src, at: r.at, size: Unknown}
	record := Record{Offset: r.at}
	_, left := r.Rest()
	if left < sizeFieldBytes {
		return record, reader.in(fault.Corrupt("the record is cut short: %d bytes are left, expected the %d of a size field",
			left, sizeFieldBytes))
	}
	field, err := storage.Read(r.src, r.at, sizeFieldBytes, "size field")
	if err != nil {
		return record, reader.in(err)
	}
	size, err := reader.checkSizeField(field)
	if err != nil {
		return record, reader.in(err)
	}
	if !reader.fits(size) {
		if record.Data, err = storage.Read(r.src, r.at, left, "record"); err != nil {
			return record, reader.in(err)
		}
		return record, reader.in(reader.cut(size))
	}
	record.Data, err = storage.Read(r.src, r.at, int64(size)+recordOverhead, "record")
	if err != nil {
		return record, reader.in(err)
	}
	r.at += int64(len(record.Data))
	reader.size = size
	return record, reader.in(reader.checkRecord(record.Data))
}
