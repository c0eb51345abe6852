package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// copy512 writes n >= 64 bytes. A store of 64 bytes that crosses a cache line costs as much as several that do not, and
// hosts' buffers are seldom aligned: the first and the last block, which may cross, overlap those between them, which do not.
func copy512() {
	text("xor512", "func(dst, src *byte, n int, with uint64)")
	Doc("xor512 writes n >= 64 bytes of src xor with, a word repeated. src is dst or apart from it.")
	dst, src, n, with := xorArgs()
	x, head, tail, v := ZMM(), ZMM(), ZMM(), ZMM()
	VPBROADCASTQ(with, x)
	VPXORQ(Mem{Base: src}, x, head)
	VPXORQ(Mem{Base: src, Index: n, Scale: 1, Disp: -64}, x, tail)
	start := GP64()
	MOVQ(dst, start)
	SUBQ(dst, src) // from here on src is a distance
	last := alignBlocks(dst, n)
	eachBlock(dst, last, func() {
		VPXORQ(Mem{Base: dst, Index: src, Scale: 1}, x, v)
		VMOVDQA64(v, Mem{Base: dst})
	})
	// Only now: where src is dst, the blocks between had to see it as it was.
	VMOVDQU64(head, Mem{Base: start})
	VMOVDQU64(tail, Mem{Base: last})
	VZEROUPPER()
	RET()

	text("fill512", "func(dst *byte, n int, with uint64)")
	Doc("fill512 writes n >= 64 bytes of one byte repeated.")
	dst = Load(Param("dst"), GP64())
	n = Load(Param("n"), GP64())
	with = Load(Param("with"), GP64())
	VPBROADCASTQ(with, x)
	VMOVDQU64(x, Mem{Base: dst})
	last = alignBlocks(dst, n)
	VMOVDQU64(x, Mem{Base: last})
	eachBlock(dst, last, func() { VMOVDQA64(x, Mem{Base: dst}) })
	VZEROUPPER()
	RET()
}

func shiftDown512() {
	text("shiftDown512", "func(dst, src *byte, blocks int, by uint64)")
	Doc("shiftDown512 writes the bits of src from bit by < 64 on to blocks > 0 of 64 bytes; it reads eight bytes more of src.")
	dst, src, blocks, by := gp("dst"), gp("src"), gp("blocks"), gp("by")
	count, v := ZMM(), ZMM()
	VPBROADCASTQ(by, count)
	Label("loop")
	VMOVDQU64(Mem{Base: src}, v)
	next := ZMM()
	VMOVDQU64(Mem{Base: src, Disp: 8}, next)
	VPSHRDVQ(count, next, v)
	VMOVDQU64(v, Mem{Base: dst})
	ADDQ(Imm(64), src)
	ADDQ(Imm(64), dst)
	DECQ(blocks)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// alignBlocks moves dst up to the first boundary of 64 bytes behind it, and gives the place of the last block of its n bytes.
func alignBlocks(dst, n Register) (last GPVirtual) {
	last = GP64()
	LEAQ(Mem{Base: dst, Index: n, Scale: 1, Disp: -64}, last)
	ADDQ(Imm(64), dst)
	ANDQ(I32(-64), dst)
	return last
}

// eachBlock has body for every block of 64 bytes from dst on that begins before last.
func eachBlock(dst, last Register, body func()) {
	CMPQ(dst, last)
	JAE(LabelRef("ends"))
	Label("loop")
	body()
	ADDQ(Imm(64), dst)
	CMPQ(dst, last)
	JB(LabelRef("loop"))
	Label("ends")
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
