package main

import (
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// unionInputs hands out the blocks of two ascending inputs in the order of their first values. The last block of each is a
// copy, filled up.
type unionInputs struct {
	a, b, na, nb GPVirtual
	size         int       // bytes of a block
	blocks       GPVirtual // how many there are in both
	x, y, n      GPVirtual // for everybody's use in between

	padA, padB, beyond, from GPVirtual
	ends, stopB              Mem
}

func newUnionInputs(values int) *unionInputs {
	return &unionInputs{
		a: gp("a"), na: gp("na"), b: gp("b"), nb: gp("nb"), size: 2 * values,
		blocks: GP64(), x: GP64(), y: GP64(), n: GP64(),
		padA: GP64(), padB: GP64(), beyond: GP64(), from: GP64(),
	}
}

// begin counts the blocks and has fill copy the last ones: count values from y on.
func (in *unionInputs) begin(fill func(name string, count, pad GPVirtual)) {
	shift := Imm(uint64(bits.TrailingZeros(uint(in.size / 2))))
	pads := AllocLocal(2*in.size + 8)
	in.ends, in.stopB = AllocLocal(2*8), AllocLocal(8)
	LEAQ(pads, in.padA)
	LEAQ(pads.Offset(in.size), in.padB)
	MOVL(U32(0x10000), in.beyond.As32())
	XORQ(in.blocks, in.blocks)
	for i, one := range []struct {
		name             string
		from, count, pad GPVirtual
	}{{"A", in.a, in.na, in.padA}, {"B", in.b, in.nb, in.padB}} {
		LEAQ(Mem{Base: one.count, Disp: -1}, in.y) // the blocks before the last
		SHRQ(shift, in.y)
		LEAQ(Mem{Base: in.blocks, Index: in.y, Scale: 1, Disp: 1}, in.blocks)
		SHLQ(shift, in.y)
		SUBQ(in.y, one.count)
		LEAQ(Mem{Base: one.from, Index: in.y, Scale: 2}, in.y)
		MOVQ(in.y, in.ends.Offset(8*i))
		fill(one.name, one.count, one.pad)
	}
	LEAQ(pads.Offset(2*in.size), in.y)
	MOVQ(in.y, in.stopB)
}

// take has load read the next block, without a branch: it would be mispredicted every other time.
func (in *unionInputs) take(load func(from Mem)) {
	in.value(in.a, in.padA, in.ends, in.padB, in.x)
	in.value(in.b, in.padB, in.ends.Offset(8), in.stopB, in.y)
	CMPQ(in.x, in.y)
	MOVQ(in.b, in.from)
	CMOVQLS(in.a, in.from)
	load(Mem{Base: in.from})
	SETLS(in.n.As8())
	MOVBQZX(in.n.As8(), in.n)
	SHLQ(Imm(uint64(bits.TrailingZeros(uint(in.size)))), in.n)
	ADDQ(in.n, in.a)
	XORQ(Imm(uint64(in.size)), in.n)
	ADDQ(in.n, in.b)
}

// value gives an input's next value, and beyond its end one that is larger than any.
func (in *unionInputs) value(p, pad GPVirtual, end, stop Op, value GPVirtual) {
	CMPQ(p, end)
	CMOVQEQ(pad, p)
	MOVWQZX(Mem{Base: p}, value)
	CMPQ(p, stop)
	CMOVQEQ(in.beyond, value)
}
