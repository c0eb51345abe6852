package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Constants of CRC-32 (IEEE), bit-reflected and shifted by one. To fold over n bits takes
// x^(n+32) and x^(n-32) modulo the polynomial; the last ones are for the reduction of 64 bits
// to 32: x^64, the polynomial, and x^64 divided by it.
const (
	fold2048Low, fold2048High = 0x11542778a, 0x1322d1430
	fold512Low, fold512High   = 0x154442bd4, 0x1c6e41596
	fold384Low, fold384High   = 0x03db1ecdc, 0x174359406
	fold256Low, fold256High   = 0x0f1da05aa, 0x15a546366
	fold128Low, fold128High   = 0x1751997d0, 0x0ccaa009e
	fold64                    = 0x163cd6124
	polynomial, quotient      = 0x1db710641, 0x1f7011641
)

// crcTable is a table of constants and the offset that the next one gets.
type crcTable struct {
	Mem
	end int
}

func (t *crcTable) add(words ...uint64) Mem {
	at := t.Mem.Offset(t.end)
	for _, w := range words {
		DATA(t.end, U64(w))
		t.end += 8
	}
	return at
}

func crc() {
	table := crcTable{Mem: GLOBL("crcConstants", RODATA|NOPTR)}
	c := &crcConstants{
		by2048:  table.add(fold2048Low, fold2048High),
		by512:   table.add(fold512Low, fold512High),
		byLanes: table.add(fold384Low, fold384High, fold256Low, fold256High, fold128Low, fold128High, 0, 0),
		half:    table.add(0xFFFFFFFF, 0),
		by64:    table.add(fold64, 0),
		barrett: table.add(polynomial, quotient),
	}
	const none = 0x8080808080808080
	c.toEnd = table.add(none, none, 0x0706050403020100, 0x0F0E0D0C0B0A0908)
	c.toStart = table.add(0x0706050403020100, 0x0F0E0D0C0B0A0908, none, none)

	text("crc512", "func(sum uint32, p *byte, n int) uint32")
	Doc("crc512 goes on with a complemented CRC-32 over n >= 16 bytes.")
	c.write(gp("p"), nil)
	text("copyCRC512", "func(sum uint32, dst, src *byte, n int) uint32")
	Doc("copyCRC512 is crc512 that also copies the bytes.")
	c.write(gp("src"), gp("dst"))
}

// crcConstants are places in the table.
type crcConstants struct {
	by2048, by512, byLanes, half, by64, barrett Mem
	// Shuffles: from byte r of it on the first moves the first r bytes of a block to its end, the second drops them.
	toEnd, toStart Mem
}

// write folds blocks of 256 bytes into one of 64, with that the blocks of 64 that are left, that into 16, with that the
// blocks of 16 and the bytes that are left, and reduces these. dst is where the bytes are copied to, or nil.
func (c *crcConstants) write(p GPVirtual, dst Register) {
	sum := GP32()
	Load(Param("sum"), sum)
	n := gp("n")
	if dst != nil {
		SUBQ(p, dst) // from here on a distance
	}
	// load reads a block at p, which has passed by then, and copies it.
	load := func(at Mem, v VecVirtual) {
		VMOVDQU64(at, v)
		if dst == nil {
			return
		}
		if at.Index != nil { // an address has room for two registers
			to := GP64()
			LEAQ(Mem{Base: p, Index: dst, Scale: 1, Disp: at.Disp}, to)
			VMOVDQU64(v, Mem{Base: to, Index: at.Index, Scale: 1})
			return
		}
		at.Index, at.Scale = dst, 1
		VMOVDQU64(v, at)
	}
	start, first, x := ZMM(), XMM(), XMM()
	VMOVD(sum, first) // the rest of the register is zero
	VMOVDQA64(first.AsZ(), start)
	z := []VecVirtual{ZMM(), ZMM(), ZMM(), ZMM()}
	low, high, k := ZMM(), ZMM(), ZMM()
	fold := func(v VecVirtual, next Mem) {
		VPCLMULQDQ(Imm(0x00), k, v, low)
		VPCLMULQDQ(Imm(0x11), k, v, high)
		load(next, v)
		VPTERNLOGQ(Imm(0x96), low, high, v)
	}
	CMPQ(n, Imm(64))
	JB(LabelRef("small"))
	CMPQ(n, U32(256))
	JB(LabelRef("medium"))
	for i := range z {
		load(Mem{Base: p, Disp: 64 * i}, z[i])
	}
	VPXORQ(start, z[0], z[0])
	VBROADCASTI32X4(c.by2048, k)
	ADDQ(U32(256), p)
	SUBQ(U32(512), n)
	JB(LabelRef("four"))
	Label("blocks256")
	for i := range z {
		fold(z[i], Mem{Base: p, Disp: 64 * i})
	}
	ADDQ(U32(256), p)
	SUBQ(U32(256), n)
	JAE(LabelRef("blocks256"))
	Label("four")
	ADDQ(U32(256), n)
	VBROADCASTI32X4(c.by512, k)
	for i := range 3 {
		VPCLMULQDQ(Imm(0x00), k, z[i], low)
		VPCLMULQDQ(Imm(0x11), k, z[i], high)
		VPTERNLOGQ(Imm(0x96), low, high, z[i+1])
	}
	JMP(LabelRef("left64"))
	Label("medium")
	load(Mem{Base: p}, z[3])
	VPXORQ(start, z[3], z[3])
	VBROADCASTI32X4(c.by512, k)
	ADDQ(Imm(64), p)
	SUBQ(Imm(64), n)
	Label("left64")
	SUBQ(Imm(64), n)
	JB(LabelRef("lanes"))
	Label("blocks64")
	fold(z[3], Mem{Base: p})
	ADDQ(Imm(64), p)
	SUBQ(Imm(64), n)
	JAE(LabelRef("blocks64"))
	Label("lanes")
	ADDQ(Imm(64), n)
	VMOVDQU64(c.byLanes, k)
	VPCLMULQDQ(Imm(0x00), k, z[3], low)
	VPCLMULQDQ(Imm(0x11), k, z[3], high)
	VEXTRACTI64X2(Imm(3), z[3], x) // where the constants are 0
	VPXORQ(low, high, low)
	VEXTRACTI64X4(Imm(1), low, high.AsY())
	VPXORQ(low.AsY(), high.AsY(), low.AsY())
	VEXTRACTI128(Imm(1), low.AsY(), high.AsX())
	VPTERNLOGQ(Imm(0x96), low.AsX(), high.AsX(), x)
	JMP(LabelRef("left16"))
	Label("small")
	load(Mem{Base: p}, x)
	VPXOR(first, x, x)
	ADDQ(Imm(16), p)
	SUBQ(Imm(16), n)

	Label("left16")
	kx, l, h := k.AsX(), low.AsX(), high.AsX()
	VMOVDQU(c.byLanes.Offset(32), kx)
	SUBQ(Imm(16), n)
	JB(LabelRef("bytes"))
	Label("blocks16")
	VPCLMULQDQ(Imm(0x00), kx, x, l)
	VPCLMULQDQ(Imm(0x11), kx, x, h)
	load(Mem{Base: p}, x)
	VPTERNLOGQ(Imm(0x96), l, h, x)
	ADDQ(Imm(16), p)
	SUBQ(Imm(16), n)
	JAE(LabelRef("blocks16"))
	Label("bytes")
	ADDQ(Imm(16), n)
	JE(LabelRef("reduce"))
	// The first n bytes of x are folded; what is behind them and the n bytes that are left make a whole block.
	at, mask, rest, end := GP64(), XMM(), XMM(), XMM()
	LEAQ(c.toEnd, at)
	VMOVDQU(Mem{Base: at, Index: n, Scale: 1}, mask)
	LEAQ(c.toStart, at)
	VMOVDQU(Mem{Base: at, Index: n, Scale: 1}, rest)
	VPSHUFB(rest, x, rest)
	load(Mem{Base: p, Index: n, Scale: 1, Disp: -16}, end)
	VPBLENDVB(mask, rest, end, end)
	VPSHUFB(mask, x, x)
	VPCLMULQDQ(Imm(0x00), kx, x, l)
	VPCLMULQDQ(Imm(0x11), kx, x, h)
	VPTERNLOGQ(Imm(0x96), l, h, end)
	VMOVDQA64(end, x)

	Label("reduce")
	VPCLMULQDQ(Imm(0x10), kx, x, l) // 128 bits to 96
	VPSRLDQ(Imm(8), x, x)
	VPXOR(l, x, x)
	VMOVDQU(c.half, h)
	VPSRLDQ(Imm(4), x, l) // to 64
	VPAND(h, x, x)
	VPCLMULQDQ(Imm(0x00), c.by64, x, x)
	VPXOR(l, x, x)
	VPAND(h, x, l) // to 32, after Barrett
	VPCLMULQDQ(Imm(0x10), c.barrett, l, l)
	VPAND(h, l, l)
	VPCLMULQDQ(Imm(0x00), c.barrett, l, l)
	VPXOR(l, x, x)
	VPEXTRD(Imm(1), x, sum)
	Store(sum, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
