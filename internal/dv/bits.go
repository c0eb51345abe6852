package dv

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
	fill(p[a+1:b], 0xFF)
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

const fillBlock = 4096 // bytes that stay in the first-level cache while they are copied on

// fill sets every byte of p to value, at the speed of copying.
func fill(p []byte, value byte) {
	if value == 0 {
		clear(p)
		return
	}
	n := min(len(p), 32)
	for i := range n {
		p[i] = value
	}
	for n < len(p) {
		n += copy(p[n:], p[:min(n, fillBlock)])
	}
}
