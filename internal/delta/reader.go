package delta

import (
	"encoding/binary"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/storage"
)

// Read returns the vector whose record begins at offset of a deletion vector file. offset, sizeInBytes and cardinality are the
// descriptor's, or Unknown; those that are given are checked, and so are the file's version, the record's size field, magic and
// CRC-32, and every container. Zero bytes after the bitmap, inside size and CRC, are the padding of some writers.
//
// Without an offset the record is the first one, at 1, if it is what size and cardinality say. An offset of 0 is refused: there is
// the version byte.
//
// It reads the version byte and the record's bytes, no others: in one request where they touch and the size is known, in two
// where they do not touch or the size field must be read first, in three where both.
//
// ErrInvalidArgument: an offset, size or cardinality that no descriptor has. ErrCorrupt: the bytes are no record, or end before it
// does. ErrMismatch: a whole record of another size or cardinality. ErrUnsupported: another version of the file, or an older
// form of the vector. ErrIO: the source failed.
func Read(src storage.Source, offset, sizeInBytes int32, cardinality int64) (*dv.Vector, error) {
	r, err := locate(src, offset, sizeInBytes, cardinality)
	if err != nil {
		return nil, err
	}
	record, err := r.read()
	if err != nil {
		return nil, r.in(err)
	}
	v, err := dv.ParseRecord(record, cardinality)
	if err != nil {
		return nil, r.in(err)
	}
	return v, nil
}

// ReadBlob returns the bytes of a record, which are an Iceberg deletion-vector-v1 blob, and the number of positions in it,
// which is the record-count of an Iceberg entry. It reads and checks like Read, save that padding is ErrCorrupt: an Iceberg reader
// takes none.
func ReadBlob(src storage.Source, offset, sizeInBytes int32, cardinality int64) (blob []byte, count int64, err error) {
	r, err := locate(src, offset, sizeInBytes, cardinality)
	if err != nil {
		return nil, 0, err
	}
	record, err := r.read()
	if err != nil {
		return nil, 0, r.in(err)
	}
	v, err := dv.ParseBlob(record, cardinality)
	if err != nil {
		return nil, 0, r.in(err)
	}
	return record, v.Cardinality(), nil
}

// recordReader fetches the bytes of one record.
type recordReader struct {
	src     storage.Source
	at      int64 // of the size field
	assumed bool  // at was not given
	size    int32 // expected, or Unknown
}

// locate checks what the caller says about a record.
func locate(src storage.Source, offset, size int32, cardinality int64) (*recordReader, error) {
	r := &recordReader{src: src, at: int64(offset), size: size}
	if offset == Unknown {
		r.at, r.assumed = firstRecord, true
	}
	if r.at == 0 {
		return nil, fault.Invalid("delta file: offset 0 is the version byte, the first record is at %d", firstRecord)
	}
	if r.at < 0 {
		return nil, fault.Invalid("delta file: offset %d is negative", offset)
	}
	return r, r.in(checkExpected(size, cardinality))
}

// in says where an error belongs.
func (r *recordReader) in(err error) error {
	if r.assumed {
		return fault.In(err, "delta record at %d (no offset was given)", r.at)
	}
	return fault.In(err, "delta record at %d", r.at)
}

// read returns size field, payload and CRC; the size field is as expected.
func (r *recordReader) read() ([]byte, error) {
	if r.size == Unknown || r.size > largestSize || !r.fits(r.size) {
		return r.readBySizeField()
	}
	n := int64(r.size) + recordOverhead
	var record []byte
	if r.at == firstRecord {
		head, err := storage.Read(r.src, 0, firstRecord+n, "version byte and record")
		if err != nil {
			return nil, err
		}
		if err := checkVersion(head[0]); err != nil {
			return nil, err
		}
		record = head[firstRecord:]
	} else {
		if err := r.readVersion(); err != nil {
			return nil, err
		}
		var err error
		if record, err = storage.Read(r.src, r.at, n, "record"); err != nil {
			return nil, err
		}
	}
	return record, r.checkRecord(record)
}

// readBySizeField asks the record for its size first: nobody told it, or what was told cannot be, and the size field tells
// whether the descriptor or the file is wrong.
func (r *recordReader) readBySizeField() ([]byte, error) {
	field, err := r.readSizeField()
	if err != nil {
		return nil, err
	}
	size, err := r.checkSizeField(field)
	if err != nil {
		return nil, err
	}
	if !r.fits(size) {
		return nil, r.cut(size)
	}
	record, err := storage.Read(r.src, r.at, int64(size)+recordOverhead, "record")
	if err != nil {
		return nil, err
	}
	r.size = size
	return record, r.checkRecord(record)
}

// readSizeField reads and checks the version byte on its way.
func (r *recordReader) readSizeField() ([]byte, error) {
	if r.at == firstRecord {
		head, err := storage.Read(r.src, 0, firstRecord+sizeFieldBytes, "version byte and size field")
		if err != nil {
			return nil, err
		}
		return head[firstRecord:], checkVersion(head[0])
	}
	if err := r.readVersion(); err != nil {
		return nil, err
	}
	return storage.Read(r.src, r.at, sizeFieldBytes, "size field")
}

func (r *recordReader) readVersion() error {
	head, err := storage.Read(r.src, 0, firstRecord, "version byte")
	if err != nil {
		return err
	}
	return checkVersion(head[0])
}

func (r *recordReader) fits(size int32) bool {
	return r.at+int64(size)+recordOverhead <= r.src.Size()
}

// cut reports a record that does not fit.
func (r *recordReader) cut(size int32) error {
	return fault.Corrupt("the record is cut short: size field, %d bytes and CRC end at byte %d, the file has %d bytes",
		size, r.at+int64(size)+recordOverhead, r.src.Size())
}

// checkRecord looks at what dv leaves to Delta: the size field against the descriptor, and the magic of other forms.
func (r *recordReader) checkRecord(record []byte) error {
	if _, err := r.checkSizeField(record); err != nil {
		return err
	}
	return checkMagic(record[sizeFieldBytes:len(record)-crcBytes], "the vector")
}

// checkSizeField reads the size from the record's first bytes.
func (r *recordReader) checkSizeField(record []byte) (int32, error) {
	size := int32(binary.BigEndian.Uint32(record))
	switch {
	case size < 0 || size > largestSize:
		return 0, fault.Corrupt("size field %d, expected 0 to %d", size, largestSize)
	case r.size != Unknown && size != r.size:
		return 0, fault.Mismatch("size field %d, sizeInBytes says %d", size, r.size)
	}
	return size, nil
}

func checkVersion(version byte) error {
	if version != fileVersion {
		return fault.Unsupported("the file's version byte is %d, expected %d", version, fileVersion)
	}
	return nil
}
