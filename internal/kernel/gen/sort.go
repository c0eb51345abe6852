package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// sort512 is a bitonic network of 15 steps: groups of 2, 4 .. 32 lanes are made of two sorted
// halves, first each lane with its mirror image, then with those at half the distance and so on.
func sort512() {
	var mirrors []Mem
	for size := 4; size <= 32; size *= 2 {
		mirrors = append(mirrors, table64(fmt.Sprint("mirror", size), func(i int) uint16 { return uint16(i ^ (size - 1)) }))
	}
	text("sort512", "func(p *byte, n int)")
	Doc("sort512 sorts each block of 32 uint16 values among n > 0 at p by itself; the last block may be smaller.")
	p := Load(Param("p"), GP64())
	n := Load(Param("n"), GP64())
	upper := upperLanes() // of distances 16, 8 .. 1
	var mirror []VecVirtual
	for _, m := range mirrors {
		v := ZMM()
		VMOVDQU64(m, v)
		mirror = append(mirror, v)
	}
	v, swapped, low := ZMM(), ZMM(), ZMM()
	exchange := func(distance int) { // v with swapped: the smaller ones go to the lower lanes
		VPMINUW(swapped, v, low)
		VPMAXUW(swapped, v, upper[map[int]int{16: 0, 8: 1, 4: 2, 2: 3, 1: 4}[distance]], low)
		VMOVDQA64(low, v)
	}
	left, k := GP32(), K()
	Label("loop")
	MOVL(U32(0xFFFFFFFF), left)
	bits := GP64()
	MOVQ(n, bits)
	cap32(bits)
	BZHIL(bits.As32(), left, left)
	KMOVD(left, k)
	VPTERNLOGD(Imm(0xFF), v, v, v)
	VMOVDQU16(Mem{Base: p}, k, v)
	swapLanes(1, v, swapped)
	exchange(1)
	for i, size := 0, 4; size <= 32; i, size = i+1, size*2 {
		VPERMW(v, mirror[i], swapped)
		exchange(size / 2)
		for distance := size / 4; distance > 0; distance /= 2 {
			swapLanes(distance, v, swapped)
			exchange(distance)
		}
	}
	VMOVDQU16(v, k, Mem{Base: p})
	ADDQ(Imm(64), p)
	SUBQ(Imm(32), n)
	JA(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// cap32 makes a count at most 32: the lowest byte is what counts.
func cap32(n GPVirtual) {
	most := GP64()
	MOVQ(U32(32), most)
	CMPQ(n, most)
	CMOVQHI(most, n)
}
