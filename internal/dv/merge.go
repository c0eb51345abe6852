package dv

import (
	"sync"

	"encoding/binary"

	"github.com/libdv/libdv/internal/kernel"
)

// uniter is what the unions of one merge share.
type uniter struct {
	arena
	kernel.Merger
}

// uniters are kept because they are large; the rest of an arena is as good as a new one.
var uniters = sync.Pool{New: func() any { return new(uniter) }}

// union gives the values of a or b, which share a key.
func (u *uniter) union(a, b *container) container {
	switch {
	case a.full() || b.full():
		return fullContainer(a.key)
	case a.kind == arrayKind && b.kind == arrayKind:
		if a.card+b.card <= arrayMax {
			return u.arrays(a, b)
		}
	case a.kind != bitmapKind && b.kind != bitmapKind:
		return unionRanges(a, b)
	case a.kind == bitmapKind && b.kind == bitmapKind:
		out := new(kernel.Bitmap)
		card := kernel.Or(out, asBitmap(a.data), asBitmap(b.data))
		return container{data: out[:], key: a.key, card: uint32(card), kind: bitmapKind}
	}
	var bm kernel.Bitmap
	a.setBits(&bm)
	b.setBits(&bm)
	return fromBits(a.key, &bm)
}

// difference gives the values of a that are not in b.
func difference(a, b *container) container {
	switch {
	case b.full():
		return container{key: a.key, data: []byte{}}
	case a.kind == arrayKind:
		return filterArray(a, b)
	}
	var bm kernel.Bitmap
	a.setBits(&bm)
	b.clearBits(&bm)
	c := fromBits(a.key, &bm)
	if a.kind == runKind {
		if to, runs := smallest(&c); to != c.kind && c.card > 0 {
			return convert(&c, to, runs)
		}
	}
	return c
}

func (u *uniter) arrays(a, b *container) container {
	both := u.Union(a.data, b.data)
	c := container{data: u.take(len(both), arenaChunk), key: a.key, card: uint32(len(both) / 2), kind: arrayKind}
	copy(c.data, both)
	return c
}

// ranges walks an array or a run container as ascending ranges.
type ranges struct {
	c *container
	i int
}

func (r *ranges) next() (first, last uint32, ok bool) {
	if r.c.kind == arrayKind {
		if r.i == len(r.c.data)/2 {
			return 0, 0, false
		}
		first = u16at(r.c.data, r.i)
		r.i++
		return first, first, true
	}
	if r.i == len(r.c.data)/4 {
		return 0, 0, false
	}
	first, last = runAt(r.c.data, r.i)
	r.i++
	return first, last, true
}

func (r *ranges) left() int {
	if r.c.kind == arrayKind {
		return len(r.c.data) / 2
	}
	return len(r.c.data) / 4
}

// unionRanges merges arrays and runs range by range and gives the smallest form.
func unionRanges(a, b *container) container {
	x, y := ranges{c: a}, ranges{c: b}
	w := runWriter{dst: make([]byte, 4*(x.left()+y.left()))}
	xf, xl, xok := x.next()
	yf, yl, yok := y.next()
	for xok || yok {
		if xok && (!yok || xf <= yf) {
			w.add(xf, xl)
			xf, xl, xok = x.next()
		} else {
			w.add(yf, yl)
			yf, yl, yok = y.next()
		}
	}
	w.flush()
	c := container{data: w.dst[:w.n:w.n], key: a.key, kind: runKind}
	for i := range w.n / 4 {
		first, last := runAt(c.data, i)
		c.card += last - first + 1
	}
	if to, runs := smallest(&c); to != runKind {
		return convert(&c, to, runs)
	}
	return c
}

func filterArray(a, b *container) container {
	out := make([]byte, len(a.data))
	n := 0
	for i := range len(a.data) / 2 {
		value := u16at(a.data, i)
		binary.LittleEndian.PutUint16(out[n:], uint16(value))
		if !b.contains(value) {
			n += 2
		}
	}
	return container{data: out[:n:n], key: a.key, card: uint32(n / 2), kind: arrayKind}
}

// fromBits makes an array or a bitmap container, which then keeps bm.
func fromBits(key uint64, bm *kernel.Bitmap) container {
	card := kernel.Popcount(bm)
	if card > arrayMax {
		return container{data: bm[:], key: key, card: uint32(card), kind: bitmapKind}
	}
	out := make([]byte, 2*card)
	kernel.Values(out, bm)
	return container{data: out, key: key, card: uint32(card), kind: arrayKind}
}
