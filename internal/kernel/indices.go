package kernel

import (
	"encoding/binary"
	"math/bits"
)

// Indices writes base + index, modulo 2^32, for the bits set in whole words, of which there are
// about count, and returns their number; dst has room for them.
func Indices(dst []uint32, words []byte, base uint32, count int) int {
	n := 0
	if k := len(words) / 8; has512 && len(dst) >= 64 && k > 0 {
		var used int
		used, n = indices512(&dst[0], len(dst), &words[0], k, base, usual(count, k))
		words, base = words[8*used:], base+64*uint32(used)
	}
	return n + indicesGeneric(dst[n:], words, base)
}

func indicesGeneric(dst []uint32, words []byte, base uint32) int {
	n := 0
	for ; len(words) >= 8; words, base = words[8:], base+64 {
		word := binary.LittleEndian.Uint64(words)
		out := dst[n : n+bits.OnesCount64(word)]
		n += len(out)
		if len(out) == 64 {
			for i := range out {
				out[i] = base + uint32(i)
			}
			continue
		}
		for i := range out {
			out[i] = base + uint32(bits.TrailingZeros64(word))
			word &= word - 1
		}
	}
	return n
}
