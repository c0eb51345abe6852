package dv

import "github.com/libdv/libdv/internal/kernel"

// Bits are numbered as in an Arrow Boolean buffer: bit i is bit i&7 of byte i>>3.

// setBitRange sets bits [from, to).
func setBitRange(p []byte, from, to int64) {
	if from >= to {
		return
	}
	a, b := from>>3, (to-1)>>3
	head, tail := byte(0xFF)<<(from&7), byte(0xFF)>>(7-(to-1)&7)
	if a == b {
		p[a] |= head & tail
		return
	}
	p[a] |= head
	kernel.Fill(p[a+1:b], 0xFF)
	p[b] |= tail
}

// clearBitRange clears bits [from, to).
func clearBitRange(p []byte, from, to int64) {
	if from >= to {
		return
	}
	a, b := from>>3, (to-1)>>3
	head, tail := byte(0xFF)<<(from&7), byte(0xFF)>>(7-(to-1)&7)
	if a == b {
		p[a] &^= head & tail
		return
	}
	p[a] &^= head
	clear(p[a+1 : b])
	p[b] &^= tail
}
