package dv

import (
	"encoding/binary"
	"math"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/kernel"
	"github.com/libdv/libdv/internal/storage"
)

// legacyMagic opens a vector in Delta's older, native form.
const legacyMagic = Magic - 1

// ParseBlob reads a deletion-vector-v1 blob. The vector takes data over: it reads it, and may
// write it when it is changed. expected is the cardinality, or Unknown: another one is ErrMismatch.
func ParseBlob(data []byte, expected int64) (*Vector, error) {
	r := reading{expected: expected}
	return r.vector(r.open(data))
}

// CopyBlob is ParseBlob of a copy of data.
func CopyBlob(data []byte, expected int64) (*Vector, error) {
	r := reading{expected: expected}
	v, err := r.vector(r.openCopy(data))
	if err != nil {
		giveBuffer(r.blob)
		return nil, err
	}
	v.pooled = true
	return v, nil
}

// ViewBlob is ParseBlob on bytes that belong to somebody else: the vector copies them when
// it is first changed or cloned.
func ViewBlob(data []byte, expected int64) (*Vector, error) {
	v, err := ParseBlob(data, expected)
	if err == nil {
		v.borrowed = true
	}
	return v, err
}

// ParseRecord is ParseBlob as a Delta reader does it: zero bytes after the bitmap, within
// the record's size and CRC, are padding of some writers.
func ParseRecord(data []byte, expected int64) (*Vector, error) {
	r := reading{expected: expected, padding: anyPadding}
	return r.vector(r.open(data))
}

// ParsePayload reads magic and bitmap alone, as in a Delta inline vector, and after them up
// to padding zero bytes.
func ParsePayload(data []byte, expected int64, padding int) (*Vector, error) {
	r := reading{expected: expected, padding: padding}
	return r.vector(r.openBare(data))
}

// ParseBitmap reads a bare portable 64-bit bitmap; the vector takes data over, as in
// ParseBlob.
func ParseBitmap(data []byte) (*Vector, error) {
	r := reading{expected: Unknown, bitmap: true}
	return r.vector(r.begin(data, 0))
}

// ReadRange reads the blob that lies at [offset, offset+size) of src, in one request.
func ReadRange(src storage.Source, offset, size, expected int64) (*Vector, error) {
	if offset < 0 || size < 0 || size > math.MaxInt32 {
		return nil, fault.Invalid("range of %d bytes at offset %d, expected an offset >= 0 and a size of 0 to %d",
			size, offset, math.MaxInt32)
	}
	data, err := storage.Read(src, offset, size, "deletion vector blob")
	if err != nil {
		return nil, err
	}
	v, err := ParseBlob(data, expected)
	return v, fault.In(err, "blob at offset %d", offset)
}

func checkExpected(expected int64) error {
	if expected < Unknown {
		return fault.Invalid("expected cardinality %d, expected 0 or more, or -1 for unknown", expected)
	}
	return nil
}

func checkCardinality(card, expected int64) error {
	if expected != Unknown && card != expected {
		return fault.Mismatch("%d positions, expected a cardinality of %d", card, expected)
	}
	return nil
}

func checkLength(data []byte) error {
	if len(data) < frameSize+8 {
		return fault.Corrupt("byte 0: %d bytes, expected at least the %d of an empty blob", len(data), frameSize+8)
	}
	if err := BlobForm.CheckSize(int64(len(data))); err != nil {
		return err
	}
	if length := binary.BigEndian.Uint32(data); int64(length) != int64(len(data)-8) {
		return fault.Corrupt("byte 0: length field %d, expected %d for a blob of %d bytes", length, len(data)-8, len(data))
	}
	return nil
}

func checkCRC(data []byte) error { return compareCRC(data, kernel.CRC32(data[4:len(data)-4])) }

// compareCRC compares the CRC that a blob ends in with that of its bytes.
func compareCRC(data []byte, sum uint32) error {
	end := len(data) - 4
	if found := binary.BigEndian.Uint32(data[end:]); found != sum {
		return fault.Corrupt("byte %d: CRC-32 %08x, expected %08x over the bytes before it", end, found, sum)
	}
	return nil
}

func checkMagic(data []byte, at int) error {
	switch magic := binary.LittleEndian.Uint32(data); {
	case magic == Magic:
		return nil
	case magic == legacyMagic:
		return fault.Unsupported("byte %d: magic 1681511376, an older native form of Delta, expected 1681511377 (d1d33964)", at)
	case binary.BigEndian.Uint32(data) == Magic:
		return fault.Corrupt("byte %d: magic %x, which is d1d33964 in big-endian order", at, data[:4])
	default:
		return fault.Corrupt("byte %d: magic %x, expected d1d33964", at, data[:4])
	}
}

// anyPadding is how many zero bytes a Delta reader takes after a record's bitmap.
const anyPadding = math.MaxInt

// checkRest proves that nothing follows the bitmap but up to padding zero bytes.
func checkRest(rest []byte, at, padding int) error {
	if len(rest) > padding && padding == 0 {
		return fault.Corrupt("byte %d: %d bytes follow the bitmap, expected none", at, len(rest))
	}
	if len(rest) > padding {
		return fault.Corrupt("byte %d: %d bytes follow the bitmap, expected at most %d of padding", at, len(rest), padding)
	}
	for i, b := range rest {
		if b != 0 {
			return fault.Corrupt("byte %d: %#02x follows the bitmap, expected zero padding or nothing", at+i, b)
		}
	}
	return nil
}
