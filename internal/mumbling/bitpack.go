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

// spread moves eight values of width bits (1 to 7) from the low 8*width bits of x, the first
// in the highest ones, into the eight bytes of the result.
func spread(x uint64, width uint) uint64 {
	one := uint64(1)<<(width&7) - 1
	two := uint64(1)<<(2*width&15) - 1
	x = x&(1<<(4*width&31)-1) | x>>(4*width&31)<<32
	two |= two << 32
	x = x&two | x>>(2*width&15)&two<<16
	one |= one << 16
	one |= one << 32
	return x&one | x>>(width&7)&one<<8
}

// gather undoes spread. Bits of a byte above width must be zero.
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
	w := uint(width & 7)
	down := 64 - 8*w&63
	for len(dst) >= 8 && len(src) >= 8 {
		x := binary.BigEndian.Uint64(src) >> (down & 63)
		binary.BigEndian.PutUint64(dst, spread(x, w))
		dst = dst[8:]
		src = src[w&7:]
	}
	for len(dst) > 0 { // at most eight rounds: less than eight values or bytes are left
		var in, out [8]byte
		taken := min(int(w), len(src))
		copy(in[:], src[:taken])
		binary.BigEndian.PutUint64(out[:], spread(binary.BigEndian.Uint64(in[:])>>(down&63), w))
		dst = dst[copy(dst, out[:]):]
		src = src[taken:]
	}
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
