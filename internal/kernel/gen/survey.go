package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// survey512 looks at positions as they come.
func survey512() {
	text("survey512", "func(p *int64, n int) (largest uint64, falls, repeats int)")
	Doc("survey512 looks at n+1 positions, n a positive multiple of 8: the largest of the first n as unsigned,",
		"how many of them are larger than their successor, and how many equal it.")
	p := Load(Param("p"), GP64())
	n := Load(Param("n"), GP64())
	v, top, next := ZMM(), ZMM(), ZMM()
	VPXORQ(top, top, top)
	falls, repeats, bits := GP64(), GP64(), GP32()
	XORQ(falls, falls)
	XORQ(repeats, repeats)
	k := K()
	Label("loop")
	VMOVDQU64(Mem{Base: p}, v)
	VMOVDQU64(Mem{Base: p, Disp: 8}, next)
	VPMAXUQ(v, top, top)
	VPCMPUQ(Imm(6), next, v, k) // v > next
	KMOVB(k, bits)
	POPCNTL(bits, bits)
	ADDQ(bits.As64(), falls)
	VPCMPUQ(Imm(0), next, v, k)
	KMOVB(k, bits)
	POPCNTL(bits, bits)
	ADDQ(bits.As64(), repeats)
	ADDQ(Imm(64), p)
	SUBQ(Imm(8), n)
	JNZ(LabelRef("loop"))
	y, z := YMM(), YMM()
	VEXTRACTI64X4(Imm(1), top, y)
	VPMAXUQ(top.AsY(), y, y)
	VEXTRACTI128(Imm(1), y, z.AsX())
	VPMAXUQ(y.AsX(), z.AsX(), z.AsX())
	w := XMM()
	VPSRLDQ(Imm(8), z.AsX(), w)
	VPMAXUQ(w, z.AsX(), w)
	largest := GP64()
	VMOVQ(w, largest)
	Store(largest, ReturnIndex(0))
	Store(falls, ReturnIndex(1))
	Store(repeats, ReturnIndex(2))
	VZEROUPPER()
	RET()
}
