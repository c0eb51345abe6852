package dv

import (
	"encoding/binary"

	"github.com/libdv/libdv/internal/kernel"
)

// add puts the values of c into a settled slot, in place where that can be, and returns how
// many are new.
func (a *arena) add(s *slot, c *container) int64 {
	before := s.card
	switch {
	case s.full():
	case s.own && s.kind == bitmapKind && !c.full():
		s.bm = nil
		s.addBits(c)
	default:
		var both container
		both.union(a.room(unionRoom(&s.container, c), arenaChunk), &s.container, c)
		if &both.data[0] != &fullRun[0] {
			both.data = a.take(len(both.data), arenaChunk)
		}
		*s = slot{container: both, own: true}
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

// unionRoom is how many bytes union needs.
func unionRoom(a, b *container) int {
	switch {
	case a.kind == arrayKind && b.kind == arrayKind:
		if n := len(a.data) + len(b.data); n <= 2*arrayMax {
			return n + kernel.UnionSpare
		}
	case a.kind == runKind && b.kind != bitmapKind || a.kind != bitmapKind && b.kind == runKind:
		return 2*(len(a.data)+len(b.data)) + 4 // every value of an array as a run; an array may be a little larger than runs
	}
	return bitmapBytes
}

// union makes c the values of a or b, which share a key, in dst, which has unionRoom bytes, and
// tells whether their form is the smallest.
func (c *container) union(dst []byte, a, b *container) (smallest bool) {
	switch {
	case a.full() || b.full():
		*c = fullContainer(a.key)
	case a.kind == arrayKind && b.kind == arrayKind && a.card+b.card <= arrayMax:
		n, runs := kernel.Union(dst, a.data, b.data)
		c.data, c.key, c.card, c.kind = dst[:n:n], a.key, uint32(n/2), arrayKind
		return smallestOf(c.card, runs) == arrayKind
	case a.kind == runKind && b.kind == runKind:
		c.unionOfRuns(dst, a.key, a.data, b.data)
	case a.kind == runKind && b.kind == arrayKind:
		c.unionOfRuns(dst, a.key, a.data, asRuns(b.data))
	case a.kind == arrayKind && b.kind == runKind:
		c.unionOfRuns(dst, a.key, asRuns(a.data), b.data)
	default:
		*c = unionOfBits(asBitmap(dst[:bitmapBytes]), a, b)
		return isSmallest(c)
	}
	return true
}

// unionOfBits makes a bitmap, or an array where both are no more.
func unionOfBits(bm *kernel.Bitmap, a, b *container) container {
	if a.kind != bitmapKind {
		a, b = b, a
	}
	switch {
	case a.kind == bitmapKind && b.kind == bitmapKind:
		card := kernel.Or(bm, asBitmap(a.data), asBitmap(b.data))
		return container{data: bm[:], key: a.key, card: uint32(card), kind: bitmapKind}
	case a.kind == bitmapKind:
		copy(bm[:], a.data)
	default:
		clear(bm[:])
		a.setBits(bm)
	}
	b.setBits(bm)
	c := fromBits(a.key, bm)
	if c.kind == arrayKind {
		c.data = bm[:copy(bm[:], c.data)]
	}
	return c
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

// asRuns makes a run of every value.
func asRuns(values []byte) []byte {
	out := make([]byte, 0, 2*len(values))
	for ; len(values) >= 2; values = values[2:] {
		out = append(out, values[0], values[1], 0, 0)
	}
	return out
}

// unionOfRuns merges runs and gives the smallest form.
func (c *container) unionOfRuns(dst []byte, key uint64, a, b []byte) {
	n, values := kernel.UnionRuns(dst, a, b)
	c.data, c.key, c.card, c.kind = dst[:n:n], key, uint32(values), runKind
	if to := smallestOf(c.card, n/4); to != runKind {
		*c = convert(c, to, n/4)
		c.data = dst[:copy(dst, c.data)]
	}
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
