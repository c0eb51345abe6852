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

func (v *Vector) refAt(i int) container {
	r := &v.refs[i]
	c := container{key: r.key(), card: r.card, kind: kind(r.keyKind & 3)}
	size := bitmapBytes
	switch c.kind {
	case arrayKind:
		size = 2 * int(r.card)
	case runKind:
		size = 4 * int(binary.LittleEndian.Uint16(v.data[r.off-2:]))
	}
	c.data = v.data[r.off : int(r.off)+size]
	return c
}

// freeze checks the bitmap that data begins with and returns a frozen vector over it and
// the number of bytes that the bitmap takes. base is the offset of data in what is being read.
func freeze(data []byte, base int) (*Vector, int, error) {
	if err := BitmapForm.CheckSize(int64(len(data))); err != nil {
		return nil, 0, err
	}
	n, err := countContainers(data, base)
	if err != nil {
		return nil, 0, err
	}
	var w walker
	if err := w.begin(data, base); err != nil {
		return nil, 0, err
	}
	v := &Vector{data: data, refs: make([]ref, 0, n)}
	var c container
	for {
		ok, err := w.next(&c)
		if err != nil {
			return nil, 0, err
		}
		if !ok {
			return v, w.pos, nil
		}
		if err := w.check(&c); err != nil {
			return nil, 0, err
		}
		v.refs = append(v.refs, ref{keyKind: c.key<<2 | uint64(c.kind), off: uint32(w.pos - len(c.data)), card: c.card})
		v.card += int64(c.card)
	}
}

// countContainers sizes the directory, so that opening costs the same few objects whatever
// the bitmap holds. Each container is backed by bytes that the walk has seen.
func countContainers(data []byte, base int) (int, error) {
	var w walker
	if err := w.begin(data, base); err != nil {
		return 0, err
	}
	n := 0
	for w.bitmaps > 0 {
		last := w.bitmaps == 1
		w.bitmaps--
		if err := w.nextBitmap(); err != nil {
			return 0, err
		}
		n += w.n
		if last {
			break // no need to find its end
		}
		var c container
		for w.i < w.n {
			if err := w.nextContainer(&c); err != nil {
				return 0, err
			}
		}
	}
	return n, nil
}
