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
// out, the upper 32 stay, and the input whose next value is smaller gives the next 32.
func union512() {
	reverse := table64("reverse32", func(i int) uint16 { return uint16(31 - i) })
	// Lane i of a value's predecessors is lane i-1; lane 0 is the last of the block before.
	before := table64("before32", func(i int) uint16 { return uint16(31 + i) })

	text("union512", "func(dst, a, b *byte, blocks int) int")
	Doc("union512 merges ascending uint16 values in blocks of 32, blocks in all, and returns how many distinct ones it wrote.",
		"Both inputs are filled up with 65535, and one more block of it follows each; dst has room for all of it.")
	dst := Load(Param("dst"), GP64())
	a := Load(Param("a"), GP64())
	b := Load(Param("b"), GP64())
	blocks := Load(Param("blocks"), GP64())
	start := GP64()
	MOVQ(dst, start)
	rev, shift := ZMM(), ZMM()
	VMOVDQU64(reverse, rev)
	VMOVDQU64(before, shift)
	upper := upperLanes()
	last, low, high, fresh := ZMM(), ZMM(), ZMM(), ZMM()
	VPTERNLOGD(Imm(0xFF), last, last, last)
	x, y, from, n, k := GP64(), GP64(), GP64(), GP64(), K()
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
	}
	take := func(v VecVirtual) { // without a branch: it would be mispredicted every other time
		MOVWQZX(Mem{Base: a}, x)
		MOVWQZX(Mem{Base: b}, y)
		CMPQ(x, y)
		MOVQ(b, from)
		CMOVQLS(a, from)
		VMOVDQU64(Mem{Base: from}, v)
		SETLS(n.As8())
		MOVBQZX(n.As8(), n)
		SHLQ(Imm(6), n)
		ADDQ(n, a)
		XORQ(Imm(64), n)
		ADDQ(n, b)
	}
	take(high)
	Label("loop")
	DECQ(blocks)
	JZ(LabelRef("done"))
	take(fresh)
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
	JMP(LabelRef("loop"))
	Label("done")
	emit(high)
	SUBQ(start, dst)
	SHRQ(Imm(1), dst)
	Store(dst, ReturnIndex(0))
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
