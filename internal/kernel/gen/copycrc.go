package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// copyCRC512 is crc512 that also writes what it reads.
func copyCRC512() {
	text("copyCRC512", "func(dst, src *byte, n int, sum uint32) uint32")
	Doc("copyCRC512 copies n bytes, a multiple of 256 and at least that, and returns the complement of the CRC-32 of them and those before;",
		"sum is the complement of the CRC-32 of those before.")
	dst := Load(Param("dst"), GP64())
	src := Load(Param("src"), GP64())
	n := Load(Param("n"), GP64())
	first, start := XMM(), ZMM()
	VMOVD(Load(Param("sum"), GP32()), first)
	VPXORQ(start, start, start)
	VINSERTI64X2(Imm(0), first, start, start)
	k := constants512(fold2048Low, fold2048High)
	x := []VecOp{ZMM(), ZMM(), ZMM(), ZMM()}
	for i := range x {
		VMOVDQU64(Mem{Base: src, Disp: 64 * i}, x[i])
		VMOVDQU64(x[i], Mem{Base: dst, Disp: 64 * i})
	}
	VPXORQ(start, x[0], x[0])
	low, high, next := ZMM(), ZMM(), ZMM()
	Label("loop")
	SUBQ(U32(256), n)
	JZ(LabelRef("done"))
	ADDQ(U32(256), src)
	ADDQ(U32(256), dst)
	for i := range x {
		VMOVDQU64(Mem{Base: src, Disp: 64 * i}, next)
		VPCLMULQDQ(Imm(0x00), k, x[i], low)
		VPCLMULQDQ(Imm(0x11), k, x[i], high)
		VMOVDQU64(next, Mem{Base: dst, Disp: 64 * i})
		VPTERNLOGQ(Imm(0x96), low, high, next)
		VMOVDQA64(next, x[i])
	}
	JMP(LabelRef("loop"))
	Label("done")
	k = constants512(fold512Low, fold512High)
	for i := range 3 {
		VPCLMULQDQ(Imm(0x00), k, x[i], low)
		VPCLMULQDQ(Imm(0x11), k, x[i], high)
		VPTERNLOGQ(Imm(0x96), low, high, x[i+1])
	}
	reduce(x[3])
}
