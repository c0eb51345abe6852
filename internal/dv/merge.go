package dv

import (
	"encoding/binary"
	"sync"

	"github.com/libdv/libdv/internal/kernel"
)

// uniter is what the unions of one merge share.
type uniter struct {
	arena
	kernel.Merger
}

// uniters are kept because they are large; the rest of an arena is as good as a new one.
var uniters = sync.Pool{New: func() any { return new(uniter) }}

// add puts the values of c into a settled slot, in place where that can be, and returns how
// many are new.
func (u *uniter) add(s *slot, c *container) int64 {
	before := s.card
	switch {
	case s.full():
	case s.own && s.kind == bitmapKind && !c.full():
		s.bm = nil
		s.addBits(c)
	default:
		*s = slot{container: u.union(&s.container, c), own: true}
	}
	return int64(s.card) - int64(before)
}

// addBits adds the values of c to a bitmap that nobody else has.
func (s *slot) addBits(c *container) {
	bitmap := asBitmap(s.data)
	if c.kind == bitmapKind {
		s.card = uint32(kernel.Or(bitmap, bitmap, asBitmap(c.data)))
		return
	}
	c.setBits(bitmap)
	s.card = uint32(kernel.Popcount(bitmap))
}

// union gives the values of a or b, which share a key.
func (u *uniter) union(a, b *container) container {
	switch {
	case a.full() || b.full():
		return fullContainer(a.key)
	case a.kind == arrayKind && b.kind == arrayKind:
		if a.card+b.card <= arrayMax {
			return u.arrays(a, b)
		}
	case a.kind == runKind && b.kind == runKind:
		return u.runs(a.key, a.data, b.data)
	case a.kind == runKind && b.kind == arrayKind:
		return u.runs(a.key, a.data, asRuns(b.data))
	case a.kind == arrayKind && b.kind == runKind:
		return u.runs(a.key, asRuns(a.data), b.data)
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

// asRuns makes a run of every value.
func asRuns(values []byte) []byte {
	out := make([]byte, 0, 2*len(values))
	for ; len(values) >= 2; values = values[2:] {
		out = append(out, values[0], values[1], 0, 0)
	}
	return out
}

// runs merges runs and gives the smallest form.
func (u *uniter) runs(key uint64, a, b []byte) container {
	out := u.take(len(a)+len(b), arenaChunk)
	n, values := kernel.UnionRuns(out, a, b)
	c := container{data: out[:n:n], key: key, card: uint32(values), kind: runKind}
	if to := smallestOf(c.card, n/4); to != runKind {
		return convert(&c, to, n/4)
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
