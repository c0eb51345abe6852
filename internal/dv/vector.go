package dv

import (
	"bytes"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/kernel"
)

const (
	// MaxPosition is the largest position that Iceberg Java and Delta Spark can hold.
	MaxPosition int64 = 0x7FFFFFFE80000000
	// Magic opens the payload of every vector: d1 d3 39 64, little endian.
	Magic uint32 = 0x6439D3D1
	// Unknown stands for "no expectation" of a cardinality.
	Unknown int64 = -1
)

// Vector is a set of positions, 0 <= position <= MaxPosition. The zero value is empty.
type Vector struct {
	// Frozen: the bitmap's bytes and their directory. borrowed bytes belong to the caller.
	data     []byte
	refs     []ref
	borrowed bool
	smallest bool // every container is known to have its smallest form
	pooled   bool // data came from takeBuffer

	// Changed: one slot per container, ascending. A slice and not a map: what two threads
	// may share must not be able to fault the runtime.
	changed bool
	slots   []slot
	stale   atomic.Int64 // slots whose payload is to be made again from their roaring bitmap
	settler sync.Mutex   // readers that make payloads

	card int64

	// lent says that others may share the payloads since the last change.
	lent atomic.Bool
}

// New returns an empty vector.
func New() *Vector { return &Vector{} }

// Clone returns an independent copy, which owns its bytes. Both share the payloads, which
// neither of them writes from then on.
func (v *Vector) Clone() *Vector {
	v.lent.Store(true)
	if v.changed {
		v.settle(0, len(v.slots))
		c := &Vector{changed: true, slots: make([]slot, len(v.slots)), card: v.card}
		for i := range v.slots {
			c.slots[i].container = v.slots[i].container
		}
		return c
	}
	c := &Vector{data: v.data, refs: v.refs, card: v.card, smallest: v.smallest}
	if v.borrowed {
		c.data = bytes.Clone(v.data)
	}
	c.lent.Store(!v.borrowed)
	return c
}

// Cardinality is the number of positions.
func (v *Vector) Cardinality() int64 { return v.card }

// IsEmpty tells whether there is no position.
func (v *Vector) IsEmpty() bool { return v.card == 0 }

func (v *Vector) containers() int {
	if v.changed {
		return len(v.slots)
	}
	return len(v.refs)
}

func (v *Vector) keyAt(i int) uint64 {
	if v.changed {
		return v.slots[i].key
	}
	return v.refs[i].key()
}

func (v *Vector) cardAt(i int) uint32 {
	if v.changed {
		return v.slots[i].card
	}
	return v.refs[i].card
}

// at gives container i, whose payload the caller has settled.
func (v *Vector) at(i int) container {
	if v.changed {
		return v.slots[i].container
	}
	return v.refAt(i)
}

// search gives the index of the first container with a key >= key.
func (v *Vector) search(key uint64) int {
	lo, hi := 0, v.containers()
	if hi == 0 || v.keyAt(0) >= key {
		return 0
	}
	// Containers of one file mostly follow each other without a gap: look there first.
	if guess := key - v.keyAt(0); guess < uint64(hi) && v.keyAt(int(guess)) == key {
		return int(guess)
	}
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if v.keyAt(mid) < key {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// window gives the containers [lo, hi) that may hold positions of [start, end), settled.
// 0 <= start < end.
func (v *Vector) window(start, end int64) (lo, hi int) {
	lo = v.search(uint64(start) >> containerBits)
	hi = v.search(uint64(end-1)>>containerBits + 1)
	v.settle(lo, hi)
	return lo, hi
}

// Equals tells whether both hold the same positions, however they are encoded.
func (v *Vector) Equals(other *Vector) bool {
	if v == other {
		return true
	}
	n := v.containers()
	if v.card != other.card || n != other.containers() {
		return false
	}
	for i := range n {
		if v.keyAt(i) != other.keyAt(i) || v.cardAt(i) != other.cardAt(i) {
			return false
		}
	}
	v.settle(0, n)
	other.settle(0, n)
	for i := range n {
		a, b := v.at(i), other.at(i)
		if !sameValues(&a, &b) {
			return false
		}
	}
	return true
}

func sameValues(a, b *container) bool {
	if a.kind == b.kind && (bytes.Equal(a.data, b.data) || a.kind != runKind) {
		return bytes.Equal(a.data, b.data)
	}
	var x, y kernel.Bitmap
	a.setBits(&x)
	b.setBits(&y)
	return x == y
}

func checkPosition(position int64) error {
	if position < 0 || position > MaxPosition {
		return fault.Invalid("position %d, expected 0 to %d", position, MaxPosition)
	}
	return nil
}

// order is what a survey of positions found.
type order int

const (
	unordered order = iota
	ascending       // with repeated ones
	strictlyAscending
)

// checkPositions proves all of them and tells in which order they are.
func checkPositions(positions []int64) (order, error) {
	largest, falls, repeats := kernel.Survey(positions)
	switch {
	case largest > uint64(MaxPosition):
		i := slices.IndexFunc(positions, func(p int64) bool { return uint64(p) > uint64(MaxPosition) })
		return unordered, fault.Invalid("position %d at index %d, expected 0 to %d", positions[i], i, MaxPosition)
	case falls > 0:
		return unordered, nil
	case repeats > 0:
		return ascending, nil
	default:
		return strictlyAscending, nil
	}
}

// Contains tells whether position is in the set.
func (v *Vector) Contains(position int64) (bool, error) {
	if err := checkPosition(position); err != nil {
		return false, err
	}
	key := uint64(position) >> containerBits
	i := v.search(key)
	if i == v.containers() || v.keyAt(i) != key {
		return false, nil
	}
	return v.holds(i, uint32(position&(containerSpan-1))), nil
}

// holds looks into container i, which need not be settled.
func (v *Vector) holds(i int, value uint32) bool {
	if v.changed && v.slots[i].bm != nil {
		return v.slots[i].bm.Contains(value)
	}
	c := v.at(i)
	return c.contains(value)
}

// ContainsMany sets out[i] to 1 where positions[i] is in the set, else to 0. out holds at
// least len(positions) bytes.
func (v *Vector) ContainsMany(positions []int64, out []byte) error {
	if len(out) < len(positions) {
		return fault.TooSmall("a buffer of %d bytes, expected one byte for each of the %d positions", len(out), len(positions))
	}
	if _, err := checkPositions(positions); err != nil {
		return err
	}
	n := v.containers()
	at, found, seen := 0, false, ^uint64(0) // of the container that was looked up last
	for i, p := range positions {
		if key := uint64(p) >> containerBits; key != seen {
			seen = key
			at = v.search(key)
			found = at < n && v.keyAt(at) == key
		}
		out[i] = 0
		if found && v.holds(at, uint32(p&(containerSpan-1))) {
			out[i] = 1
		}
	}
	return nil
}

// Count is the number of positions in [start, end). Any end; an empty range holds none.
func (v *Vector) Count(start, end int64) (int64, error) {
	if start < 0 {
		return 0, fault.Invalid("range start %d, expected 0 or more", start)
	}
	if start >= end {
		return 0, nil
	}
	lo, hi := v.window(start, end)
	n := int64(0)
	for i := lo; i < hi; i++ {
		n += int64(v.countIn(i, start, end))
	}
	return n, nil
}

// countIn counts the values of settled container i that lie in [start, end).
func (v *Vector) countIn(i int, start, end int64) uint32 {
	base := int64(v.keyAt(i)) << containerBits
	if start <= base && end-base >= containerSpan {
		return v.cardAt(i)
	}
	c := v.at(i)
	from, to := clip(base, start, end)
	return c.rank(to) - c.rank(from)
}

// clip gives the part [from, to) of the container at base that [start, end) covers; the
// two overlap.
func clip(base, start, end int64) (from, to uint32) {
	from, to = uint32(max(start-base, 0)), containerSpan
	if end-base < containerSpan {
		to = uint32(end - base)
	}
	return from, to
}

// insertSlot puts s at index i.
func (v *Vector) insertSlot(i int, s slot) { v.slots = slices.Insert(v.slots, i, s) }
