package kernel

import "hash/crc32"

// Ascending tells whether the values strictly ascend.
func Ascending(values []byte) bool {
	n := len(values) / 2
	switch {
	case has512 && n > 32:
		return ascending512(&values[0], n)
	case has256 && n > 16:
		return ascending256(&values[0], n)
	}
	return FirstFall(values) < 0
}

// Popcount counts the bits set.
func Popcount(p *Bitmap) int {
	switch {
	case has512:
		return popcount512(&p[0])
	case has256:
		return popcount256(&p[0])
	}
	return popcountGeneric(p)
}

// RunsOfArray counts the maximal runs of consecutive values among ascending ones.
func RunsOfArray(values []byte) int {
	n := len(values) / 2
	if !has512 || n <= 32 {
		return runsArrayGeneric(values)
	}
	head := (n-1)&^31 + 1 // values that the blocks compare
	// The rest begins with the last of them, whose run is counted already.
	return runsArray512(&values[0], head) + runsArrayGeneric(values[2*(head-1):])
}

// RunsOfBitmap counts the maximal runs of set bits, or stops at some number above limit.
func RunsOfBitmap(p *Bitmap, limit int) int {
	const piece = len(p) / 8
	n, carry := 0, uint64(0) // the bit before the piece
	for at := 0; at < len(p) && n <= limit; at += piece {
		if has512 {
			n += runsBits512(&p[at], piece, carry)
		} else {
			n += runsBitsGeneric(p[at:at+piece], carry)
		}
		carry = uint64(p[at+piece-1]) >> 7
	}
	return n
}

// Or writes a | b and counts the bits set.
func Or(dst, a, b *Bitmap) int {
	if has512 {
		return or512(&dst[0], &a[0], &b[0])
	}
	return orGeneric(dst, a, b)
}

// AndNot writes a &^ b and counts the bits set.
func AndNot(dst, a, b *Bitmap) int {
	if has512 {
		return andnot512(&dst[0], &a[0], &b[0])
	}
	return andNotGeneric(dst, a, b)
}

// Xor writes every byte of src xor with; src has at least the length of dst.
func Xor(dst, src []byte, with byte) {
	src = src[:len(dst)]
	if n := len(dst) &^ 63; n > 0 {
		switch {
		case has512:
			xor512(&dst[0], &src[0], n, repeat(with))
			dst, src = dst[n:], src[n:]
		case has256:
			xor256(&dst[0], &src[0], n, repeat(with))
			dst, src = dst[n:], src[n:]
		}
	}
	xorGeneric(dst, src, with)
}

// Fill sets every byte.
func Fill(dst []byte, with byte) {
	if with == 0 {
		clear(dst)
		return
	}
	if n := len(dst) &^ 63; has512 && n > 0 {
		fill512(&dst[0], n, repeat(with))
		dst = dst[n:]
	}
	fillGeneric(dst, with)
}

// Widen writes base + value for as many values as dst holds, and returns their number.
func Widen(dst []int64, values []byte, base int64) int {
	n := min(len(dst), len(values)/2)
	dst, values = dst[:n], values[:2*n]
	if k := n &^ 15; has512 && k > 0 {
		widen512(&dst[0], &values[0], k, base)
		dst, values = dst[k:], values[2*k:]
	}
	widenGeneric(dst, values, base)
	return n
}

// Positions writes base + index for the bits set in whole words, as many as dst holds, and
// returns their number.
func Positions(dst []int64, words []byte, base int64) int {
	n := 0
	if k := len(words) / 8; has512 && len(dst) >= 64 && k > 0 {
		used, written := positions512(&dst[0], len(dst), &words[0], k, base)
		n = written
		words, base = words[8*used:], base+64*int64(used)
	}
	return n + positionsGeneric(dst[n:], words, base)
}

// KeepBytes writes a byte for each bit of whole words: 1 where it is clear, else 0. dst has
// eight bytes for each byte of words.
func KeepBytes(dst, words []byte) {
	dst = dst[:8*len(words)]
	if k := len(words) / 8; has512 && k > 0 {
		keepBytes512(&dst[0], &words[0], k)
		dst, words = dst[64*k:], words[8*k:]
	}
	keepBytesGeneric(dst, words)
}

// Survey gives the largest position as unsigned, how many fall below their predecessor and
// how many repeat it.
func Survey(positions []int64) (largest uint64, falls, repeats int) {
	k := 0
	if n := len(positions); has512 && n > 8 {
		k = (n - 1) &^ 7
		largest, falls, repeats = survey512(&positions[0], k)
	}
	// The rest begins with the successor of the last one that was compared.
	l, f, r := surveyGeneric(positions[k:])
	return max(largest, l), falls + f, repeats + r
}

// Flip turns over the bits at the given values, which are distinct and lie in bitmap. Four
// streams keep four read-modify-writes in flight where one would wait for itself.
func Flip(bitmap, values []byte) {
	n := len(values) / 2
	if words := len(bitmap) / 8; hasFlip && words > 0 {
		for n > 0 && u16(values, n-1) >= uint32(64*words) {
			n-- // the bytes after the last word are few
		}
		if quarter := n / 4; quarter > 0 {
			flip4(&bitmap[0], words, &values[0], quarter)
			values = values[8*quarter:]
		}
	}
	flipGeneric(bitmap, values)
}

// Set sets the bits at the given values, in any order and repeated at will.
func Set(bitmap *Bitmap, values []byte) {
	if quarter := len(values) / 8; hasFlip && quarter > 0 {
		set4(&bitmap[0], len(bitmap)/8, &values[0], quarter)
		values = values[8*quarter:]
	}
	setGeneric(bitmap, values)
}

// Count writes consecutive positions.
func Count(dst []int64, first int64) {
	if k := len(dst) &^ 15; has512 && k > 0 {
		count512(&dst[0], k, first)
		dst, first = dst[k:], first+int64(k)
	}
	countGeneric(dst, first)
}

// Values writes the index of every bit set; dst has exactly two bytes for each.
func Values(dst []byte, bitmap *Bitmap) {
	used := 0
	if room := len(dst) / 2; has512 && room >= 64 {
		var written int
		used, written = values512(&dst[0], room, &bitmap[0], len(bitmap)/8)
		dst = dst[2*written:]
	}
	valuesGeneric(dst, bitmap, used)
}

// foldMin is the size from which on folding pays.
const foldMin = 1024

// CRC32 is the IEEE checksum, as crc32.ChecksumIEEE.
func CRC32(p []byte) uint32 {
	if !hasFold || len(p) < foldMin {
		return crc32.ChecksumIEEE(p)
	}
	n := len(p) &^ 255
	sum := ^crc512(&p[0], n)
	if n == len(p) {
		return sum
	}
	return crc32.Update(sum, crc32.IEEETable, p[n:])
}

// PositionsOfRuns writes the positions of runs {start, length-1}, whose number is total, and
// returns it; dst holds at least total.
func PositionsOfRuns(dst []int64, runs []byte, base int64, total int) int {
	n := 0
	if has512 {
		// All but the last runs, whose scratch would lie beyond dst.
		last := len(runs) / 4
		for spare := len(dst) - total; last > 0 && spare < 15; last-- {
			spare += runLength(runs, last-1)
		}
		if last > 0 {
			n = positionsOfRuns512(&dst[0], len(dst)-15, &runs[0], last, base)
			runs = runs[4*last:]
		}
	}
	for ; len(runs) >= 4; runs = runs[4:] {
		length := min(runLength(runs, 0), len(dst)-n)
		Count(dst[n:n+length], base+int64(u16(runs, 0)))
		n += length
	}
	return n
}

func runLength(runs []byte, i int) int { return int(u16(runs, 2*i+1)) + 1 }
