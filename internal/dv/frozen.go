package dv

import "encoding/binary"

// ref is a container of a frozen vector: 16 bytes without a pointer, so that a directory
// costs the collector nothing.
type ref struct {
	keyKind uint64 // container key << 2 | kind
	off     uint32 // of the payload in data
	card    uint32
}

func (r *ref) key() uint64 { return r.keyKind >> 2 }

func (r *ref) kind() kind { return kind(r.keyKind & 3) }

func (v *Vector) refAt(i int) (c container) {
	v.load(i, &c)
	return c
}

// load sets c to container i of a frozen vector. Field by field: a struct that is returned is
// copied in larger pieces than it was written in, for which the processor waits.
func (v *Vector) load(i int, c *container) {
	r := &v.refs[i]
	c.key, c.card, c.kind = r.key(), r.card, r.kind()
	size := bitmapBytes
	switch c.kind {
	case arrayKind:
		size = 2 * int(r.card)
	case runKind:
		size = 4 * v.runsAt(i)
	}
	c.data = v.data[r.off : int(r.off)+size]
}

// runsAt gives the number of runs of run container i of a frozen vector.
func (v *Vector) runsAt(i int) int {
	return int(binary.LittleEndian.Uint16(v.data[v.refs[i].off-2:]))
}

// stored gives the payloads of [lo, hi), lo < hi, with their run counts. Containers that share the
// upper 32 bits of their positions lie one behind the other in a frozen vector.
func (v *Vector) stored(lo, hi int) []byte {
	from := v.refs[lo].off
	if v.refs[lo].kind() == runKind {
		from -= 2
	}
	last := v.refAt(hi - 1)
	return v.data[from : int(v.refs[hi-1].off)+len(last.data)]
}

// countContainers sizes the directory, so that opening costs the same few objects whatever
// the bitmap holds. Each container is backed by bytes that the walk has seen. Where it meets a
// fault, which need not be the first one, it ends: a reading will meet it too.
func countContainers(data []byte) (n int) {
	var w walker
	if w.begin(data, 0) != nil {
		return 0
	}
	for w.bitmaps > 0 {
		last := w.bitmaps == 1
		w.bitmaps--
		if w.nextBitmap() != nil {
			return 0
		}
		n += w.n
		if last {
			break // no need to find its end
		}
		var c container
		for w.i < w.n {
			if w.nextContainer(&c) != nil {
				return 0
			}
		}
	}
	return n
}
