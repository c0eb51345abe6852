package puffin

import (
	"math"
	"unsafe"

	"github.com/libdv/libdv/internal/fault"
)

// DeletionVector is the type of the blobs that hold deletion vectors.
// Source: https://iceberg.apache.org/puffin-spec/#deletion-vector-v1-blob-type.
const DeletionVector = "deletion-vector-v1"

const (
	dataFileProperty    = "referenced-data-file"
	cardinalityProperty = "cardinality"
	createdByProperty   = "created-by"

	leastVector = 20 // bytes of an empty vector's blob
)

// Blob is what a footer says of one blob.
type Blob struct {
	Type           string
	Codec          string // compression-codec, where HasCodec
	DataFile       string // the property referenced-data-file, where HasDataFile
	Cardinality    int64  // the property cardinality; -1: absent or malformed
	Offset         int64  // of the blob's first byte in the file
	Length         int64  // in bytes, as stored
	SnapshotID     int64  // -1: none
	SequenceNumber int64  // -1: none
	HasCodec       bool
	HasDataFile    bool

	malformed bool // there is a cardinality property, and it is no number
}

// blobSize is what a parsed blob takes, and leastBlobJSON what it takes in a footer at least:
// `{"type":"x","fields":[],"snapshot-id":0,"sequence-number":0,"offset":4,"length":0}`.
const (
	blobSize      = int(unsafe.Sizeof(Blob{}))
	leastBlobJSON = 82
)

// CheckVector proves that a blob can be read as a deletion vector, as far as the footer knows.
func (b *Blob) CheckVector() error {
	switch {
	case b.Type != DeletionVector:
		return fault.Mismatch("its type is %s, expected %q", fault.Quote(b.Type), DeletionVector)
	case b.HasCodec:
		return fault.Unsupported("its compression codec is %s, a deletion vector has none", fault.Quote(b.Codec))
	case b.DataFile == "":
		return fault.Corrupt("its property %q is missing or empty, expected the data file's name", dataFileProperty)
	case b.malformed:
		return fault.Corrupt("its property %q is no decimal number", cardinalityProperty)
	case b.Length < leastVector || b.Length > math.MaxInt32:
		return fault.Corrupt("its length is %d, expected %d to %d", b.Length, leastVector, math.MaxInt32)
	}
	return nil
}

// digits parses a cardinality property.
func digits(text []byte) (n int64, ok bool) {
	for _, c := range text {
		if c < '0' || c > '9' || n > (math.MaxInt64-int64(c-'0'))/10 {
			return -1, false
		}
		n = n*10 + int64(c-'0')
	}
	if len(text) == 0 {
		return -1, false
	}
	return n, true
}
