package main

import (
	"fmt"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// flip needs BMI2, whose shifts leave their operands alone.
func flip() {
	streams("flip8", "turns over", 8, XORQ)
	streams("set8", "sets", 8, ORQ)
	text("flip4", "func(bitmap *byte, words int, values *byte, quarter int)")
	Doc("flip4 turns over the bits at 4 x quarter uint16 values, quarter > 0, as four streams.",
		"It passes over values beyond the words: bytes that somebody changed after their check must not do harm.")
	bitmap, words := gp("bitmap"), gp("words")
	eachOfStreams(4, gp("values"), gp("quarter"), func(i int, value, at, bit GPVirtual) {
		next := fmt.Sprint("next", i)
		CMPQ(at, words)
		JAE(LabelRef(next))
		XORQ(bit, Mem{Base: bitmap, Index: at, Scale: 8})
		Label(next)
	})
}

// streams changes bits of a whole bitmap, of which no uint16 is beyond.
func streams(name, does string, n int, change func(imr, mr Op)) {
	text(name, "func(bitmap, values *byte, each int)")
	Doc(fmt.Sprintf("%s %s the bits at %d x each uint16 values, each > 0, of the 8,192 bytes at bitmap, as %d streams.", name, does, n, n))
	bitmap := gp("bitmap")
	eachOfStreams(n, gp("values"), gp("each"), func(_ int, value, at, bit GPVirtual) {
		change(bit, Mem{Base: bitmap, Index: at, Scale: 8})
	})
}

// eachOfStreams has body for every value, one of each of n streams by turns, with the index of its word and its bit there.
func eachOfStreams(n int, values, each GPVirtual, body func(i int, value, at, bit GPVirtual)) {
	// Half of the streams have a register; the others are as far from these as the half is long.
	starts := []Register{values}
	apart := GP64()
	MOVQ(each, apart)
	SHLQ(Imm(uint64(bits.Len(uint(n)/2))), apart) // bytes of half of the streams
	for i := 1; i < n/2; i++ {
		starts = append(starts, GP64())
		LEAQ(Mem{Base: starts[i-1], Index: each, Scale: 2}, starts[i])
	}
	six, one := GP64(), GP64()
	MOVQ(U32(6), six)
	MOVQ(U32(1), one)
	Label("loop")
	for i := range n {
		value, at, bit := GP64(), GP64(), GP64()
		source := Mem{Base: starts[i%(n/2)]}
		if i >= n/2 {
			source.Index, source.Scale = apart, 1
		}
		MOVWQZX(source, value)
		SHRXQ(six, value, at)
		SHLXQ(value, one, bit)
		body(i, value, at, bit)
	}
	for _, s := range starts {
		ADDQ(Imm(2), s)
	}
	DECQ(each)
	JNZ(LabelRef("loop"))
	RET()
}
