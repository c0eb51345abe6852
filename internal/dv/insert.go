package dv

import (
	"encoding/binary"

	"github.com/libdv/libdv/internal/kernel"
)

// insert adds one value and tells whether it is new. The form of the container changes as in other
// roaring libraries: an array of more than 4,096 values becomes a bitmap, one with all values a
// run, and runs what is smallest.
func (s *slot) insert(value uint32) bool {
	switch {
	case s.kind == bitmapKind:
		return s.insertBit(value)
	case s.kind == runKind:
		return s.insertRun(value)
	default:
		return s.insertValue(value)
	}
}

func (s *slot) insertBit(value uint32) bool {
	if s.data[value>>3]>>(value&7)&1 != 0 {
		return false
	}
	s.open(len(s.data), 0)
	s.data[value>>3] |= 1 << (value & 7)
	if s.card++; s.full() {
		*s = slot{container: fullContainer(s.key)}
	}
	return true
}

func (s *slot) insertValue(value uint32) bool {
	n := len(s.data) / 2
	i := n
	if u16at(s.data, n-1) >= value {
		if i = arraySearch(s.data, value); u16at(s.data, i) == value {
			return false
		}
	}
	if n == arrayMax {
		bm := new(kernel.Bitmap)
		s.setBits(bm)
		*s = slot{container: container{data: bm[:], key: s.key, card: s.card, kind: bitmapKind}, own: true}
		return s.insertBit(value)
	}
	s.open(2*i, 2)
	binary.LittleEndian.PutUint16(s.data[2*i:], uint16(value))
	s.card++
	return true
}

func (s *slot) insertRun(value uint32) bool {
	n := len(s.data) / 4
	i := runSearch(s.data, value) // the first run that does not end before the value
	longer, earlier := false, false
	if i > 0 {
		_, last := runAt(s.data, i-1)
		longer = last+1 == value
	}
	if i < n {
		first, _ := runAt(s.data, i)
		if first <= value {
			return false
		}
		earlier = first == value+1
	}
	switch {
	case longer && earlier:
		first, _ := runAt(s.data, i-1)
		_, last := runAt(s.data, i)
		s.open(len(s.data), 0)
		s.data = append(s.data[:4*i], s.data[4*i+4:]...)
		s.putRun(i-1, first, last)
	case longer:
		first, _ := runAt(s.data, i-1)
		s.open(len(s.data), 0)
		s.putRun(i-1, first, value)
	case earlier:
		_, last := runAt(s.data, i)
		s.open(len(s.data), 0)
		s.putRun(i, value, last)
	default:
		s.open(4*i, 4)
		s.putRun(i, value, value)
	}
	s.card++
	if runs := len(s.data) / 4; smallestOf(s.card, runs) != runKind {
		*s = slot{container: convert(&s.container, smallestOf(s.card, runs), runs), own: true}
	}
	return true
}

func (s *slot) putRun(i int, first, last uint32) {
	binary.LittleEndian.PutUint32(s.data[4*i:], first|(last-first)<<16)
}

// open makes the payload one that may be written, with n more bytes from at on.
func (s *slot) open(at, n int) {
	size := len(s.data)
	if s.own && size+n <= cap(s.data) {
		s.data = s.data[:size+n]
		copy(s.data[at+n:], s.data[at:size])
		return
	}
	spare := 0
	if s.kind != bitmapKind {
		spare = size/4 + 16
	}
	opened := make([]byte, size+n, size+n+spare)
	copy(opened, s.data[:at])
	copy(opened[at+n:], s.data[at:])
	s.data, s.own = opened, true
}
