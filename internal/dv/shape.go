package dv

import (
	"encoding/binary"
	"math/bits"

	"github.com/libdv/libdv/internal/kernel"
)

// smallest gives the form in which the container is smallest, and, where that form is runs,
// their number. A run container must be strictly smaller than the array or bitmap: the rule of
// Java's runOptimize on what was added singly, so the bytes depend on the positions alone.
func smallest(c *container) (kind, int) {
	runs := countRuns(c)
	return smallestOf(c.card, runs), runs
}

// isSmallest tells whether the container is in that form, with maximal runs.
func isSmallest(c *container) bool {
	to, runs := smallest(c)
	return to == c.kind && (to != runKind || 4*runs == len(c.data))
}

// smallestOf is smallest for a cardinality and a number of runs.
func smallestOf(card uint32, runs int) kind {
	switch {
	case card <= arrayMax && int(card) < 2*runs+2:
		return arrayKind
	case card > arrayMax && runs > maxRunsAsRun:
		return bitmapKind
	default:
		return runKind
	}
}

// countRuns counts the maximal runs of consecutive values; of a bitmap, as far as they
// matter.
func countRuns(c *container) int {
	switch c.kind {
	case arrayKind:
		return kernel.RunsOfArray(c.data)
	case bitmapKind:
		return kernel.RunsOfBitmap(asBitmap(c.data), maxRunsAsRun)
	default:
		n, next := 0, ^uint32(0)
		for i := range len(c.data) / 4 {
			first, last := runAt(c.data, i)
			if first != next {
				n++
			}
			next = last + 1
		}
		return n
	}
}

// formSize is the size in bytes of a payload, with the run count where there is one.
func formSize(k kind, card uint32, runs int) int {
	switch k {
	case arrayKind:
		return 2 * int(card)
	case bitmapKind:
		return bitmapBytes
	default:
		return 2 + 4*runs
	}
}

// convert gives the same values in another form. runs is their number of maximal runs.
func convert(c *container, to kind, runs int) container {
	out := container{key: c.key, card: c.card, kind: to}
	if to == runKind {
		out.data = make([]byte, 4*runs)
	} else {
		out.data = make([]byte, formSize(to, c.card, runs))
	}
	putForm(out.data, c, to)
	return out
}

// putForm writes the payload of c in the form to; dst has exactly its size, without a run count.
func putForm(dst []byte, c *container, to kind) {
	switch {
	case to == runKind:
		putRuns(dst, c)
	case to == c.kind:
		copy(dst, c.data)
	case to == bitmapKind:
		c.setBits(asBitmap(dst))
	default: // runs to an array
		n := 0
		for i := range len(c.data) / 4 {
			first, last := runAt(c.data, i)
			for value := first; value <= last; value++ {
				binary.LittleEndian.PutUint16(dst[n:], uint16(value))
				n += 2
			}
		}
	}
}

// putRuns writes maximal runs.
func putRuns(dst []byte, c *container) {
	w := runWriter{dst: dst}
	switch c.kind {
	case arrayKind:
		for i := range len(c.data) / 2 {
			value := u16at(c.data, i)
			w.add(value, value)
		}
	case bitmapKind:
		putRunsOfBitmap(&w, c.data)
	default:
		for i := range len(c.data) / 4 {
			w.add(runAt(c.data, i))
		}
	}
	w.flush()
}

// runWriter writes ascending ranges as runs and joins those that touch.
type runWriter struct {
	dst         []byte
	n           int // bytes written
	first, last uint32
	open        bool
}

func (w *runWriter) add(first, last uint32) {
	if w.open && first <= w.last+1 {
		w.last = max(w.last, last)
		return
	}
	w.flush()
	w.first, w.last, w.open = first, last, true
}

func (w *runWriter) flush() {
	if w.open {
		binary.LittleEndian.PutUint32(w.dst[w.n:], w.first|(w.last-w.first)<<16)
		w.n += 4
		w.open = false
	}
}

// putRunsOfBitmap finds where runs begin and end, word by word.
func putRunsOfBitmap(w *runWriter, p []byte) {
	p = p[:bitmapBytes]
	n := 0 // bytes written
	carry := uint64(0)
	begin := uint32(0)
	for i := 0; i < bitmapWords; i++ {
		word := u64at(p, i)
		edges := word ^ (word<<1 | carry) // a bit where membership changes
		carry = word >> 63
		for edges != 0 {
			at := uint32(i*64 + bits.TrailingZeros64(edges))
			edges &= edges - 1
			if p[at>>3]>>(at&7)&1 != 0 {
				begin = at
			} else {
				binary.LittleEndian.PutUint32(w.dst[n:], begin|(at-1-begin)<<16)
				n += 4
			}
		}
	}
	if carry != 0 {
		binary.LittleEndian.PutUint32(w.dst[n:], begin|(containerSpan-1-begin)<<16)
		n += 4
	}
	w.n = n
}

// asBitmap is the payload of a bitmap container as the kernels take it.
func asBitmap(p []byte) *kernel.Bitmap { return (*kernel.Bitmap)(p) }

// setBits adds the container's values to a bitmap.
func (c *container) setBits(dst *kernel.Bitmap) {
	switch c.kind {
	case arrayKind:
		kernel.Set(dst, c.data)
	case bitmapKind:
		kernel.Or(dst, dst, asBitmap(c.data))
	default:
		for i := range len(c.data) / 4 {
			first, last := runAt(c.data, i)
			setBitRange(dst[:], int64(first), int64(last)+1)
		}
	}
}

// clearBits removes the container's values from a bitmap.
func (c *container) clearBits(dst *kernel.Bitmap) {
	switch c.kind {
	case arrayKind:
		for i := range len(c.data) / 2 {
			value := u16at(c.data, i)
			dst[value>>3] &^= 1 << (value & 7)
		}
	case bitmapKind:
		kernel.AndNot(dst, dst, asBitmap(c.data))
	default:
		for i := range len(c.data) / 4 {
			first, last := runAt(c.data, i)
			clearBitRange(dst[:], int64(first), int64(last)+1)
		}
	}
}
