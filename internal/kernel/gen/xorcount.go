package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// xorCount512 is xor512 for a bitmap that is counted on the way. The bits of a byte that two blocks hold count once.
func xorCount512() {
	text("xorCount512", "func(dst, src *byte, with uint64) int")
	Doc("xorCount512 writes the 8,192 bytes at src xor with, a word repeated, and counts the bits set at src.")
	dst, src, with := gp("dst"), gp("src"), gp("with")
	x, sum, v, w := ZMM(), ZMM(), ZMM(), ZMM()
	VPBROADCASTQ(with, x)
	// The aligned blocks are 127 of the 128; the head leaves them what is from skip on, they leave the tail the rest.
	skip, mask, k := GP64(), GP64(), K()
	MOVQ(dst, skip)
	NEGQ(skip)
	ANDQ(Imm(63), skip)
	MOVQ(I32(-1), mask)
	BZHIQ(skip, mask, mask)
	KMOVQ(mask, k)
	edge := func(disp int, sum VecVirtual) {
		VMOVDQU64(Mem{Base: src, Disp: disp}, v)
		VPXORQ(v, x, w)
		VMOVDQU64(w, Mem{Base: dst, Disp: disp})
		VMOVDQU8_Z(v, k, v)
		VPOPCNTQ(v, sum)
	}
	edge(0, sum)
	KNOTQ(k, k)
	tail := ZMM()
	edge(bitmapBytes-64, tail)
	VPADDQ(tail, sum, sum)
	last := GP64()
	LEAQ(Mem{Base: dst, Disp: bitmapBytes - 64}, last)
	ADDQ(skip, dst)
	ADDQ(skip, src)
	ADDQ(skip, last)
	SUBQ(dst, src) // from here on src is a distance
	Label("loop")
	VMOVDQU64(Mem{Base: dst, Index: src, Scale: 1}, v)
	VPXORQ(v, x, w)
	VMOVDQA64(w, Mem{Base: dst})
	VPOPCNTQ(v, v)
	VPADDQ(v, sum, sum)
	ADDQ(Imm(64), dst)
	CMPQ(dst, last)
	JB(LabelRef("loop"))
	sum512([]VecVirtual{sum})
}
