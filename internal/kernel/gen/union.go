package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// table64 holds a vector of 32 lanes in memory.
func table64(name string, lane func(i int) uint16) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i := range 32 {
		DATA(2*i, U16(lane(i)))
	}
	return m
}

// union512 merges 32 values a turn in a bitonic network: of the 64 in hand the lower 32 go
// out, the upper 32 stay, and the input whose next value is smaller gives the next 32. The
// last block of each input is a copy, filled up.
func union512() {
	reverse := table64("reverse32", func(i int) uint16 { return uint16(31 - i) })
	// Lane i of a value's predecessors is lane i-1; lane 0 is the last of the block before.
	before := table64("before32", func(i int) uint16 { return uint16(31 + i) })

	text("union512", "func(dst, a *byte, na int, b *byte, nb int) (n, adjacent int)")
	Doc("union512 merges na and nb > 0 ascending uint16 values, counts the distinct ones, and those of them that are their predecessor + 1.",
		"Where 65535 is not the last of both, it may be counted though it is in neither. dst has room for 96 values more than both.")
	dst, in := gp("dst"), newUnionInputs(32)
	x, n := in.x, in.n
	rev, shift, one := ZMM(), ZMM(), ZMM()
	VMOVDQU64(reverse, rev)
	VMOVDQU64(before, shift)
	adjacent, k := GP64(), K()
	MOVL(U32(1), x.As32())
	VPBROADCASTW(x.As32(), one)
	upper := upperLanes()
	last, low, high, fresh := ZMM(), ZMM(), ZMM(), ZMM()
	VPTERNLOGD(Imm(0xFF), last, last, last)
	XORQ(adjacent, adjacent)

	// partial loads up to 32 values and fills up.
	partial := func(from, count GPVirtual, v VecVirtual) {
		MOVL(U32(0xFFFFFFFF), x.As32())
		BZHIL(count.As32(), x.As32(), x.As32())
		KMOVD(x.As32(), k)
		VMOVDQA64(last, v)
		VMOVDQU16(Mem{Base: from}, k, v)
	}
	CMPQ(in.na, Imm(32))
	JA(LabelRef("long"))
	CMPQ(in.nb, Imm(32))
	JA(LabelRef("long"))
	MOVL(U32(1), in.blocks.As32())
	partial(in.a, in.na, high)
	partial(in.b, in.nb, fresh)
	JMP(LabelRef("merge"))

	Label("long")
	in.begin(func(_ string, count, pad GPVirtual) {
		partial(in.y, count, low)
		VMOVDQU64(low, Mem{Base: pad})
	})
	take := func(v VecVirtual) { in.take(func(from Mem) { VMOVDQU64(from, v) }) }
	swapped, packed := ZMM(), ZMM()
	emit := func(v VecVirtual) { // the values that differ from their predecessor
		VMOVDQA64(shift, swapped)
		VPERMI2W(v, last, swapped)
		VPCMPUW(Imm(4), swapped, v, k)
		VMOVDQA64(v, last)
		VPCOMPRESSW_Z(v, k, packed)
		VMOVDQU64(packed, Mem{Base: dst})
		KMOVD(k, n.As32())
		POPCNTL(n.As32(), n.As32())
		LEAQ(Mem{Base: dst, Index: n, Scale: 2}, dst)
		VPADDUSW(one, swapped, swapped)
		VPCMPEQW(swapped, v, k, k)
		KMOVD(k, n.As32())
		POPCNTL(n.As32(), n.As32())
		ADDQ(n, adjacent)
	}
	take(high)
	Label("loop")
	DECQ(in.blocks)
	take(fresh)
	Label("merge")
	VPERMW(fresh, rev, fresh)
	VPMINUW(high, fresh, low)
	VPMAXUW(high, fresh, high)
	for i, distance := range []int{16, 8, 4, 2, 1} {
		for _, v := range []VecVirtual{low, high} {
			swapLanes(distance, v, swapped)
			VPMINUW(swapped, v, packed)
			VPMAXUW(swapped, v, upper[i], packed)
			VMOVDQA64(packed, v)
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
	VZEROUPPER()
	RET()
}

// upperLanes gives, for distances 16 to 1, the lanes that take the larger value.
func upperLanes() (masks []OpmaskVirtual) {
	g := GP32()
	for _, m := range []uint32{0xFFFF0000, 0xFF00FF00, 0xF0F0F0F0, 0xCCCCCCCC, 0xAAAAAAAA} {
		k := K()
		MOVL(U32(m), g)
		KMOVD(g, k)
		masks = append(masks, k)
	}
	return masks
}

// swapLanes exchanges each lane with the one at a distance.
func swapLanes(distance int, v, out VecVirtual) {
	switch distance {
	case 16:
		VSHUFI64X2(Imm(0x4E), v, v, out)
	case 8:
		VSHUFI64X2(Imm(0xB1), v, v, out)
	case 4:
		VPSHUFD(Imm(0x4E), v, out)
	case 2:
		VPSHUFD(Imm(0xB1), v, out)
	case 1:
		VPROLD(Imm(16), v, out)
	}
}
