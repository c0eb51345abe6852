package delta

import (
	"fmt"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
)

// An inline vector (PROTOCOL.md, "Deletion Vector Descriptor Schema", storage type "i") is the Z85 text of magic and position
// bitmap, without the size and the CRC-32 of a file's record, zero-padded to whole groups before it is spelt.

// EncodeInline returns the inline text of v and its sizeInBytes, which counts magic and bitmap but not the 0 to 3 bytes of
// padding. ErrLimit: the vector does not fit a record.
func EncodeInline(v *dv.Vector) (text []byte, size int32, err error) {
	payload, size, _, err := inlinePayload(v)
	if err != nil {
		return nil, 0, err
	}
	return appendZ85(make([]byte, 0, inlineTextSize(payload)), payload), size, nil
}

// inlinePayload returns what the text of v spells, padded, its size without the padding, and the cardinality.
func inlinePayload(v *dv.Vector) (payload []byte, size int32, cardinality int64, err error) {
	enc, err := v.EncodeBlob()
	if err != nil {
		return nil, 0, 0, fault.In(err, "delta inline")
	}
	blob := enc.Bytes()
	n := len(blob) - recordOverhead
	// The padding overwrites the first bytes of the CRC-32, which the inline form drops.
	clear(blob[sizeFieldBytes+n:])
	return blob[sizeFieldBytes : sizeFieldBytes+padded(n)], int32(n), enc.Cardinality(), nil
}

func inlineTextSize(payload []byte) int { return len(payload) / z85Bytes * z85Group }

// padded rounds n up to whole Z85 groups.
func padded(n int) int { return (n + z85Bytes - 1) / z85Bytes * z85Bytes }

// DecodeInline returns the vector of an inline text. size is the descriptor's sizeInBytes and cardinality its cardinality, or
// Unknown. The empty text is the empty vector, but only where size and cardinality are given and 0: lost text must not read
// as "nothing is deleted".
//
// ErrInvalidArgument: size or cardinality below Unknown. ErrCorrupt: the text is not Z85, the padding is not zero, or the bytes
// are no vector. ErrMismatch: another size or cardinality. ErrUnsupported: an older form of the format.
func DecodeInline(text []byte, size int32, cardinality int64) (*dv.Vector, error) {
	return decodeInline(text, size, cardinality)
}

func decodeInline[T string | []byte](text T, size int32, cardinality int64) (*dv.Vector, error) {
	if err := checkExpected(size, cardinality); err != nil {
		return nil, fault.In(err, "delta inline")
	}
	v, err := parseInline(text, size, cardinality)
	if err != nil {
		return nil, fault.In(err, "delta inline")
	}
	return v, nil
}

func parseInline[T string | []byte](text T, size int32, cardinality int64) (*dv.Vector, error) {
	if len(text) == 0 {
		return emptyInline(size, cardinality)
	}
	payload, err := inlineBytes(text, size)
	if err != nil {
		return nil, err
	}
	if err := checkMagic(payload, "the vector"); err != nil {
		return nil, err
	}
	padding := 0 // cut off by size, else up to what fills the last group: the bitmap says itself where it ends
	if size == Unknown {
		padding = z85Bytes - 1
	}
	return dv.ParsePayload(payload, cardinality, padding)
}

func emptyInline(size int32, cardinality int64) (*dv.Vector, error) {
	switch {
	case size > 0:
		return nil, fault.Mismatch("the text is empty, sizeInBytes says %d", size)
	case cardinality > 0:
		return nil, fault.Mismatch("the text is empty, cardinality says %d", cardinality)
	case size == Unknown || cardinality == dv.Unknown:
		return nil, fault.Corrupt("the text is empty: only sizeInBytes 0 and cardinality 0 make that a vector")
	}
	return dv.New(), nil
}

// inlineBytes decodes text and cuts the padding where size tells how much there is.
func inlineBytes[T string | []byte](text T, size int32) ([]byte, error) {
	if extra := len(text) % z85Group; extra != 0 {
		return nil, fault.Corrupt("Z85 text of %d characters, expected a multiple of %d", len(text), z85Group)
	}
	decoded := len(text) / z85Group * z85Bytes
	if size != Unknown && padded(int(size)) != decoded {
		return nil, fault.Mismatch("Z85 text of %d characters holds %d bytes, sizeInBytes says %d", len(text), decoded, size)
	}
	data := make([]byte, decoded)
	if bad := decodeZ85(data, text); bad != nil {
		return nil, fault.Corrupt("%s", describeZ85(text, bad))
	}
	if size == Unknown {
		return data, nil
	}
	if i := nonZero(data[size:]); i >= 0 {
		return nil, fault.Corrupt("padding byte at %d is 0x%02x, expected 0", int(size)+i, data[int(size)+i])
	}
	return data[:size], nil
}

// nonZero returns the index of the first byte that is not 0, or -1.
func nonZero(data []byte) int {
	for i, b := range data {
		if b != 0 {
			return i
		}
	}
	return -1
}

func describeZ85[T string | []byte](text T, bad *z85Fault) string {
	if bad.overflow {
		return fmt.Sprintf("the group %q at character %d is above 2^32-1", string(text[bad.at:bad.at+z85Group]), bad.at)
	}
	return fmt.Sprintf("byte 0x%02x at character %d is not Z85", text[bad.at], bad.at)
}
