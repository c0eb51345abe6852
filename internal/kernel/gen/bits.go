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

// indices512 is like positions512. Stores of 32 bytes cross a cache line less often than those of 64.
func indices512() {
	text("indices512", "func(dst *uint32, limit int, src *byte, words int, base uint32, usual int) (used, n int)")
	Doc("indices512 is positions512 for uint32.")
	dst, limit, src, words, usual := gp("dst"), gp("limit"), gp("src"), gp("words"), gp("usual")
	start, stop, used := GP64(), GP64(), GP64()
	MOVQ(dst, start)
	LEAQ(Mem{Base: dst, Index: limit, Scale: 4, Disp: -256}, stop) // beyond it 64 do not fit
	XORQ(used, used)
	base, step, numbers := YMM(), YMM(), iota64()
	by := GP32()
	Load(Param("base"), by)
	VPBROADCASTD(by, base)
	MOVL(U32(64), by)
	VPBROADCASTD(by, step)
	k, n, most, packed, part, out := K(), GP64(), GP64(), ZMM(), ZMM(), YMM()
	Label("loop")
	CMPQ(used, words)
	JGE(LabelRef("done"))
	CMPQ(dst, stop)
	JG(LabelRef("done"))
	MOVQ(Mem{Base: src, Index: used, Scale: 8}, n)
	KMOVQ(n, k)
	VPCOMPRESSB_Z(numbers, k, packed)
	POPCNTQ(n, n)
	MOVQ(usual, most)
	CMPQ(n, usual)
	CMOVQGT(n, most)
	for i := range 8 {
		from := packed
		if i > 0 {
			VALIGNQ(Imm(uint64(i)), packed, packed, part)
			from = part
		}
		VPMOVZXBD(from.AsX(), out)
		VPADDD(base, out, out)
		VMOVDQU(out, Mem{Base: dst, Disp: 32 * i})
		if i < 7 {
			CMPQ(most, Imm(uint64(8*i+8)))
			JLE(LabelRef("next"))
		}
	}
	Label("next")
	LEAQ(Mem{Base: dst, Index: n, Scale: 4}, dst)
	VPADDD(step, base, base)
	INCQ(used)
	JMP(LabelRef("loop"))
	Label("done")
	SUBQ(start, dst)
	SHRQ(Imm(2), dst)
	Store(used, ReturnIndex(0))
	Store(dst, ReturnIndex(1))
	VZEROUPPER()
	RET()
}

// positions512 turns bits into positions. Their stores are unaligned: to align them would cost more than it gives.
func positions512() {
	text("positions512", "func(dst *int64, limit int, src *byte, words int, base int64, usual int) (used, n int)")
	Doc("positions512 writes base + the index of every bit set in the words at src, as long as 64 more fit limit.",
		"It returns the words used and the positions written; places after these are scratch. Of a word with fewer than usual",
		"bits as much is written as for usual, which spares the processor wrong guesses.")
	dst, limit, src, words, baseReg, usual := gp("dst"), gp("limit"), gp("src"), gp("words"), gp("base"), gp("usual")
	start, stop, used := GP64(), GP64(), GP64()
	MOVQ(dst, start)
	LEAQ(Mem{Base: dst, Index: limit, Scale: 8, Disp: -512}, stop) // beyond it 64 do not fit
	XORQ(used, used)
	base, step, numbers := ZMM(), ZMM(), iota64()
	VPBROADCASTQ(baseReg, base)
	by := GP64()
	MOVQ(U32(64), by)
	VPBROADCASTQ(by, step)
	k, n, most, packed, part, out := K(), GP64(), GP64(), ZMM(), ZMM(), ZMM()
	write := func(i int) {
		from := packed
		if i > 0 {
			VALIGNQ(Imm(uint64(i)), packed, packed, part)
			from = part
		}
		VPMOVZXBQ(from.AsX(), out)
		VPADDQ(base, out, out)
		VMOVDQU64(out, Mem{Base: dst, Disp: 64 * i})
	}
	Label("loop")
	CMPQ(used, words)
	JGE(LabelRef("done"))
	CMPQ(dst, stop)
	JG(LabelRef("done"))
	MOVQ(Mem{Base: src, Index: used, Scale: 8}, n)
	KMOVQ(n, k)
	VPCOMPRESSB_Z(numbers, k, packed)
	POPCNTQ(n, n)
	MOVQ(usual, most)
	CMPQ(n, usual)
	CMOVQGT(n, most)
	for i := range 8 {
		write(i)
		if i < 6 {
			CMPQ(most, Imm(uint64(8*i+8)))
			JLE(LabelRef("next"))
		}
	}
	Label("next")
	LEAQ(Mem{Base: dst, Index: n, Scale: 8}, dst)
	VPADDQ(step, base, base)
	INCQ(used)
	JMP(LabelRef("loop"))
	Label("done")
	SUBQ(start, dst)
	SHRQ(Imm(3), dst)
	Store(used, ReturnIndex(0))
	Store(dst, ReturnIndex(1))
	VZEROUPPER()
	RET()
}

func values512() {
	text("values512", "func(dst *byte, limit int, src *byte, words int) (used, n int)")
	Doc("values512 writes the index of every bit set in the words at src as uint16, as long as 64 more fit limit.",
		"It returns the words used and the values written; places after these are scratch.")
	dst, limit, src, words := gp("dst"), gp("limit"), gp("src"), gp("words")
	start, stop, used := GP64(), GP64(), GP64()
	MOVQ(dst, start)
	LEAQ(Mem{Base: dst, Index: limit, Scale: 2, Disp: -128}, stop) // beyond it 64 do not fit
	XORQ(used, used)
	base, step, numbers := ZMM(), ZMM(), iota64()
	VPXORQ(base, base, base)
	by := GP32()
	MOVL(U32(64), by)
	VPBROADCASTW(by, step)
	k, n, packed, out, high := K(), GP64(), ZMM(), ZMM(), YMM()
	Label("loop")
	CMPQ(used, words)
	JGE(LabelRef("done"))
	CMPQ(dst, stop)
	JG(LabelRef("done"))
	MOVQ(Mem{Base: src, Index: used, Scale: 8}, n)
	KMOVQ(n, k)
	VPCOMPRESSB_Z(numbers, k, packed)
	POPCNTQ(n, n)
	VPMOVZXBW(packed.AsX(), out.AsY())
	VPADDW(base.AsY(), out.AsY(), out.AsY())
	VMOVDQU(out.AsY(), Mem{Base: dst})
	CMPQ(n, Imm(16))
	JG(LabelRef("many"))
	Label("next")
	LEAQ(Mem{Base: dst, Index: n, Scale: 2}, dst)
	VPADDW(step, base, base)
	INCQ(used)
	JMP(LabelRef("loop"))
	Label("many")
	VPMOVZXBW(packed.AsY(), out)
	VPADDW(base, out, out)
	VMOVDQU64(out, Mem{Base: dst})
	VEXTRACTI64X4(Imm(1), packed, high)
	VPMOVZXBW(high, out)
	VPADDW(base, out, out)
	VMOVDQU64(out, Mem{Base: dst, Disp: 64})
	JMP(LabelRef("next"))
	Label("done")
	SUBQ(start, dst)
	SHRQ(Imm(1), dst)
	Store(used, ReturnIndex(0))
	Store(dst, ReturnIndex(1))
	VZEROUPPER()
	RET()
}
