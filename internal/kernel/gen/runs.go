package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// runs512 turns runs into positions.
func runs512() {
	text("positionsOfRuns512", "func(dst *int64, runs *byte, n int, base int64) int")
	Doc("positionsOfRuns512 writes the positions of n > 0 runs {start, length-1} and returns their number.",
		"dst has room for 15 more; what is written there is scratch.")
	dst := Load(Param("dst"), GP64())
	runs := Load(Param("runs"), GP64())
	n := Load(Param("n"), GP64())
	base := Load(Param("base"), GP64())
	start := GP64()
	MOVQ(dst, start)
	numbers, low, high, step := iota64(), ZMM(), ZMM(), ZMM()
	offsets, sixteen := ZMM(), GP64()
	VPMOVZXBQ(numbers.AsX(), offsets)
	MOVQ(U32(16), sixteen)
	VPBROADCASTQ(sixteen, step)
	eight := ZMM()
	MOVQ(U32(8), sixteen)
	VPBROADCASTQ(sixteen, eight)
	first, left, at := GP64(), GP64(), GP64()
	Label("run")
	MOVWQZX(Mem{Base: runs}, first)
	MOVWQZX(Mem{Base: runs, Disp: 2}, left)
	INCQ(left)
	ADDQ(base, first)
	VPBROADCASTQ(first, low)
	VPADDQ(offsets, low, low)
	VPADDQ(eight, low, high)
	MOVQ(dst, at)
	LEAQ(Mem{Base: dst, Index: left, Scale: 8}, dst)
	Label("fill")
	VMOVDQU64(low, Mem{Base: at})
	VMOVDQU64(high, Mem{Base: at, Disp: 64})
	VPADDQ(step, low, low)
	VPADDQ(step, high, high)
	ADDQ(U32(128), at)
	CMPQ(at, dst)
	JLT(LabelRef("fill"))
	ADDQ(Imm(4), runs)
	DECQ(n)
	JNZ(LabelRef("run"))
	SUBQ(start, dst)
	SHRQ(Imm(3), dst)
	Store(dst, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
