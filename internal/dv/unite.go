package dv

import (
	"cmp"
	"math"

	"github.com/libdv/libdv/internal/kernel"
)

// uniteShare is the share of its containers from which on another vector is united with a frozen
// one: all of both is written anew, in one pass. For fewer the vector is thawed.
const uniteShare = 2

// uniteMax is how many bytes may be united: the result takes at most twice as many, with room to
// work in, and its offsets are of 32 bits.
const uniteMax = math.MaxUint32 / 4

// canUnite tells whether uniting v, which holds something, with other is possible and pays.
func (v *Vector) canUnite(other *Vector) bool {
	return !v.changed && other.containers()*uniteShare >= len(v.refs) && len(v.data)+other.payloadBytes() <= uniteMax
}

// payloadBytes is how many bytes the payloads of a settled vector take, with what is between them.
func (v *Vector) payloadBytes() int {
	if !v.changed {
		return len(v.data)
	}
	n := 0
	for i := range v.slots {
		n += len(v.slots[i].data) + 2
	}
	return n
}

// unite makes v, which is frozen, its union with a settled vector.
func (v *Vector) unite(other *Vector) {
	n, m := len(v.refs), other.containers()
	// Mostly both have the same keys. Else it grows.
	size := min(len(v.data)+other.payloadBytes(), max(n, m)*bitmapBytes)
	p := newPacker(n+m, size+kernel.UnionSpare)
	var a, b container
	i, j := 0, 0
	for i < n || j < m {
		switch compareKeys(v, i, other, j) {
		case -1:
			v.load(i, &a)
			p.addCopy(&a)
			i++
		case 1:
			other.loadSettled(j, &b)
			p.addCopy(&b)
			j++
		default:
			v.load(i, &a)
			other.loadSettled(j, &b)
			p.addUnion(&a, &b)
			i++
			j++
		}
	}
	p.give(v)
}

// compareKeys tells which of two containers is first: -1, 1, or 0 for both. None is behind all.
func compareKeys(v *Vector, i int, other *Vector, j int) int {
	switch {
	case j == other.containers():
		return -1
	case i == len(v.refs):
		return 1
	}
	return cmp.Compare(v.refs[i].key(), other.keyAt(j))
}

// loadSettled sets c to container i.
func (v *Vector) loadSettled(i int, c *container) {
	if v.changed {
		s := &v.slots[i]
		c.data, c.key, c.card, c.kind = s.data, s.key, s.card, s.kind
		return
	}
	v.load(i, c)
}
