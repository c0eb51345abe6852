package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const bitmapBytes = 8192

// sum512 stores the sum of the lanes of the accumulators.
func sum512(acc []VecVirtual) {
	for _, a := range acc[1:] {
		VPADDQ(a, acc[0], acc[0])
	}
	y, x := YMM(), XMM()
	VEXTRACTI64X4(Imm(1), acc[0], y)
	VPADDQ(acc[0].AsY(), y, y)
	VEXTRACTI128(Imm(1), y, x)
	VPADDQ(y.AsX(), x, x)
	z := XMM()
	VPSRLDQ(Imm(8), x, z)
	VPADDQ(z, x, x)
	total := GP64()
	VMOVQ(x, total)
	Store(total, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

func accumulators(n int) []VecVirtual {
	out := make([]VecVirtual, n)
	for i := range out {
		out[i] = ZMM()
		VPXORQ(out[i], out[i], out[i])
	}
	return out
}

// bitmaps512 walks the 8,192 bytes at the given pointers, 256 a turn, with four accumulators.
func bitmaps512(pointers []Register, block func(disp int, acc VecVirtual)) {
	acc := accumulators(4)
	n := GP64()
	MOVQ(U32(bitmapBytes/256), n)
	Label("loop")
	for i, a := range acc {
		block(64*i, a)
	}
	for _, p := range pointers {
		ADDQ(U32(256), p)
	}
	DECQ(n)
	JNZ(LabelRef("loop"))
	sum512(acc)
}

func count512() {
	text("popcount512", "func(p *byte) int")
	Doc("popcount512 counts the bits set in the 8,192 bytes at p.")
	p := Load(Param("p"), GP64())
	bitmaps512([]Register{p}, func(disp int, acc VecVirtual) {
		v := ZMM()
		VPOPCNTQ(Mem{Base: p, Disp: disp}, v)
		VPADDQ(v, acc, acc)
	})

	xorCount512()

	combine := func(name, doc string, op func(a, b VecVirtual)) {
		text(name, "func(dst, a, b *byte) int")
		Doc(name + " writes " + doc + ", 8,192 bytes each, and counts the bits set.")
		dst := Load(Param("dst"), GP64())
		a := Load(Param("a"), GP64())
		b := Load(Param("b"), GP64())
		bitmaps512([]Register{dst, a, b}, func(disp int, acc VecVirtual) {
			x, y := ZMM(), ZMM()
			VMOVDQU64(Mem{Base: a, Disp: disp}, x)
			VMOVDQU64(Mem{Base: b, Disp: disp}, y)
			op(x, y)
			VMOVDQU64(x, Mem{Base: dst, Disp: disp})
			VPOPCNTQ(x, x)
			VPADDQ(x, acc, acc)
		})
	}
	combine("or512", "a or b", func(a, b VecVirtual) { VPORQ(a, b, a) })
	combine("andnot512", "a and not b", func(a, b VecVirtual) { VPANDNQ(a, b, a) })

	text("runsBits512", "func(p *byte, size int, carry uint64) int")
	Doc("runsBits512 counts the bits set in size bytes at p, a multiple of 64 above 64, whose lower neighbour is clear;",
		"carry, 0 or 1, is the neighbour of the first.")
	p = Load(Param("p"), GP64())
	n := Load(Param("size"), GP64())
	carry := Load(Param("carry"), GP64())
	acc, w, below := ZMM(), ZMM(), ZMM()
	VPXORQ(acc, acc, acc)
	starts := func() {
		VMOVDQU64(Mem{Base: p}, w)
		VPSHLDQ(Imm(1), below, w, below)
		VPANDNQ(w, below, w)
		VPOPCNTQ(w, w)
		VPADDQ(w, acc, acc)
		ADDQ(Imm(64), p)
	}
	// The word before the first one is made of the carry.
	first, x := ZMM(), XMM()
	VPXORQ(below, below, below)
	SHLQ(Imm(63), carry)
	VMOVQ(carry, x)
	VINSERTI64X2(Imm(3), x, below, below) // the last two words: carry, 0
	VPSHUFD(Imm(0x4E), below, below)      // 0, carry
	VMOVDQU64(Mem{Base: p}, first)
	VALIGNQ(Imm(7), below, first, below)
	starts()
	SUBQ(Imm(64), n)
	Label("loop")
	VMOVDQU64(Mem{Base: p, Disp: -8}, below)
	starts()
	SUBQ(Imm(64), n)
	JNZ(LabelRef("loop"))
	sum512([]VecVirtual{acc})
}

func count256() {
	text("popcount256", "func(p *byte) int")
	Doc("popcount256 counts the bits set in the 8,192 bytes at p: by nibbles, in a table.")
	p := Load(Param("p"), GP64())
	table := GLOBL("nibbles", RODATA|NOPTR)
	for i, n := range []uint8{0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4} {
		DATA(i, U8(n))
	}
	lut, low, zero, acc := YMM(), YMM(), YMM(), YMM()
	VMOVDQU(table, lut)
	m := GP32()
	MOVL(U32(0x0F0F0F0F), m)
	x := XMM()
	VMOVD(m, x)
	VPBROADCASTD(x, low)
	VPXOR(zero, zero, zero)
	VPXOR(acc, acc, acc)
	n := GP64()
	MOVQ(U32(bitmapBytes/64), n)
	Label("loop")
	bytesum := YMM()
	for i := range 2 {
		a, b := YMM(), YMM()
		VMOVDQU(Mem{Base: p, Disp: 32 * i}, a)
		VPSRLW(Imm(4), a, b)
		VPAND(low, a, a)
		VPAND(low, b, b)
		VPSHUFB(a, lut, a)
		VPSHUFB(b, lut, b)
		VPADDB(a, b, a)
		if i == 0 {
			VMOVDQA(a, bytesum)
		} else {
			VPADDB(a, bytesum, bytesum)
		}
	}
	VPSADBW(zero, bytesum, bytesum)
	VPADDQ(bytesum, acc, acc)
	ADDQ(Imm(64), p)
	DECQ(n)
	JNZ(LabelRef("loop"))
	hi, lo := XMM(), XMM()
	VEXTRACTI128(Imm(1), acc, hi)
	VPADDQ(acc.AsX(), hi, hi)
	VPSRLDQ(Imm(8), hi, lo)
	VPADDQ(lo, hi, hi)
	total := GP64()
	VMOVQ(hi, total)
	Store(total, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
