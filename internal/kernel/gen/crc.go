package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// Constants of CRC-32 (IEEE), bit-reflected and shifted by one. To fold over n bits takes
// x^(n+32) and x^(n-32) modulo the polynomial; the last ones are for the reduction of 64 bits
// to 32: x^64, the polynomial, and x^64 divided by it.
const (
	fold2048Low, fold2048High = 0x11542778a, 0x1322d1430
	fold512Low, fold512High   = 0x154442bd4, 0x1c6e41596
	fold128Low, fold128High   = 0x1751997d0, 0x0ccaa009e
	fold64                    = 0x163cd6124
	polynomial, quotient      = 0x1db710641, 0x1f7011641
)

func constants512(low, high uint64) VecOp {
	v, x, g := ZMM(), XMM(), GP64()
	MOVQ(U64(high), g)
	VMOVQ(g, x)
	MOVQ(U64(low), g)
	VMOVQ(g, v.AsX())
	VPUNPCKLQDQ(x, v.AsX(), v.AsX())
	VSHUFI64X2(Imm(0), v, v, v)
	return v
}

// VecOp is a vector register as an operand.
type VecOp = Op

// crc512 folds blocks of 256 bytes into one of 64, that into 16, and reduces these.
func crc512() {
	text("crc512", "func(p *byte, n int) uint32")
	Doc("crc512 is the complement of the CRC-32 of n bytes, a multiple of 256 and at least that.")
	p := Load(Param("p"), GP64())
	n := Load(Param("n"), GP64())
	k := constants512(fold2048Low, fold2048High)
	x := []VecOp{ZMM(), ZMM(), ZMM(), ZMM()}
	for i := range x {
		VMOVDQU64(Mem{Base: p, Disp: 64 * i}, x[i])
	}
	first, ones := XMM(), GP32()
	MOVL(U32(0xFFFFFFFF), ones)
	VMOVD(ones, first)
	start := ZMM()
	VPXORQ(start, start, start)
	VINSERTI64X2(Imm(0), first, start, start)
	VPXORQ(start, x[0], x[0])
	low, high := ZMM(), ZMM()
	fold := func(v VecOp, k VecOp, next Op) {
		VPCLMULQDQ(Imm(0x00), k, v, low)
		VPCLMULQDQ(Imm(0x11), k, v, high)
		VMOVDQU64(next, v)
		VPTERNLOGQ(Imm(0x96), low, high, v)
	}
	Label("loop")
	SUBQ(U32(256), n)
	JZ(LabelRef("done"))
	ADDQ(U32(256), p)
	for i := range x {
		fold(x[i], k, Mem{Base: p, Disp: 64 * i})
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

func constants128(low, high uint64) VecOp {
	v, x, g := XMM(), XMM(), GP64()
	MOVQ(U64(high), g)
	VMOVQ(g, x)
	MOVQ(U64(low), g)
	VMOVQ(g, v)
	VPUNPCKLQDQ(x, v, v)
	return v
}

// reduce returns the remainder of 64 bytes.
func reduce(v VecOp) {
	k, x, low, lane := constants128(fold128Low, fold128High), XMM(), XMM(), XMM()
	VEXTRACTI64X2(Imm(0), v, x)
	for i := 1; i < 4; i++ {
		VPCLMULQDQ(Imm(0x00), k, x, low)
		VPCLMULQDQ(Imm(0x11), k, x, x)
		VEXTRACTI64X2(Imm(uint64(i)), v, lane)
		VPXOR(low, x, x)
		VPXOR(lane, x, x)
	}
	VPCLMULQDQ(Imm(0x10), k, x, low) // 128 bits to 96
	VPSRLDQ(Imm(8), x, x)
	VPXOR(low, x, x)
	half := constants128(0xFFFFFFFF, 0xFFFFFFFF)
	VPSRLDQ(Imm(4), x, low) // to 64
	VPAND(half, x, x)
	VPCLMULQDQ(Imm(0x00), constants128(fold64, 0), x, x)
	VPXOR(low, x, x)
	p := constants128(polynomial, quotient)
	VPAND(half, x, low) // to 32, after Barrett
	VPCLMULQDQ(Imm(0x10), p, low, low)
	VPAND(half, low, low)
	VPCLMULQDQ(Imm(0x00), p, low, low)
	VPXOR(low, x, x)
	sum := GP32()
	VPEXTRD(Imm(1), x, sum)
	Store(sum, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
