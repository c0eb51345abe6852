package main

import (
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// packTable holds, for every set of eight lanes, the shuffle that moves these to the front.
func packTable() Mem {
	table := GLOBL("packLanes", RODATA|NOPTR)
	for set := range 256 {
		at := 16 * set
		for rest := set; rest != 0; rest &= rest - 1 {
			lane := bits.TrailingZeros(uint(rest))
			DATA(at, U16((2*lane+1)<<8|2*lane))
			at += 2
		}
		for ; at < 16*set+16; at += 2 {
			DATA(at, U16(0x8080))
		}
	}
	return table
}

func table16(name string, words ...uint64) Mem {
	table := GLOBL(name, RODATA|NOPTR)
	for i, w := range words {
		DATA(8*i, U64(w))
	}
	return table
}

// union128 is union512 with blocks of eight values.
func union128() {
	packs := packTable()
	reverse := table16("reverse8", 0x09080B0A0D0C0F0E, 0x0100030205040706)
	swapPairs := table16("swapPairs8", 0x0504070601000302, 0x0D0C0F0E09080B0A)

	text("union128", "func(dst, a *byte, na int, b *byte, nb int) (n, adjacent int)")
	Doc("union128 merges na and nb > 0 ascending uint16 values, counts the distinct ones, and those of them that are their predecessor + 1.",
		"Where 65535 is not the last of both, it may be counted though it is in neither. dst has room for 24 values more than both.")
	dst, in := gp("dst"), newUnionInputs(8)
	rev, pairs, ones, one, zero := XMM(), XMM(), XMM(), XMM(), XMM()
	VMOVDQU(reverse, rev)
	VMOVDQU(swapPairs, pairs)
	VPCMPEQW(ones, ones, ones)
	VPSRLW(Imm(15), ones, one)
	VPXOR(zero, zero, zero)
	adjacent, table := GP64(), GP64()
	x, n := in.x, in.n
	LEAQ(packs, table)
	XORQ(adjacent, adjacent)
	last, low, high, fresh, swapped, other := XMM(), XMM(), XMM(), XMM(), XMM(), XMM()
	in.begin(func(name string, count, pad GPVirtual) {
		VMOVDQU(ones, Mem{Base: pad})
		Label("copy" + name)
		MOVWQZX(Mem{Base: in.y, Index: count, Scale: 2, Disp: -2}, x)
		MOVW(x.As16(), Mem{Base: pad, Index: count, Scale: 2, Disp: -2})
		DECQ(count)
		JNZ(LabelRef("copy" + name))
	})
	VMOVDQA(ones, last)
	take := func(v VecVirtual) { in.take(func(from Mem) { VMOVDQU(from, v) }) }
	set := func(v VecVirtual) { // the lanes that are not zero, in n
		VPACKSSWB(zero, v, v)
		VPMOVMSKB(v, n.As32())
	}
	emit := func(v VecVirtual) { // the values that differ from their predecessor
		VPALIGNR(Imm(14), last, v, swapped)
		VPCMPEQW(swapped, v, other)
		VPADDUSW(one, swapped, swapped)
		VPCMPEQW(swapped, v, swapped)
		VPANDN(swapped, other, swapped)
		VMOVDQA(v, last)
		set(swapped)
		POPCNTL(n.As32(), n.As32())
		ADDQ(n, adjacent)
		set(other)
		XORL(U32(0xFF), n.As32())
		MOVQ(n, x)
		SHLQ(Imm(4), x)
		VPSHUFB(Mem{Base: table, Index: x, Scale: 1}, v, other)
		VMOVDQU(other, Mem{Base: dst})
		POPCNTL(n.As32(), n.As32())
		LEAQ(Mem{Base: dst, Index: n, Scale: 2}, dst)
	}
	take(high)
	Label("loop")
	DECQ(in.blocks)
	take(fresh)
	VPSHUFB(rev, fresh, fresh)
	VPMINUW(high, fresh, low)
	VPMAXUW(high, fresh, high)
	for _, stage := range []struct {
		swap  func(v VecVirtual)
		upper uint64
	}{
		{func(v VecVirtual) { VPSHUFD(Imm(0x4E), v, swapped) }, 0xF0},
		{func(v VecVirtual) { VPSHUFD(Imm(0xB1), v, swapped) }, 0xCC},
		{func(v VecVirtual) { VPSHUFB(pairs, v, swapped) }, 0xAA},
	} {
		for _, v := range []VecVirtual{low, high} {
			stage.swap(v)
			VPMINUW(swapped, v, other)
			VPMAXUW(swapped, v, v)
			VPBLENDW(Imm(stage.upper), v, other, v)
		}
	}
	emit(low)
	CMPQ(in.blocks, Imm(1))
	JA(LabelRef("loop"))
	emit(high)
	SUBQ(Load(Param("dst"), x), dst)
	SHRQ(Imm(1), dst)
	Store(dst, ReturnIndex(0))
	Store(adjacent, ReturnIndex(1))
	RET()
}
