package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// sequence writes int64 values, eight at a time. As in copy512, the first and the last eight overlap those between, whose
// stores are aligned. Streamed stores pass by the caches; none may go to a line that is in them, which is slow, so that there
// the first and the last eight write no more than the parts of lines that are left to them. It takes Fence to end them.
type sequence struct {
	dst, n, stream GPVirtual
	v              VecVirtual      // where first, last and next leave eight values
	first          func()          // the first eight
	few            func(k Op)      // the first n, n < 8, which are the bits of k
	last           func()          // the last eight
	skip           func(GPVirtual) // lets next begin behind so many values
	next           func()          // eight values, and goes on
	done           func()          // at the end
}

// write ends the function.
func (s sequence) write() {
	end, skip, k := GP64(), GP64(), K()
	CMPQ(s.n, Imm(8))
	JB(LabelRef("few"))
	LEAQ(Mem{Base: s.dst, Index: s.n, Scale: 8, Disp: -64}, end)
	MOVQ(s.dst, skip)
	NEGQ(skip)
	ANDQ(Imm(63), skip)
	SHRQ(Imm(3), skip)
	TESTB(s.stream.As8(), s.stream.As8())
	JE(LabelRef("cached"))
	TESTQ(U32(7), s.dst) // no whole values lead to a boundary
	JNE(LabelRef("cached"))

	s.first()
	low(skip, k)
	VMOVDQU64(s.v, k, Mem{Base: s.dst})
	s.last()
	left := GP64()
	MOVQ(s.n, left)
	SUBQ(skip, left)
	DECQ(left)
	ANDQ(Imm(7), left)
	XORQ(Imm(7), left) // of the last eight so many are in the line before
	low(left, k)
	KNOTB(k, k)
	VMOVDQU64(s.v, k, Mem{Base: end})
	s.toBoundary(skip)
	s.blocks("streamed", end, VMOVNTDQ)
	s.end()

	Label("cached")
	s.first()
	VMOVDQU64(s.v, Mem{Base: s.dst})
	s.last()
	VMOVDQU64(s.v, Mem{Base: end})
	s.toBoundary(skip)
	s.blocks("stored", end, func(v, m Op) { VMOVDQU64(v, m) })
	s.end()

	Label("few")
	low(s.n, k)
	s.few(k)
	VMOVDQU64(s.v, k, Mem{Base: s.dst})
	s.end()
}

func (s sequence) end() {
	s.done()
	VZEROUPPER()
	RET()
}

func (s sequence) toBoundary(skip GPVirtual) {
	LEAQ(Mem{Base: s.dst, Index: skip, Scale: 8}, s.dst)
	s.skip(skip)
}

// low sets the n low bits of k, n <= 8.
func low(n GPVirtual, k Op) {
	bits := GP32()
	MOVL(I32(-1), bits)
	BZHIL(n.As32(), bits, bits)
	KMOVB(bits, k)
}

// fence is what makes streamed stores as good as others, in the eyes of other threads too.
func fence() {
	text("fence", "func()")
	Doc("fence waits for the streamed stores before it.")
	SFENCE()
	RET()
}

func (s sequence) blocks(name string, end Register, store func(v, m Op)) {
	loop, ends := fmt.Sprint(name, "Loop"), fmt.Sprint(name, "Ends")
	CMPQ(s.dst, end)
	JAE(LabelRef(ends))
	Label(loop)
	s.next()
	store(s.v, Mem{Base: s.dst})
	ADDQ(Imm(64), s.dst)
	CMPQ(s.dst, end)
	JB(LabelRef(loop))
	Label(ends)
}

func gp(param string) GPVirtual { return Load(Param(param), GP64()).(GPVirtual) }

func streamed() GPVirtual {
	r := GP64()
	Load(Param("stream"), r.As8())
	return r
}

// widen512 turns values into positions, and compares each with its successor on the way: the stores leave time for that.
func widen512() {
	text("widen512", "func(dst *int64, src *byte, n int, base int64, stream bool) bool")
	Doc("widen512 writes base + each of n > 0 uint16 values, and tells whether they strictly ascend.")
	dst, src, n, b, stream := gp("dst"), gp("src"), gp("n"), gp("base"), streamed()
	base, v, bad, fall := ZMM(), ZMM(), K(), K()
	a, next, inner := XMM(), XMM(), K()
	VPBROADCASTQ(b, base)
	widen := func() {
		VPMOVZXWQ(a, v)
		VPADDQ(base, v, v)
	}
	compare := func(among Op) {
		VPCMPUW(Imm(5), next, a, among, fall) // value >= successor
		KORB(fall, bad, bad)
	}
	// within compares the first pairs of a, seven of eight values or one fewer than n.
	within := func() {
		VPSRLDQ(Imm(2), a, next)
		compare(inner)
	}
	seven := GP32()
	sequence{
		dst: dst, n: n, stream: stream, v: v,
		first: func() {
			MOVL(U32(0x7F), seven)
			KMOVB(seven, inner)
			KXORB(bad, bad, bad)
			VMOVDQU(Mem{Base: src}, a)
			within()
			widen()
		},
		few: func(k Op) {
			VMOVDQU16_Z(Mem{Base: src}, k, a)
			KSHIFTRB(Imm(1), k, inner)
			KXORB(bad, bad, bad)
			within()
			widen()
		},
		last: func() {
			VMOVDQU(Mem{Base: src, Index: n, Scale: 2, Disp: -16}, a)
			within()
			widen()
		},
		skip: func(by GPVirtual) { LEAQ(Mem{Base: src, Index: by, Scale: 2}, src) },
		next: func() {
			VMOVDQU(Mem{Base: src}, a)
			VMOVDQU(Mem{Base: src, Disp: 2}, next)
			VPCMPUW(Imm(5), next, a, fall)
			KORB(fall, bad, bad)
			widen()
			ADDQ(Imm(16), src)
		},
		done: func() {
			KORTESTB(bad, bad)
			SETEQ(retByte())
		},
	}.write()
}

// count512 writes one run of positions.
func consecutive512() {
	text("count512", "func(dst *int64, n int, first int64, stream bool)")
	Doc("count512 writes n > 0 consecutive numbers.")
	dst, n, first, stream := gp("dst"), gp("n"), gp("first"), streamed()
	now, step, v := ZMM(), ZMM(), ZMM()
	eight, tail := GP64(), GP64()
	MOVQ(U32(8), eight)
	VPBROADCASTQ(eight, step)
	numbers := iota64()
	VPMOVZXBQ(numbers.AsX(), numbers)
	begin := func(r Op) {
		VPBROADCASTQ(r, now)
		VPADDQ(numbers, now, now)
		VMOVDQA64(now, v)
	}
	sequence{
		dst: dst, n: n, stream: stream, v: v,
		first: func() { begin(first) },
		few:   func(Op) { begin(first) },
		last: func() {
			LEAQ(Mem{Base: first, Index: n, Scale: 1, Disp: -8}, tail)
			begin(tail)
		},
		skip: func(by GPVirtual) {
			ADDQ(by, first)
			begin(first)
			VPSUBQ(step, now, now)
		},
		next: func() {
			VPADDQ(step, now, now)
			VMOVDQA64(now, v)
		},
		done: func() {},
	}.write()
}
