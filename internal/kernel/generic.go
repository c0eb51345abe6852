package kernel

import (
	"encoding/binary"
	"math/bits"
)

func u16(p []byte, i int) uint32 { return uint32(binary.LittleEndian.Uint16(p[2*i:])) }

func u64(p []byte, i int) uint64 { return binary.LittleEndian.Uint64(p[8*i:]) }

// FirstFall gives the index of the first value that is not larger than its predecessor, or -1.
func FirstFall(values []byte) int {
	for i := 1; i < len(values)/2; i++ {
		if u16(values, i) <= u16(values, i-1) {
			return i
		}
	}
	return -1
}

// ascendingGeneric asks no question before the end: values do ascend, as a rule.
func ascendingGeneric(values []byte) bool {
	if len(values) < 2 {
		return true
	}
	fall, before := int32(0), int32(binary.LittleEndian.Uint16(values))
	values = values[2:]
	for ; len(values) >= 8; values = values[8:] {
		w := binary.LittleEndian.Uint64(values)
		a, b, c, d := int32(uint16(w)), int32(uint16(w>>16)), int32(uint16(w>>32)), int32(w>>48)
		fall |= (a - before - 1) | (b - a - 1) | (c - b - 1) | (d - c - 1) // negative where one does not ascend
		before = d
	}
	for ; len(values) >= 2; values = values[2:] {
		v := int32(binary.LittleEndian.Uint16(values))
		fall |= v - before - 1
		before = v
	}
	return fall >= 0
}

func popcountGeneric(p *Bitmap) int {
	n := 0
	for i := 0; i < len(p); i += 8 {
		n += bits.OnesCount64(binary.LittleEndian.Uint64(p[i : i+8]))
	}
	return n
}

func runsArrayGeneric(values []byte) int {
	n, next := 0, ^uint32(0)
	for ; len(values) >= 2; values = values[2:] {
		v := uint32(binary.LittleEndian.Uint16(values))
		if v != next {
			n++
		}
		next = v + 1
	}
	return n
}

func runsBitsGeneric(words []byte, carry uint64) int {
	n := 0
	for ; len(words) >= 8; words = words[8:] {
		w := binary.LittleEndian.Uint64(words)
		n += bits.OnesCount64(w &^ (w<<1 | carry))
		carry = w >> 63
	}
	return n
}

func orGeneric(dst, a, b *Bitmap) int {
	n := 0
	for i := 0; i < len(dst); i += 8 {
		w := binary.LittleEndian.Uint64(a[i:i+8]) | binary.LittleEndian.Uint64(b[i:i+8])
		binary.LittleEndian.PutUint64(dst[i:i+8], w)
		n += bits.OnesCount64(w)
	}
	return n
}

func andNotGeneric(dst, a, b *Bitmap) int {
	n := 0
	for i := 0; i < len(dst); i += 8 {
		w := binary.LittleEndian.Uint64(a[i:i+8]) &^ binary.LittleEndian.Uint64(b[i:i+8])
		binary.LittleEndian.PutUint64(dst[i:i+8], w)
		n += bits.OnesCount64(w)
	}
	return n
}

func xorGeneric(dst, src []byte, with byte) {
	word := repeat(with)
	for len(dst) >= 8 && len(src) >= 8 {
		binary.LittleEndian.PutUint64(dst, binary.LittleEndian.Uint64(src)^word)
		dst, src = dst[8:], src[8:]
	}
	for i := range dst {
		dst[i] = src[i] ^ with
	}
}

func repeat(b byte) uint64 { return uint64(b) * 0x0101010101010101 }

const fillBlock = 4096 // bytes that stay in the first-level cache while they are copied on

func fillGeneric(p []byte, with byte) {
	n := min(len(p), 32)
	for i := range n {
		p[i] = with
	}
	for n < len(p) {
		n += copy(p[n:], p[:min(n, fillBlock)])
	}
}

func widenGeneric(dst []int64, values []byte, base int64) {
	for len(dst) >= 4 && len(values) >= 8 {
		w := binary.LittleEndian.Uint64(values)
		dst[0], dst[1] = base+int64(uint16(w)), base+int64(uint16(w>>16))
		dst[2], dst[3] = base+int64(uint16(w>>32)), base+int64(w>>48)
		dst, values = dst[4:], values[8:]
	}
	for i := range dst {
		dst[i] = base + int64(u16(values, i))
	}
}

func positionsGeneric(dst []int64, words []byte, base int64) int {
	n := 0
	for ; len(words) >= 8; words, base = words[8:], base+64 {
		for w := binary.LittleEndian.Uint64(words); w != 0; w &= w - 1 {
			if n == len(dst) {
				return n
			}
			dst[n] = base + int64(bits.TrailingZeros64(w))
			n++
		}
	}
	return n
}

// keepSpread[b] has a byte 1 for every clear bit of b.
var keepSpread = func() (table [256]uint64) {
	for b := range table {
		for bit := range 8 {
			if b>>bit&1 == 0 {
				table[b] |= 1 << (8 * bit)
			}
		}
	}
	return table
}()

func keepBytesGeneric(dst, src []byte) {
	for i, b := range src {
		binary.LittleEndian.PutUint64(dst[8*i:], keepSpread[b])
	}
}

func surveyGeneric(positions []int64) (largest uint64, falls, repeats int) {
	for i, p := range positions {
		largest = max(largest, uint64(p))
		if i > 0 && uint64(positions[i-1]) > uint64(p) {
			falls++
		} else if i > 0 && positions[i-1] == p {
			repeats++
		}
	}
	return largest, falls, repeats
}

func flipGeneric(bitmap, values []byte) {
	for ; len(values) >= 2; values = values[2:] {
		i := binary.LittleEndian.Uint16(values)
		bitmap[i>>3] ^= 1 << (i & 7)
	}
}

// flipAllGeneric is flipGeneric for a whole bitmap, where no index needs a check.
func flipAllGeneric(bitmap *Bitmap, values []byte) {
	for ; len(values) >= 8; values = values[8:] {
		w := binary.LittleEndian.Uint64(values)
		a, b, c, d := uint16(w), uint16(w>>16), uint16(w>>32), uint16(w>>48)
		bitmap[a>>3] ^= 1 << (a & 7)
		bitmap[b>>3] ^= 1 << (b & 7)
		bitmap[c>>3] ^= 1 << (c & 7)
		bitmap[d>>3] ^= 1 << (d & 7)
	}
	flipGeneric(bitmap[:], values)
}

func setGeneric(bitmap *Bitmap, values []byte) {
	for ; len(values) >= 2; values = values[2:] {
		i := binary.LittleEndian.Uint16(values)
		bitmap[i>>3] |= 1 << (i & 7)
	}
}

func countGeneric(dst []int64, first int64) {
	for i := range dst {
		dst[i] = first + int64(i)
	}
}

// valuesGeneric goes on from a word.
func valuesGeneric(dst []byte, bitmap *Bitmap, word int) {
	n := 0
	for ; word < len(bitmap)/8; word++ {
		for w := u64(bitmap[:], word); w != 0; w &= w - 1 {
			binary.LittleEndian.PutUint16(dst[n:], uint16(64*word+bits.TrailingZeros64(w)))
			n += 2
		}
	}
}
