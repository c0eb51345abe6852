package mumbling

import "encoding/binary"

// Bit packing, most significant bit first: value 0 of an array of w-bit values is the top w
// bits of byte 0, and the last byte is padded with zeros.
//
// Eight values of w bits fill exactly w bytes, whatever w is. So both directions work on eight
// values at once, held in a word with value 0 in the top byte; three steps move between eight
// bytes and 8*w adjacent bits, each halving or doubling the number of lanes.

const lanes = 0x0101010101010101 // times b: the byte b in each of eight lanes

// packedLen returns the bytes that count values of width bits take.
func packedLen(count, width int) int { return (count*width + 7) / 8 }

// gather moves eight values of width bits (1 to 7) from the eight bytes of x, whose other bits
// are zero, into its low 8*width bits, the first value into the highest ones.
func gather(x uint64, width uint) uint64 {
	const bytes, shorts = 0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF
	x = x&bytes | x>>8&bytes<<(width&7)
	x = x&shorts | x>>16&shorts<<(2*width&15)
	return x&(1<<32-1) | x>>32<<(4*width&31)
}

// unpack fills dst from the values of width bits (0 to 8) that src starts with. src holds
// packedLen bytes at least; it is faster where eight more follow.
func unpack(dst, src []byte, width int) {
	switch width {
	case 0:
		clear(dst)
		return
	case 8:
		copy(dst, src[:len(dst)])
		return
	}
	done := unpackGroups(dst, src, uint(width))
	dst, src = dst[8*done:], src[width*done:]
	if len(dst) > 0 {
		// Fewer than eight values or than eight bytes are left: 56 values at most.
		var values [64]byte
		var packed [16]byte
		copy(packed[:8], src)
		unpackGroups(values[:(len(dst)+7)&^7], packed[:], uint(width))
		copy(dst, values[:])
	}
}

// unpackGroups unpacks values by eight, width (1 to 7) bits each, as long as there is room for
// eight in dst and eight bytes are in src. It returns how many groups it unpacked.
func unpackGroups(dst, src []byte, width uint) (groups int) {
	four := uint64(1)<<(4*width&31) - 1
	two := (uint64(1)<<(2*width&15) - 1) * 0x0000000100000001
	one := (uint64(1)<<(width&7) - 1) * 0x0001000100010001
	down := 64 - 8*width
	for len(dst) >= 8 && len(src) >= 8 {
		x := binary.BigEndian.Uint64(src) >> (down & 63)
		x = x&four | x>>(4*width&31)<<32
		x = x&two | x>>(2*width&15)&two<<16
		x = x&one | x>>(width&7)&one<<8
		binary.BigEndian.PutUint64(dst, x)
		dst = dst[8:]
		src = src[width&7:]
		groups++
	}
	return groups
}

// appendPacked appends the low width bits (0 to 8) of every value, less base, to dst. No value
// is below base. It may use up to eight bytes of capacity beyond its result.
func appendPacked(dst, values []byte, base byte, width int) []byte {
	if width == 0 {
		return dst
	}
	w := uint(width & 15)
	keep := (uint64(1)<<(w&15) - 1) * lanes
	less := uint64(base) * lanes // no lane borrows: none is below base
	for len(values) >= 8 {
		x := (binary.BigEndian.Uint64(values) - less) & keep
		dst = appendGroup(dst, x, w, int(w))
		values = values[8:]
	}
	if n := len(values); n > 0 {
		in := [8]byte{base, base, base, base, base, base, base, base}
		copy(in[:], values)
		x := (binary.BigEndian.Uint64(in[:]) - less) & keep
		dst = appendGroup(dst, x, w, packedLen(n, width))
	}
	return dst
}

// appendGroup appends the first size bytes of eight packed values.
func appendGroup(dst []byte, x uint64, width uint, size int) []byte {
	if width < 8 {
		x = gather(x, width) << (64 - 8*width&63)
	}
	n := len(dst) + size
	return binary.BigEndian.AppendUint64(dst, x)[:n]
}
