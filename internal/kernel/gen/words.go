package main

import (
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// wordLoop turns the bits of words into numbers of size bytes, as long as the 64 that a word may have fit what is left of dst.
type wordLoop struct {
	size        int
	dst         GPVirtual // where the next number goes
	n           GPVirtual // bits of the word
	word        Mem       // the word
	used, start GPVirtual
}

func newWordLoop(size int) *wordLoop {
	dst, limit, src := gp("dst"), gp("limit"), gp("src")
	l := &wordLoop{size: size, dst: dst, n: GP64(), used: GP64(), start: GP64()}
	stop := GP64()
	l.word = Mem{Base: src, Index: l.used, Scale: 8}
	words := gp("words")
	MOVQ(dst, l.start)
	LEAQ(Mem{Base: dst, Index: limit, Scale: uint8(size), Disp: -64 * size}, stop) // beyond it 64 do not fit
	XORQ(l.used, l.used)
	Label("loop")
	CMPQ(l.used, words)
	JGE(LabelRef("done"))
	CMPQ(dst, stop)
	JG(LabelRef("done"))
	return l
}

// next ends what is done for a word; advance moves the base on.
func (l *wordLoop) next(advance func()) {
	Label("next")
	LEAQ(Mem{Base: l.dst, Index: l.n, Scale: uint8(l.size)}, l.dst)
	advance()
	INCQ(l.used)
	JMP(LabelRef("loop"))
}

// done ends the function, which returns the words used and the numbers written, after leave, if any.
func (l *wordLoop) done(leave func()) {
	Label("done")
	SUBQ(l.start, l.dst)
	SHRQ(Imm(uint64(bits.TrailingZeros(uint(l.size)))), l.dst)
	Store(l.used, ReturnIndex(0))
	Store(l.dst, ReturnIndex(1))
	if leave != nil {
		leave()
	}
	RET()
}

// compress leaves the indices of a word's bits as bytes in packed, and their number.
func (l *wordLoop) compress(numbers, packed VecVirtual, k OpmaskVirtual) {
	MOVQ(l.word, l.n)
	KMOVQ(l.n, k)
	VPCOMPRESSB_Z(numbers, k, packed)
	POPCNTQ(l.n, l.n)
}

// atLeast gives how many numbers a word is written for: usual, or its bits where they are more.
func (l *wordLoop) atLeast(usual GPVirtual) GPVirtual {
	most := GP64()
	MOVQ(usual, most)
	CMPQ(l.n, usual)
	CMOVQGT(l.n, most)
	return most
}

// eights writes the numbers of a word, eight at a time; after each of the first asks it ends where these are enough.
func (l *wordLoop) eights(packed VecVirtual, most GPVirtual, asks int, write func(from VecVirtual, to Mem)) {
	part := ZMM()
	for i := range 8 {
		from := packed
		if i > 0 {
			VALIGNQ(Imm(uint64(i)), packed, packed, part)
			from = part
		}
		write(from, Mem{Base: l.dst, Disp: 8 * l.size * i})
		if i < asks {
			CMPQ(most, Imm(uint64(8*i+8)))
			JLE(LabelRef("next"))
		}
	}
}

// positions512 turns bits into positions. Their stores are unaligned: to align them would cost more than it gives.
func positions512() {
	text("positions512", "func(dst *int64, limit int, src *byte, words int, base int64, usual int) (used, n int)")
	Doc("positions512 writes base + the index of every bit set in the words at src, as long as 64 more fit limit.",
		"It returns the words used and the positions written; places after these are scratch. Of a word with fewer than usual",
		"bits as much is written as for usual, which spares the processor wrong guesses.")
	base, step, numbers, packed, out := ZMM(), ZMM(), iota64(), ZMM(), ZMM()
	by, usual := GP64(), gp("usual")
	VPBROADCASTQ(gp("base"), base)
	MOVQ(U32(64), by)
	VPBROADCASTQ(by, step)
	l := newWordLoop(8)
	l.compress(numbers, packed, K())
	l.eights(packed, l.atLeast(usual), 6, func(from VecVirtual, to Mem) {
		VPMOVZXBQ(from.AsX(), out)
		VPADDQ(base, out, out)
		VMOVDQU64(out, to)
	})
	l.next(func() { VPADDQ(step, base, base) })
	l.done(VZEROUPPER)
}

// indices512 is like positions512. Stores of 32 bytes cross a cache line less often than those of 64.
func indices512() {
	text("indices512", "func(dst *uint32, limit int, src *byte, words int, base uint32, usual int) (used, n int)")
	Doc("indices512 is positions512 for uint32.")
	base, step, numbers, packed, out := YMM(), YMM(), iota64(), ZMM(), YMM()
	by, usual := GP32(), gp("usual")
	Load(Param("base"), by)
	VPBROADCASTD(by, base)
	MOVL(U32(64), by)
	VPBROADCASTD(by, step)
	l := newWordLoop(4)
	l.compress(numbers, packed, K())
	l.eights(packed, l.atLeast(usual), 7, func(from VecVirtual, to Mem) {
		VPMOVZXBD(from.AsX(), out)
		VPADDD(base, out, out)
		VMOVDQU(out, to)
	})
	l.next(func() { VPADDD(step, base, base) })
	l.done(VZEROUPPER)
}

func values512() {
	text("values512", "func(dst *byte, limit int, src *byte, words int) (used, n int)")
	Doc("values512 writes the index of every bit set in the words at src as uint16, as long as 64 more fit limit.",
		"It returns the words used and the values written; places after these are scratch.")
	base, step, numbers, packed, out, high := ZMM(), ZMM(), iota64(), ZMM(), ZMM(), YMM()
	by := GP32()
	VPXORQ(base, base, base)
	MOVL(U32(64), by)
	VPBROADCASTW(by, step)
	l := newWordLoop(2)
	l.compress(numbers, packed, K())
	VPMOVZXBW(packed.AsX(), out.AsY())
	VPADDW(base.AsY(), out.AsY(), out.AsY())
	VMOVDQU(out.AsY(), Mem{Base: l.dst})
	CMPQ(l.n, Imm(16))
	JG(LabelRef("many"))
	l.next(func() { VPADDW(step, base, base) })
	Label("many")
	VPMOVZXBW(packed.AsY(), out)
	VPADDW(base, out, out)
	VMOVDQU64(out, Mem{Base: l.dst})
	VEXTRACTI64X4(Imm(1), packed, high)
	VPMOVZXBW(high, out)
	VPADDW(base, out, out)
	VMOVDQU64(out, Mem{Base: l.dst, Disp: 64})
	JMP(LabelRef("next"))
	l.done(VZEROUPPER)
}

// positionsBMI takes one bit after the other, a number of them without a question.
func positionsBMI() {
	text("positionsBMI", "func(dst *int64, limit int, src *byte, words int, base int64, usual int) (used, n int)")
	Doc("positionsBMI is positions512 with the instructions of BMI1.")
	base, usual, word := gp("base"), gp("usual"), GP64()
	l := newWordLoop(8)
	MOVQ(l.word, word)
	POPCNTQ(word, l.n)
	most := l.atLeast(usual)
	for i := range 64 {
		at := GP64()
		TZCNTQ(word, at)
		BLSRQ(word, word)
		ADDQ(base, at)
		MOVQ(at, Mem{Base: l.dst, Disp: 8 * i})
		if i%4 == 3 && i < 60 {
			CMPQ(most, Imm(uint64(i+1)))
			JLE(LabelRef("next"))
		}
	}
	l.next(func() { ADDQ(Imm(64), base) })
	l.done(nil) // not every processor with BMI1 has vectors to leave
}
