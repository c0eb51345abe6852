package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// copy512 and copy256 write blocks of 64 bytes: n is a positive multiple of 64.
func copy512() {
	text("xor512", "func(dst, src *byte, n int, with uint64)")
	Doc("xor512 writes n bytes of src xor with, a word repeated; n is a positive multiple of 64.")
	dst, src, n, with := xorArgs()
	x := ZMM()
	VPBROADCASTQ(with, x)
	Label("loop")
	v := ZMM()
	VPXORQ(Mem{Base: src}, x, v)
	VMOVDQU64(v, Mem{Base: dst})
	nextBlock(n, dst, src)

	text("fill512", "func(dst *byte, n int, with uint64)")
	Doc("fill512 writes n bytes of a word repeated; n is a positive multiple of 64.")
	dst = Load(Param("dst"), GP64())
	n = Load(Param("n"), GP64())
	with = Load(Param("with"), GP64())
	VPBROADCASTQ(with, x)
	Label("loop")
	VMOVDQU64(x, Mem{Base: dst})
	nextBlock(n, dst)
}

func copy256() {
	text("xor256", "func(dst, src *byte, n int, with uint64)")
	Doc("xor256 writes n bytes of src xor with, a word repeated; n is a positive multiple of 64.")
	dst, src, n, with := xorArgs()
	x, y := XMM(), YMM()
	VMOVQ(with, x)
	VPBROADCASTQ(x, y)
	Label("loop")
	for i := range 2 {
		v := YMM()
		VPXOR(Mem{Base: src, Disp: 32 * i}, y, v)
		VMOVDQU(v, Mem{Base: dst, Disp: 32 * i})
	}
	nextBlock(n, dst, src)
}

func xorArgs() (dst, src, n, with Register) {
	return Load(Param("dst"), GP64()), Load(Param("src"), GP64()), Load(Param("n"), GP64()), Load(Param("with"), GP64())
}

// nextBlock closes a loop over blocks of 64 bytes.
func nextBlock(n Register, pointers ...Register) {
	for _, p := range pointers {
		ADDQ(Imm(64), p)
	}
	SUBQ(Imm(64), n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
