package delta

import (
	"encoding/binary"
	"math"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
)

// Unknown stands for an offset or a size that the caller does not know; for a cardinality that is dv.Unknown.
const Unknown = int32(dv.Unknown)

// The layout of a deletion vector file (PROTOCOL.md, "Deletion Vector File Storage Format").
const (
	fileVersion    = 1 // the file's first byte
	firstRecord    = 1 // where the first record is: behind the version byte
	sizeFieldBytes = 4 // big endian; counts magic and bitmap
	crcBytes       = 4 // big endian, over magic and bitmap
	recordOverhead = sizeFieldBytes + crcBytes
	smallestSize   = 12 // magic and the bitmap count of an empty vector
	largestSize    = math.MaxInt32 - recordOverhead
)

// magicNative began the vectors of Delta's first preview: a 32-bit count of bitmaps, each with its size before it.
const magicNative = dv.Magic - 1

// checkMagic names the older forms. Their vectors can be shorter than any of today's, so this comes before the codec, which
// names every other wrong magic.
func checkMagic(payload []byte, what string) error {
	if len(payload) < 4 {
		return nil
	}
	if binary.LittleEndian.Uint32(payload) == magicNative {
		return fault.Unsupported("%s has the magic %d of the older native form, expected %d", what, magicNative, dv.Magic)
	}
	if binary.BigEndian.Uint32(payload) == magicNative {
		return fault.Unsupported("%s has the magic %d in big-endian order, an obsolete form that the protocol document still "+
			"shows as its inline example, expected %d in little-endian order", what, magicNative, dv.Magic)
	}
	return nil
}

// checkExpected refuses a size or a cardinality that no vector has.
func checkExpected(size int32, cardinality int64) error {
	if size < Unknown {
		return fault.Invalid("sizeInBytes %d is negative", size)
	}
	if cardinality < dv.Unknown {
		return fault.Invalid("cardinality %d is negative", cardinality)
	}
	return nil
}
