package mumbling

import (
	"math"
	"math/bits"
)

// PFOR (patched frame of reference) codes an array of unsigned bytes in chunks of 256 values,
// the last one shorter:
//
//	byte 0   b1 | b2 << 4: widths in bits of the low parts and of the exceptions
//	byte 1   e, the number of exceptions
//	byte 2   m, the frame: the smallest value
//	..       the low b1 bits of every value - m, packed
//	..       e offsets into the chunk, one byte each
//	..       e exceptions: what the low bits of those values leave out, b2 bits each, packed
//
// Under b1 = 8 the values stand as they are. Source: appendix A of the specification.

const (
	chunkValues = 256 // values of a full chunk
	chunkHeader = 3   // bytes before the packed values
)

// EstimatePFOR returns an upper bound, in bytes, of what [EncodePFOR] makes of count values:
// three bytes per chunk and one per value. It is -1 where count is negative or so large that
// the bound is no int.
func EstimatePFOR(count int) int {
	if count < 0 {
		return -1
	}
	chunks := count / chunkValues
	if count%chunkValues != 0 {
		chunks++
	}
	if count > math.MaxInt-chunkHeader*chunks {
		return -1
	}
	return count + chunkHeader*chunks
}

// EncodePFOR returns the PFOR coding of values, byte for byte as Iceberg Java codes them: of
// the widths that a chunk could have the one with the fewest bytes, the largest on a tie.
// No values are no bytes.
func EncodePFOR(values []byte) []byte {
	// appendPacked writes by words; the spare eight bytes keep it from growing the slice.
	return appendPFOR(make([]byte, 0, EstimatePFOR(len(values))+8), values)
}

func appendPFOR(dst, values []byte) []byte {
	for len(values) > 0 {
		n := min(len(values), chunkValues)
		dst = appendChunk(dst, values[:n])
		values = values[n:]
	}
	return dst
}

// appendChunk appends one chunk: 1 to 256 values.
func appendChunk(dst, values []byte) []byte {
	base := values[0]
	for _, v := range values {
		base = min(base, v)
	}
	low, width := chooseWidth(values, base)
	if low == 8 {
		dst = append(dst, 8, 0, 0)
		return append(dst, values...)
	}

	var offsets, exceptions [chunkValues]byte
	count := 0
	if low < width {
		for i, v := range values {
			if high := (v - base) >> (low & 7); high != 0 {
				offsets[count&0xFF], exceptions[count&0xFF] = byte(i), high
				count++
			}
		}
	}
	high := 0
	if count > 0 {
		high = width - low
	}
	dst = append(dst, byte(low|high<<4), byte(count), base)
	dst = appendPacked(dst, values, base, low)
	dst = append(dst, offsets[:count]...)
	return appendPacked(dst, exceptions[:count], 0, high)
}

// chooseWidth returns the width of the low parts that codes a chunk in the fewest bytes, and
// the width of the largest value - base. Fewer than 256 values are ever exceptions, as their
// number has to be one byte: the smallest value is none.
func chooseWidth(values []byte, base byte) (low, width int) {
	var ofWidth [9]int // values by the bits that value - base needs
	for _, v := range values {
		ofWidth[bits.Len8(v-base)]++
	}
	width = 8
	for ofWidth[width] == 0 && width > 0 {
		width--
	}
	low = width
	best := packedLen(len(values), width)
	exceptions := 0
	for b := width - 1; b >= 0; b-- { // downwards: a smaller width has to be strictly better
		exceptions += ofWidth[b+1]
		total := packedLen(len(values), b) + exceptions + packedLen(exceptions, width-b)
		if total < best {
			low, best = b, total
		}
	}
	return low, width
}
