package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

var iotaTable Mem

// iota64 holds the bytes 0..63.
func iota64() VecVirtual {
	if iotaTable.Symbol.Name == "" {
		iotaTable = GLOBL("iota64", RODATA|NOPTR)
		for i := range 64 {
			DATA(i, U8(i))
		}
	}
	table := iotaTable
	v := ZMM()
	VMOVDQU64(table, v)
	return v
}

// keepBytes512 turns bits into bytes. As in copy512, the first and the last block overlap those between, whose stores are
// aligned: their bits begin anywhere in a byte.
func keepBytes512() {
	text("keepBytes512", "func(dst, src *byte, words int)")
	Doc("keepBytes512 writes a byte for each bit of the words at src, words > 0: 1 where it is clear, else 0.")
	dst, src, words := gp("dst"), gp("src"), gp("words")
	one, v, k := ZMM(), ZMM(), K()
	word := GP64()
	MOVL(U32(1), word.As32())
	VPBROADCASTB(word.As32(), one)
	write := func(store func()) {
		NOTQ(word)
		KMOVQ(word, k)
		VMOVDQU8_Z(one, k, v)
		store()
	}
	SHLQ(Imm(6), words)
	last, skip, back, next := GP64(), GP64(), GP64(), GP64()
	LEAQ(Mem{Base: dst, Index: words, Scale: 1, Disp: -64}, last)
	SHRQ(Imm(3), words)
	MOVQ(Mem{Base: src}, word)
	write(func() { VMOVDQU64(v, Mem{Base: dst}) })
	MOVQ(Mem{Base: src, Index: words, Scale: 1, Disp: -8}, word)
	write(func() { VMOVDQU64(v, Mem{Base: last}) })
	MOVQ(dst, skip)
	NEGQ(skip)
	ANDQ(Imm(63), skip)
	ADDQ(skip, dst)
	MOVQ(skip, back)
	SHRQ(Imm(3), back)
	ADDQ(back, src)
	ANDQ(Imm(7), skip)
	JNE(LabelRef("within"))
	Label("whole") // bytes, as a rule
	CMPQ(dst, last)
	JAE(LabelRef("done"))
	MOVQ(Mem{Base: src}, word)
	write(func() { VMOVDQA64(v, Mem{Base: dst}) })
	ADDQ(Imm(8), src)
	ADDQ(Imm(64), dst)
	JMP(LabelRef("whole"))
	Label("within")
	MOVQ(U32(63), back)
	SUBQ(skip, back)
	eachBlock(dst, last, func() { // there is a block behind it, so that one byte more is there
		MOVQ(Mem{Base: src}, word)
		MOVBQZX(Mem{Base: src, Disp: 8}, next)
		SHRXQ(skip, word, word)
		ADDQ(next, next)
		SHLXQ(back, next, next) // by 64 - skip
		ORQ(next, word)
		write(func() { VMOVDQA64(v, Mem{Base: dst}) })
		ADDQ(Imm(8), src)
	})
	Label("done")
	VZEROUPPER()
	RET()
}
