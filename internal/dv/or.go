package dv

import "slices"

// weaveShare is the share of its containers from which on another vector is woven in: all
// slots are laid anew in one pass. Fewer are put in between.
const weaveShare = 8

// Or adds the positions of other, which may be v itself or nil.
func (v *Vector) Or(other *Vector) error {
	if other == nil || other == v || other.card == 0 {
		return nil
	}
	n := other.containers()
	other.settle(0, n)
	if v.card == 0 {
		c := other.Clone()
		v.data, v.refs, v.borrowed, v.pooled = c.data, c.refs, c.borrowed, false
		v.changed, v.slots, v.card, v.smallest = c.changed, c.slots, c.card, c.smallest
		v.stale.Store(0)
		v.lent.Store(c.lent.Load())
		return nil
	}
	if v.canUnite(other) {
		v.unite(other)
		return nil
	}
	v.thaw()
	if !other.borrowed {
		other.lent.Store(true)
	}
	if n*weaveShare >= len(v.slots) {
		v.weave(other)
		return nil
	}
	more := make([]container, n)
	for i := range more {
		more[i] = other.lend(i)
	}
	v.merge(more)
	return nil
}

// lend gives container i to another vector, with a copy of bytes that are only borrowed.
func (v *Vector) lend(i int) container {
	c := v.at(i)
	if v.borrowed {
		c.data = slices.Clone(c.data)
	}
	return c
}

// weave unites a changed vector with a settled one.
func (v *Vector) weave(other *Vector) {
	v.settle(0, len(v.slots))
	var a arena
	n := other.containers()
	mine, woven := v.slots, make([]slot, 0, len(v.slots)+n)
	for j := range n {
		key := other.keyAt(j)
		for len(mine) > 0 && mine[0].key < key {
			woven = append(woven, mine[0])
			mine = mine[1:]
		}
		if len(mine) == 0 || mine[0].key != key {
			c := other.lend(j)
			v.card += int64(c.card)
			woven = append(woven, slot{container: c})
			continue
		}
		c := other.at(j)
		v.card += a.add(&mine[0], &c)
		woven = append(woven, mine[0])
		mine = mine[1:]
	}
	v.slots = append(woven, mine...)
}
