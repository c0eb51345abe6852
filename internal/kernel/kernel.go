package kernel

import "hash/crc32"

// Ascending tells whether the values strictly ascend.
func Ascending(values []byte) bool {
	n := len(values) / 2
	switch {
	case has512 && n > 1:
		return ascending512(&values[0], n)
	case has256 && n > 16:
		return ascending256(&values[0], n)
	}
	return ascendingGeneric(values)
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
	switch {
	case has512:
		return or512(&dst[0], &a[0], &b[0])
	case has256:
		or256(&dst[0], &a[0], &b[0])
		return Popcount(dst)
	}
	return orGeneric(dst, a, b)
}

// AndNot writes a &^ b and counts the bits set.
func AndNot(dst, a, b *Bitmap) int {
	switch {
	case has512:
		return andnot512(&dst[0], &a[0], &b[0])
	case has256:
		andnot256(&dst[0], &a[0], &b[0])
		return Popcount(dst)
	}
	return andNotGeneric(dst, a, b)
}

// Xor writes every byte of src xor with; src has at least the length of dst, and is dst or apart from it.
func Xor(dst, src []byte, with byte) {
	src = src[:len(dst)]
	n := len(dst)
	switch {
	case n < 64:
	case has512:
		xor512(&dst[0], &src[0], n, repeat(with))
		return
	case has256:
		n &^= 63
		xor256(&dst[0], &src[0], n, repeat(with))
		dst, src = dst[n:], src[n:]
	}
	xorGeneric(dst, src, with)
}

// XorCount writes every byte of src xor with, and counts the bits set in src. The bitmaps are apart.
func XorCount(dst, src *Bitmap, with byte) int {
	if has512 {
		return xorCount512(&dst[0], &src[0], repeat(with))
	}
	Xor(dst[:], src[:], with)
	return Popcount(src)
}

// Fill sets every byte.
func Fill(dst []byte, with byte) {
	switch {
	case has512 && len(dst) >= 64:
		fill512(&dst[0], len(dst), repeat(with))
	case has256 && len(dst) >= 64:
		fill256(&dst[0], len(dst), repeat(with))
	case with == 0:
		clear(dst)
	default:
		fillGeneric(dst, with)
	}
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

// Flip turns over the bits at the given values, which are distinct and lie in bitmap. Several
// streams keep several read-modify-writes in flight where one would wait for itself.
func Flip(bitmap, values []byte) {
	if words := len(bitmap) / 8; hasFlip && words > 0 {
		n := len(values) / 2
		switch each := n / 8; {
		case each > 0 && words == len(Bitmap{})/8:
			flip8(&bitmap[0], &values[0], each)
			values = values[16*each:]
		case each > 0:
			for n > 0 && u16(values, n-1) >= uint32(64*words) {
				n-- // the bytes after the last word are few
			}
			if quarter := n / 4; quarter > 0 {
				flip4(&bitmap[0], words, &values[0], quarter)
				values = values[8*quarter:]
			}
		}
	}
	if len(bitmap) == len(Bitmap{}) {
		flipAllGeneric((*Bitmap)(bitmap), values)
	} else {
		flipGeneric(bitmap, values)
	}
}

// Set sets the bits at the given values, in any order and repeated at will.
func Set(bitmap *Bitmap, values []byte) {
	if each := len(values) / 16; hasFlip && each > 0 {
		set8(&bitmap[0], &values[0], each)
		values = values[16*each:]
	}
	setGeneric(bitmap, values)
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

// CRC32 is the IEEE checksum, as crc32.ChecksumIEEE.
func CRC32(p []byte) uint32 { return CRC32Update(0, p) }

// CRC32Update is the checksum of what sum is the checksum of and p, as crc32.Update.
func CRC32Update(sum uint32, p []byte) uint32 {
	if !hasFold || len(p) < 16 {
		return crc32.Update(sum, crc32.IEEETable, p)
	}
	return ^crc512(^sum, &p[0], len(p))
}
