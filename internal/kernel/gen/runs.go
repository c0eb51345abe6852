package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// runs512 turns runs into positions: short ones with two stores, long ones with aligned stores after the first.
func runs512() {
	text("positionsOfRuns512", "func(dst *int64, limit int, runs *byte, n int, base int64, stream bool) int")
	Doc("positionsOfRuns512 writes the positions of n > 0 runs {start, length-1} and returns their number.",
		"It stops before a run that would go past limit, behind which dst has room for 15 more, for scratch.")
	dst, limit, runs, n, base, stream := gp("dst"), gp("limit"), gp("runs"), gp("n"), gp("base"), streamed()
	start, stop := GP64(), GP64()
	MOVQ(dst, start)
	LEAQ(Mem{Base: dst, Index: limit, Scale: 8}, stop)
	v, eight, numbers := ZMM(), ZMM(), iota64()
	VPMOVZXBQ(numbers.AsX(), numbers)
	first, end, at := GP64(), GP64(), GP64()
	MOVQ(U32(8), at)
	VPBROADCASTQ(at, eight)
	from := func() {
		VPBROADCASTQ(first, v)
		VPADDQ(numbers, v, v)
	}
	Label("run")
	MOVWQZX(Mem{Base: runs}, first)
	MOVWQZX(Mem{Base: runs, Disp: 2}, end)
	ADDQ(base, first)
	LEAQ(Mem{Base: dst, Index: end, Scale: 8, Disp: 8}, end)
	CMPQ(end, stop)
	JG(LabelRef("done"))
	from()
	VMOVDQU64(v, Mem{Base: dst})
	LEAQ(Mem{Base: dst, Disp: 128}, at)
	CMPQ(end, at)
	JA(LabelRef("long"))
	VPADDQ(eight, v, v)
	VMOVDQU64(v, Mem{Base: dst, Disp: 64})
	Label("next")
	MOVQ(end, dst)
	ADDQ(Imm(4), runs)
	DECQ(n)
	JNZ(LabelRef("run"))
	Label("done")
	SUBQ(start, dst)
	SHRQ(Imm(3), dst)
	Store(dst, ReturnIndex(0))
	VZEROUPPER()
	RET()

	Label("long")
	MOVQ(dst, at)
	NEGQ(at)
	ANDQ(Imm(63), at)
	SHRQ(Imm(3), at)
	ADDQ(at, first)
	LEAQ(Mem{Base: dst, Index: at, Scale: 8}, at)
	from()
	TESTB(stream.As8(), stream.As8())
	JE(LabelRef("store"))
	TESTQ(U32(7), at) // no whole positions lead to a boundary
	JNE(LabelRef("store"))
	write := func(name string, store func(v, m Op)) {
		Label(name)
		store(v, Mem{Base: at})
		VPADDQ(eight, v, v)
		ADDQ(Imm(64), at)
		CMPQ(at, end)
		JB(LabelRef(name))
		JMP(LabelRef("next"))
	}
	write("stream", VMOVNTDQ)
	write("store", func(v, m Op) { VMOVDQU64(v, m) })
}
