package dv

import (
	"slices"

	"github.com/libdv/libdv/internal/fault"
)

// maxRange bounds what one SetRange may make: 2^36 positions, far beyond the rows
// of a data file, in some 70 MB.
const maxRange = int64(1) << 36

// Set adds one position.
func (v *Vector) Set(position int64) error {
	if err := checkPosition(position); err != nil {
		return err
	}
	v.thaw()
	key, value := uint64(position)>>containerBits, uint32(position&(containerSpan-1))
	i := v.search(key)
	if i == len(v.slots) || v.slots[i].key != key {
		c := arrayContainer(key, value)
		v.insertSlot(i, slot{container: c})
		v.card++
		return nil
	}
	if v.slots[i].roaring().CheckedAdd(value) {
		v.outdate(i)
	}
	return nil
}

// SetMany adds all positions, in any order and with duplicates, or none of them.
func (v *Vector) SetMany(positions []int64) error {
	if len(positions) == 0 {
		return nil
	}
	if v.card == 0 && v.hold(positions) {
		return nil
	}
	found, err := checkPositions(positions)
	if err != nil {
		return err
	}
	switch {
	case found == strictlyAscending:
		v.thaw()
		v.setAscending(positions)
	case v.card == 0 && len(positions) <= packedMost:
		return v.holdUnordered(positions)
	case len(positions) < sortMax:
		v.thaw()
		v.setAscending(ordered(positions))
	default:
		more, err := buildUnordered(positions)
		if err != nil {
			return err
		}
		v.thaw()
		v.merge(more)
	}
	return nil
}

// sortMax is the number of positions from which on they are not added one by one.
const sortMax = 1024

// hold makes positions all that an empty vector holds, if they strictly ascend.
func (v *Vector) hold(positions []int64) bool {
	p, ok := packAscending(positions)
	if ok {
		p.give(v)
	} else {
		giveBuffer(p.data)
	}
	return ok
}

// holdUnordered makes positions, which are proven and at most packedMost, all that an empty vector
// holds.
func (v *Vector) holdUnordered(positions []int64) error {
	low, span, pays := scatters(positions)
	if !pays {
		rest, err := orderedProven(positions)
		if err == nil {
			v.hold(rest)
		}
		return err
	}
	values := takeBuffer(2 * len(positions))
	more, err := buildScattered(values, positions, low, span)
	if err != nil {
		giveBuffer(values)
		return err
	}
	p := newPacker(len(more), min(len(values), bitmapBytes*len(more)))
	for i := range more {
		p.addCopy(&more[i])
	}
	giveBuffer(values)
	p.give(v)
	return nil
}

// SetRange adds the positions of [start, end); an empty or inverted range none. A range of
// more than 2^36 positions is refused with ErrLimit.
func (v *Vector) SetRange(start, end int64) error {
	if start < 0 {
		return fault.Invalid("range start %d, expected 0 or more", start)
	}
	if end > MaxPosition+1 {
		return fault.Invalid("range end %d, expected at most %d", end, MaxPosition+1)
	}
	if start >= end {
		return nil
	}
	if end-start > maxRange {
		return fault.Limit("a range of %d positions, expected at most %d in one call", end-start, maxRange)
	}
	first, last := uint64(start)>>containerBits, uint64(end-1)>>containerBits
	v.thaw()
	more := make([]container, 0, last-first+1)
	for key := first; key <= last; key++ {
		from, to := clip(int64(key)<<containerBits, start, end)
		more = append(more, runContainer(key, from, to-1))
	}
	v.merge(more)
	return nil
}

// merge unites the vector with ascending containers.
func (v *Vector) merge(more []container) {
	if missing := v.missing(more); missing > 0 {
		v.spread(more, missing)
	}
	i := v.search(more[0].key)
	var a arena
	for m := range more {
		c := &more[m]
		for v.slots[i].key != c.key {
			i++
		}
		if v.slots[i].card == 0 { // made by spread
			v.replace(i, *c, false)
			continue
		}
		v.settle(i, i+1)
		v.card += a.add(&v.slots[i], c)
	}
}

// missing counts the containers that have no slot yet.
func (v *Vector) missing(more []container) int {
	n, i := 0, v.search(more[0].key)
	for _, c := range more {
		for i < len(v.slots) && v.slots[i].key < c.key {
			i++
		}
		if i == len(v.slots) || v.slots[i].key != c.key {
			n++
		}
	}
	return n
}

// spread makes an empty slot for each of the containers that has none, in one pass from
// the back.
func (v *Vector) spread(more []container, missing int) {
	from := len(v.slots) - 1
	v.slots = append(v.slots, make([]slot, missing)...)
	to, m := len(v.slots)-1, len(more)-1
	for m >= 0 && to >= 0 {
		switch {
		case from >= 0 && v.slots[from].key > more[m].key:
			v.slots[to] = v.slots[from]
			from--
			to--
		case from >= 0 && v.slots[from].key == more[m].key:
			v.slots[to] = v.slots[from]
			from--
			to--
			m--
		default:
			v.slots[to] = slot{container: container{key: more[m].key, data: []byte{}}}
			to--
			m--
		}
	}
}

// AndNot removes the positions of other, which may be v itself or nil.
func (v *Vector) AndNot(other *Vector) error {
	if other == nil || other.card == 0 || v.card == 0 {
		return nil
	}
	if other == v {
		v.thaw()
		v.slots, v.card = nil, 0
		v.stale.Store(0)
		return nil
	}
	v.thaw()
	n := other.containers()
	j := 0
	for i := range v.slots {
		for j < n && other.keyAt(j) < v.slots[i].key {
			j++
		}
		if j == n {
			break
		}
		if other.keyAt(j) != v.slots[i].key {
			continue
		}
		v.settle(i, i+1)
		other.settle(j, j+1)
		c := other.at(j)
		v.replace(i, difference(&v.slots[i].container, &c), true)
	}
	v.slots = slices.DeleteFunc(v.slots, func(s slot) bool { return s.card == 0 })
	return nil
}

// RunLengthEncode gives every container its smallest form, a run container only where that
// is strictly smaller.
func (v *Vector) RunLengthEncode() {
	n := v.containers()
	v.settle(0, n)
	for i := range n {
		c := v.at(i)
		if !isSmallest(&c) {
			to, runs := smallest(&c)
			v.thaw()
			v.replace(i, convert(&c, to, runs), true)
		}
	}
}
