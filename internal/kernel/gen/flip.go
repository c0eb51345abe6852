package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// flip needs BMI2, whose shifts leave their operands alone.
func flip() {
	streams4("flip4", "turns over", XORQ)
	streams4("set4", "sets", ORQ)
}

func streams4(name, does string, change func(imr, mr Op)) {
	text(name, "func(bitmap *byte, words int, values *byte, quarter int)")
	Doc(name+" "+does+" the bits at 4 x quarter uint16 values, quarter > 0, as four streams.",
		"It passes over values beyond the words: bytes that somebody changed after their check must not do harm.")
	bitmap := Load(Param("bitmap"), GP64())
	words := Load(Param("words"), GP64())
	values := Load(Param("values"), GP64())
	quarter := Load(Param("quarter"), GP64())
	streams := []Register{values, GP64(), GP64(), GP64()}
	for i := 1; i < 4; i++ {
		LEAQ(Mem{Base: streams[i-1], Index: quarter, Scale: 2}, streams[i])
	}
	// Streams are read from their ends, so that the index counts up to 0.
	for _, s := range streams {
		LEAQ(Mem{Base: s, Index: quarter, Scale: 2}, s)
	}
	NEGQ(quarter)
	six, one := GP64(), GP64()
	MOVQ(U32(6), six)
	MOVQ(U32(1), one)
	Label("loop")
	for i, s := range streams {
		next := fmt.Sprint("next", i)
		value, at, bit := GP64(), GP64(), GP64()
		MOVWQZX(Mem{Base: s, Index: quarter, Scale: 2}, value)
		SHRXQ(six, value, at)
		SHLXQ(value, one, bit)
		CMPQ(at, words)
		JAE(LabelRef(next))
		change(bit, Mem{Base: bitmap, Index: at, Scale: 8})
		Label(next)
	}
	INCQ(quarter)
	JNZ(LabelRef("loop"))
	RET()
}
