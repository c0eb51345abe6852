package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// flip needs no feature of the CPU: it is what a compiler could write, had it the registers.
func flip() {
	streams4("flip4", "turns over", BTCQ)
	streams4("set4", "sets", BTSQ)
}

func streams4(name, does string, change func(imr, mr Op)) {
	TEXT(name, NOSPLIT, "func(bitmap, values *byte, quarter int)")
	Doc(name + " " + does + " the bits at 4 x quarter uint16 values, quarter > 0, as four streams.")
	bitmap := Load(Param("bitmap"), GP64())
	values := Load(Param("values"), GP64())
	quarter := Load(Param("quarter"), GP64())
	streams := []Register{values, GP64(), GP64(), GP64()}
	for i := 1; i < 4; i++ {
		LEAQ(Mem{Base: streams[i-1], Index: quarter, Scale: 2}, streams[i])
	}
	i := GP64()
	XORQ(i, i)
	Label("loop")
	for _, s := range streams {
		value, at, word := GP64(), GP64(), GP64()
		MOVWQZX(Mem{Base: s, Index: i, Scale: 2}, value)
		MOVQ(value, at)
		SHRQ(Imm(6), at)
		MOVQ(Mem{Base: bitmap, Index: at, Scale: 8}, word)
		change(value, word)
		MOVQ(word, Mem{Base: bitmap, Index: at, Scale: 8})
	}
	INCQ(i)
	CMPQ(i, quarter)
	JLT(LabelRef("loop"))
	RET()
}
