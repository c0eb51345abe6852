package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The kernels of AVX2 do whole blocks and leave the rest to the pure Go twins.

func fill256() {
	text("fill256", "func(dst *byte, n int, with uint64)")
	Doc("fill256 writes n >= 64 bytes of one byte repeated.")
	dst, n, with := gp("dst"), gp("n"), gp("with")
	x := YMM()
	VMOVQ(with, x.AsX())
	VPBROADCASTQ(x.AsX(), x)
	block := func(at Register) {
		VMOVDQU(x, Mem{Base: at})
		VMOVDQU(x, Mem{Base: at, Disp: 32})
	}
	block(dst)
	last := alignBlocks(dst, n)
	block(last)
	eachBlock(dst, last, func() { block(dst) })
	VZEROUPPER()
	RET()
}

func widen256() {
	text("widen256", "func(dst *int64, src *byte, n int, base int64)")
	Doc("widen256 writes base + each of n uint16 values; n is a positive multiple of 8.")
	dst, src, n, b := gp("dst"), gp("src"), gp("n"), gp("base")
	base := YMM()
	VMOVQ(b, base.AsX())
	VPBROADCASTQ(base.AsX(), base)
	Label("loop")
	for i := range 2 {
		v := YMM()
		VPMOVZXWQ(Mem{Base: src, Disp: 8 * i}, v)
		VPADDQ(base, v, v)
		VMOVDQU(v, Mem{Base: dst, Disp: 32 * i})
	}
	ADDQ(Imm(16), src)
	ADDQ(Imm(64), dst)
	SUBQ(Imm(8), n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

func consecutive256() {
	text("count256", "func(dst *int64, n int, first int64)")
	Doc("count256 writes n consecutive numbers; n is a positive multiple of 8.")
	dst, n, first := gp("dst"), gp("n"), gp("first")
	low, high, step := YMM(), YMM(), YMM()
	r := GP64()
	MOVQ(U64(0x03020100), r)
	VMOVQ(r, low.AsX())
	VPMOVZXBQ(low.AsX(), low)
	VMOVQ(first, high.AsX())
	VPBROADCASTQ(high.AsX(), high)
	VPADDQ(high, low, low)
	MOVQ(U32(4), r)
	VMOVQ(r, step.AsX())
	VPBROADCASTQ(step.AsX(), step)
	VPADDQ(step, low, high)
	VPADDQ(step, step, step)
	Label("loop")
	VMOVDQU(low, Mem{Base: dst})
	VMOVDQU(high, Mem{Base: dst, Disp: 32})
	VPADDQ(step, low, low)
	VPADDQ(step, high, high)
	ADDQ(Imm(64), dst)
	SUBQ(Imm(8), n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// combine256 leaves the counting to popcount256: the bitmaps are in the first-level cache by then.
func combine256() {
	combine := func(name, doc string, op func(a, b Mem, v Register)) {
		text(name, "func(dst, a, b *byte)")
		Doc(name + " writes " + doc + ", 8,192 bytes each.")
		dst, a, b := gp("dst"), gp("a"), gp("b")
		n, v := GP64(), YMM()
		XORQ(n, n)
		Label("loop")
		for i := range 4 {
			at := func(p Register) Mem { return Mem{Base: p, Index: n, Scale: 1, Disp: 32 * i} }
			op(at(a), at(b), v)
			VMOVDQU(v, at(dst))
		}
		ADDQ(U32(128), n)
		CMPQ(n, U32(bitmapBytes))
		JB(LabelRef("loop"))
		VZEROUPPER()
		RET()
	}
	combine("or256", "a | b", func(a, b Mem, v Register) {
		VMOVDQU(a, v)
		VPOR(b, v, v)
	})
	combine("andnot256", "a &^ b", func(a, b Mem, v Register) {
		VMOVDQU(b, v)
		VPANDN(a, v, v)
	})
}
