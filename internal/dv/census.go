package dv

import (
	"encoding/binary"
	"math/bits"
)

// Census is what a stored bitmap consists of, up to its first fault.
type Census struct {
	Kinds
	Cardinality   int64
	First, Last   int64    // the smallest and the largest position; 0 where there is none
	Bitmaps       int64    // 32-bit bitmaps,
	EmptyBitmaps  int64    // and those of them without a container
	Listed        []Part32 // the first of the bitmaps
	Complete      bool     // the bitmap's end was reached: else everything here counts what is before the fault
	Padding       int64    // zero bytes after the bitmap, in RecordForm
	Smallest      bool     // complete, no bitmap is empty, and RunLengthEncode would change nothing
	Canonical     bool     // the bytes, all of them, are those that this library writes for these positions
	CanonicalSize int64    // how many those are, where complete
}

// Part32 is one 32-bit bitmap.
type Part32 struct {
	Kinds
	Key         uint32 // the upper 32 bits of its positions
	Cookie      uint32 // 12346 or 12347
	Offset      int    // of its key, in what is being read
	Size        int    // in bytes, with its key
	Cardinality int64
	HasOffsets  bool // the offsets of its containers are stored
}

// Kinds counts containers by the form of their payloads.
type Kinds struct{ Array, Bitmap, Run Tally }

// Tally is how many containers there are and the bytes of their payloads.
type Tally struct{ Count, Bytes int64 }

// Containers is how many there are in all.
func (k *Kinds) Containers() int64 { return k.Array.Count + k.Bitmap.Count + k.Run.Count }

func (k *Kinds) of(form kind) *Tally {
	return [...]*Tally{arrayKind: &k.Array, bitmapKind: &k.Bitmap, runKind: &k.Run}[form]
}

func (k *Kinds) add(more *Kinds) {
	for _, form := range []kind{arrayKind, bitmapKind, runKind} {
		t, m := k.of(form), more.of(form)
		t.Count += m.Count
		t.Bytes += m.Bytes
	}
}

// walk checks and counts the bitmap that data begins with and gives where it ends. It lists at
// most the first most of its 32-bit bitmaps.
func (s *Census) walk(data []byte, base, most int) (end int, err error) {
	var w walker
	if err := w.begin(data, base); err != nil {
		return 0, err
	}
	for ; w.bitmaps > 0; w.bitmaps-- {
		p := Part32{Offset: base + w.pos}
		if err := w.nextBitmap(); err != nil {
			return 0, err
		}
		p.Key, p.HasOffsets = w.high, w.offsets != 0
		p.Cookie = uint32(binary.LittleEndian.Uint16(data[w.start:]))
		err := s.part(&w, &p)
		p.Size = base + w.pos - p.Offset
		s.Kinds.add(&p.Kinds)
		s.Cardinality += p.Cardinality
		s.Bitmaps++
		if len(s.Listed) < most {
			s.Listed = append(s.Listed, p)
		}
		if err != nil {
			return 0, err
		}
	}
	return w.pos, nil
}

// part checks and counts the containers of the bitmap whose head w has just read.
func (s *Census) part(w *walker, p *Part32) error {
	var c container
	size, smallRuns := 0, false
	for w.i < w.n {
		if err := w.nextContainer(&c); err != nil {
			return err
		}
		if err := w.check(&c); err != nil {
			return err
		}
		if s.Containers()+p.Containers() == 0 {
			s.First = c.base() + int64(c.first())
		}
		s.Last = c.base() + int64(c.last())
		t := p.of(c.kind)
		t.Count++
		t.Bytes += int64(formSize(c.kind, c.card, len(c.data)/4))
		p.Cardinality += int64(c.card)

		form, runs := smallest(&c)
		if form != c.kind || form == runKind && 4*runs != len(c.data) {
			s.Smallest = false
		}
		size += formSize(form, c.card, runs)
		smallRuns = smallRuns || form == runKind
	}
	if w.n == 0 {
		s.EmptyBitmaps++
		s.Smallest = false
	} else {
		s.CanonicalSize += int64(4 + headSize(w.n, smallRuns) + size)
	}
	// In their smallest form the containers have but one spelling. What is left is the head: the cookie
	// for runs stands where there are runs, and no flag where there is no container.
	if w.flags != 0 != (p.Run.Count > 0) || w.flags != 0 && w.n%8 != 0 && w.data[w.flags+w.n/8]>>(w.n%8) != 0 {
		s.Canonical = false
	}
	s.Canonical = s.Canonical && s.Smallest
	return nil
}

// first gives the smallest value.
func (c *container) first() uint32 {
	if c.kind != bitmapKind {
		return u16at(c.data, 0) // of an array, or where the first run starts
	}
	for i := 0; ; i++ {
		if w := u64at(c.data, i); w != 0 {
			return uint32(i*64 + bits.TrailingZeros64(w))
		}
	}
}
