package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// pack512 narrows positions and compares each with its successor in one go, 8 at a time, the last
// ones under a mask.
func pack512() {
	text("pack512", "func(dst *byte, src *int64, n int) (ascending bool, adjacent int)")
	Doc("pack512 writes the low 16 bits of n > 0 positions, tells whether they strictly ascend, and counts those that are their predecessor + 1.")
	dst := Load(Param("dst"), GP64())
	src := Load(Param("src"), GP64())
	n := Load(Param("n"), GP64())
	one, adjacent, bits := ZMM(), GP64(), GP32()
	MOVL(U32(1), bits)
	VPBROADCASTQ(bits.As64(), one)
	XORQ(adjacent, adjacent)
	bad, k, lanes, pairs := K(), K(), K(), K()
	KXORB(bad, bad, bad)
	v, next, x := ZMM(), ZMM(), XMM()
	compare := func(within ...Op) {
		VPCMPQ(append([]Op{Imm(5), next, v}, append(within, k)...)...) // v >= next
		KORB(k, bad, bad)
		VPADDQ(one, v, v)
		VPCMPEQQ(append([]Op{next, v}, append(within, k)...)...)
		KMOVB(k, bits)
		POPCNTL(bits, bits)
		ADDQ(bits.As64(), adjacent)
	}
	Label("loop")
	CMPQ(n, Imm(8))
	JLE(LabelRef("tail"))
	VMOVDQU64(Mem{Base: src}, v)
	VMOVDQU64(Mem{Base: src, Disp: 8}, next)
	VPMOVQW(v, x)
	VMOVDQU(x, Mem{Base: dst})
	compare()
	ADDQ(Imm(64), src)
	ADDQ(Imm(16), dst)
	SUBQ(Imm(8), n)
	JMP(LabelRef("loop"))
	Label("tail")
	ones := GP32()
	MOVL(U32(0xFFFFFFFF), ones)
	BZHIL(n.(GPVirtual).As32(), ones, bits)
	KMOVB(bits, lanes)
	SHRL(Imm(1), bits)
	KMOVB(bits, pairs)
	VMOVDQU64_Z(Mem{Base: src}, lanes, v)
	VMOVDQU64_Z(Mem{Base: src, Disp: 8}, pairs, next)
	VPMOVQW(v, x)
	VMOVDQU16(x, lanes, Mem{Base: dst})
	compare(pairs)
	KTESTB(bad, bad)
	SETEQ(retByte())
	Store(adjacent, ReturnIndex(1))
	VZEROUPPER()
	RET()
}
