package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// order512 compares every value with its successor, 32 at a time; the last block overlaps
// the one before it.
func order512() {
	text("ascending512", "func(p *byte, n int) bool")
	Doc("ascending512 tells whether n >= 2 uint16 values at p strictly ascend.")
	p := Load(Param("p"), GP64())
	n := Load(Param("n"), GP64())
	end := GP64()
	bad, k := K(), K()
	a := ZMM()
	LEAQ(Mem{Base: p, Index: n, Scale: 2, Disp: -66}, end) // the last block's start
	SUBQ(Imm(33), n)
	JB(LabelRef("few"))
	KXORD(bad, bad, bad)
	JMP(LabelRef("blocks"))
	Label("loop")
	compareNext512(p, a, k)
	KORD(k, bad, bad)
	ADDQ(Imm(64), p)
	Label("blocks")
	CMPQ(p, end)
	JB(LabelRef("loop"))
	compareNext512(end, a, k)
	KORTESTD(k, bad)
	SETEQ(retByte())
	VZEROUPPER()
	RET()
	Label("few") // pairs of them, whose number is n - 1
	ADDL(Imm(32), n.(GPVirtual).As32())
	pairs, next := GP32(), ZMM()
	MOVL(I32(-1), pairs)
	BZHIL(n.(GPVirtual).As32(), pairs, pairs)
	KMOVD(pairs, k)
	VMOVDQU16_Z(Mem{Base: p}, k, a)
	VMOVDQU16_Z(Mem{Base: p, Disp: 2}, k, next)
	VPCMPUW(Imm(5), next, a, k, bad)
	KORTESTD(bad, bad)
	SETEQ(retByte())
	VZEROUPPER()
	RET()

	text("runsArray512", "func(p *byte, n int) int")
	Doc("runsArray512 counts the breaks between n uint16 values at p, n-1 a multiple of 32: where a value is not its predecessor + 1.")
	p = Load(Param("p"), GP64())
	n = Load(Param("n"), GP64())
	LEAQ(Mem{Base: p, Index: n, Scale: 2, Disp: -2}, end)
	one, d := ZMM(), ZMM()
	bits, total := GP32(), GP64()
	MOVL(U32(1), bits)
	VPBROADCASTW(bits, one)
	XORQ(total, total)
	b := ZMM()
	Label("loop")
	CMPQ(p, end)
	JAE(LabelRef("done"))
	VMOVDQU16(Mem{Base: p}, a)
	VMOVDQU16(Mem{Base: p, Disp: 2}, b)
	VPSUBW(a, b, d)
	VPCMPUW(Imm(4), one, d, k)
	KMOVD(k, bits)
	POPCNTL(bits, bits)
	ADDQ(bits.As64(), total)
	ADDQ(Imm(64), p)
	JMP(LabelRef("loop"))
	Label("done")
	Store(total, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

func compareNext512(at Register, a VecVirtual, k OpmaskVirtual) {
	next := ZMM()
	VMOVDQU16(Mem{Base: at}, a)
	VMOVDQU16(Mem{Base: at, Disp: 2}, next)
	VPCMPUW(Imm(5), next, a, k) // value >= successor
}

// retByte is the result of a function that returns one bool.
func retByte() Op {
	r, err := ReturnIndex(0).Resolve()
	if err != nil {
		panic(err)
	}
	return r.Addr
}

func order256() {
	text("ascending256", "func(p *byte, n int) bool")
	Doc("ascending256 tells whether n > 16 uint16 values at p strictly ascend.")
	p := Load(Param("p"), GP64())
	n := Load(Param("n"), GP64())
	end := GP64()
	LEAQ(Mem{Base: p, Index: n, Scale: 2, Disp: -34}, end)
	bad, a, b := YMM(), YMM(), YMM()
	VPXOR(bad, bad, bad)
	compare := func(at Register) {
		VMOVDQU(Mem{Base: at}, a)
		VPMAXUW(Mem{Base: at, Disp: 2}, a, b)
		VPCMPEQW(a, b, b) // the larger of both is the value: it is >= its successor
		VPOR(b, bad, bad)
	}
	Label("loop")
	CMPQ(p, end)
	JAE(LabelRef("tail"))
	compare(p)
	ADDQ(Imm(32), p)
	JMP(LabelRef("loop"))
	Label("tail")
	compare(end)
	VPTEST(bad, bad)
	SETEQ(retByte())
	VZEROUPPER()
	RET()
}
