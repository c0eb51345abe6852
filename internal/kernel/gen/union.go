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

	TEXT("union512", NOSPLIT, "func(dst, a *byte, na int, b *byte, nb int, rest *byte) (i, j, n int)")
	Doc("union512 merges ascending uint16 values, na and nb of them, both at least 32, as long as both have 32 left.",
		"It returns the values read of a and b and those written, which are distinct; 32 more, ascending, are at rest.",
		"dst has room for na + nb + 32; what is written after the result is scratch.")
	dst := Load(Param("dst"), GP64())
	a := Load(Param("a"), GP64())
	b := Load(Param("b"), GP64())
	stopA, stopB := lastBlock(a, "na"), lastBlock(b, "nb")
	startA, startB, start := GP64(), GP64(), GP64()
	MOVQ(a, startA)
	MOVQ(b, startB)
	MOVQ(dst, start)
	rev, shift := ZMM(), ZMM()
	VMOVDQU64(reverse, rev)
	VMOVDQU64(before, shift)
	upper := upperLanes()
	last, low, high, fresh := ZMM(), ZMM(), ZMM(), ZMM()
	VPTERNLOGD(Imm(0xFF), last, last, last) // 65535 is no smallest value of 32
	VMOVDQU64(Mem{Base: a}, high)
	ADDQ(Imm(64), a)
	VMOVDQU64(Mem{Base: b}, fresh)
	ADDQ(Imm(64), b)
	x, y, n, k := GP64(), GP64(), GP64(), K()
	swapped, packed := ZMM(), ZMM()

	Label("loop")
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
	// Out go the values that differ from their predecessor.
	VMOVDQA64(shift, swapped)
	VPERMI2W(low, last, swapped)
	VPCMPUW(Imm(4), swapped, low, k)
	VMOVDQA64(low, last)
	VPCOMPRESSW_Z(low, k, packed)
	VMOVDQU64(packed, Mem{Base: dst})
	KMOVD(k, n.As32())
	POPCNTL(n.As32(), n.As32())
	LEAQ(Mem{Base: dst, Index: n, Scale: 2}, dst)
	CMPQ(a, stopA)
	JA(LabelRef("done"))
	CMPQ(b, stopB)
	JA(LabelRef("done"))
	// Without a branch: it would be mispredicted every other time.
	MOVWQZX(Mem{Base: a}, x)
	MOVWQZX(Mem{Base: b}, y)
	CMPQ(x, y)
	from := GP64()
	MOVQ(b, from)
	CMOVQLS(a, from)
	VMOVDQU64(Mem{Base: from}, fresh)
	SETLS(n.As8())
	MOVBQZX(n.As8(), n)
	SHLQ(Imm(6), n)
	ADDQ(n, a)
	XORQ(Imm(64), n)
	ADDQ(n, b)
	JMP(LabelRef("loop"))

	Label("done")
	VMOVDQU64(high, Mem{Base: Load(Param("rest"), GP64())})
	for i, span := range [][2]Register{{a, startA}, {b, startB}, {dst, start}} {
		SUBQ(span[1], span[0])
		SHRQ(Imm(1), span[0])
		Store(span[0], ReturnIndex(i))
	}
	VZEROUPPER()
	RET()
}

// lastBlock is the last place where 32 values begin.
func lastBlock(p Register, count string) Register {
	stop, n := GP64(), Load(Param(count), GP64())
	LEAQ(Mem{Base: p, Index: n, Scale: 2, Disp: -64}, stop)
	return stop
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
