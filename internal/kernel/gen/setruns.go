package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// setRuns256 writes runs: words that a run ends in are changed, those between are written, four at a time, the last four
// first, which may overlap the others.
func setRuns256() {
	text("setRuns256", "func(bitmap, runs *byte, n int, with uint64)")
	Doc("setRuns256 writes with, all bits set or none, as the bits of n > 0 runs {start, length-1} in the 8,192 bytes at bitmap,",
		"where they are the opposite. It cuts off a run at the last bit: bytes that somebody changed after their check must not",
		"do harm.")
	bitmap, runs, n, with := gp("bitmap"), gp("runs"), gp("n"), gp("with")
	first, last, head, tail, top, ones := GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	v := YMM()
	VMOVQ(with, v.AsX())
	VPBROADCASTQ(v.AsX(), v)
	MOVQ(U32(0xFFFF), top)
	MOVQ(I32(-1), ones)
	Label("run")
	MOVWQZX(Mem{Base: runs}, first)
	MOVWQZX(Mem{Base: runs, Disp: 2}, last)
	ADDQ(first, last)
	CMPQ(last, top)
	CMOVQGT(top, last)
	SHLXQ(first, ones, head)
	NOTQ(last)
	SHRXQ(last, ones, tail) // 63 - last & 63
	NOTQ(last)
	SHRQ(Imm(6), first)
	SHRQ(Imm(6), last)
	CMPQ(first, last)
	JE(LabelRef("within"))
	XORQ(head, Mem{Base: bitmap, Index: first, Scale: 8})
	XORQ(tail, Mem{Base: bitmap, Index: last, Scale: 8})
	LEAQ(Mem{Base: bitmap, Index: first, Scale: 8, Disp: 8}, first) // whole words between
	LEAQ(Mem{Base: bitmap, Index: last, Scale: 8, Disp: -32}, last)
	CMPQ(first, last)
	JA(LabelRef("few"))
	VMOVDQU(v, Mem{Base: last})
	JE(LabelRef("next"))
	Label("whole")
	VMOVDQU(v, Mem{Base: first})
	ADDQ(Imm(32), first)
	CMPQ(first, last)
	JB(LabelRef("whole"))
	Label("next")
	ADDQ(Imm(4), runs)
	DECQ(n)
	JNZ(LabelRef("run"))
	VZEROUPPER()
	RET()
	Label("within")
	ANDQ(tail, head)
	XORQ(head, Mem{Base: bitmap, Index: first, Scale: 8})
	JMP(LabelRef("next"))
	Label("few")
	ADDQ(Imm(32), last)
	Label("word")
	CMPQ(first, last)
	JAE(LabelRef("next"))
	MOVQ(with, Mem{Base: first})
	ADDQ(Imm(8), first)
	JMP(LabelRef("word"))
}
