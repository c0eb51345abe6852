package dv

import (
	"encoding/binary"
	"slices"

	"github.com/libdv/libdv/internal/kernel"
)

// mergeSlotMin is the number of new values from which on a container is united with them
// as a whole; fewer go one by one into its roaring bitmap.
const mergeSlotMin = 64

func arrayContainer(key uint64, value uint32) container {
	data := make([]byte, 2)
	binary.LittleEndian.PutUint16(data, uint16(value))
	return container{data: data, key: key, card: 1, kind: arrayKind}
}

// group gives the end of the positions that share a container with positions[0], if they
// ascend; whether they do is for the caller to prove.
func group(positions []int64) int {
	limit := (positions[0]>>containerBits + 1) << containerBits
	// Mostly groups are long: gallop, then search the last stride.
	n, step := 1, 1
	for n < len(positions) && positions[n] < limit {
		n += step
		step *= 2
	}
	lo, hi := max(n-step/2, 1), min(n, len(positions))
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if positions[mid] < limit {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// arena hands out the payloads of one bulk build from few allocations.
type arena struct{ free []byte }

const arenaChunk = 64 << 10

func (a *arena) take(n, hint int) []byte {
	out := a.room(n, hint)
	a.free = a.free[n:]
	return out
}

// room gives what take will give, n bytes or fewer of it.
func (a *arena) room(n, hint int) []byte {
	if len(a.free) < n {
		a.free = make([]byte, max(n, min(hint, arenaChunk)))
	}
	return a.free[:n:n]
}

// buildSlots makes the slots of positions, which it proves while they are in the cache. ok
// is false where they do not strictly ascend or one of them is no position.
func buildSlots(positions []int64) (slots []slot, ok bool) {
	span := (positions[len(positions)-1] - positions[0]) >> containerBits
	if span < 0 {
		return nil, false
	}
	var a arena
	slots = make([]slot, 0, 1+min(int64(len(positions)/scatterMin), span))
	for len(positions) > 0 {
		n := group(positions)
		part := positions[:n]
		// The group ends where a position lies beyond its container: if the group ascends
		// and ends inside of it, so do the group and that position.
		largest, falls, repeats := kernel.Survey(part)
		if falls+repeats > 0 || largest > uint64(MaxPosition) || part[0] < 0 || part[n-1]>>containerBits != part[0]>>containerBits {
			return nil, false
		}
		slots = append(slots, slot{container: buildContainer(part, &a, 2*len(positions))})
		if positions = positions[n:]; len(positions) > 0 && positions[0] <= part[n-1] {
			return nil, false
		}
	}
	return slots, true
}

// buildContainer makes the container of strictly ascending positions that share a key: an
// array, or a bitmap beyond 4,096 values.
func buildContainer(positions []int64, a *arena, hint int) container {
	n := len(positions)
	c := container{key: uint64(positions[0]) >> containerBits, card: uint32(n)}
	if n <= arrayMax {
		c.data = a.take(2*n, hint)
		kernel.Narrow(c.data, positions)
		return c
	}
	c.kind, c.data = bitmapKind, make([]byte, bitmapBytes)
	var values [2048]byte // what stays in the first-level cache between both kernels
	for len(positions) > 0 {
		k := min(len(positions), len(values)/2)
		kernel.Narrow(values[:], positions[:k])
		kernel.Flip(c.data, values[:2*k])
		positions = positions[k:]
	}
	return c
}

// setAscending adds strictly ascending positions to a vector that holds some already.
func (v *Vector) setAscending(positions []int64) {
	var a arena
	var more []container
	for len(positions) > 0 {
		n := group(positions)
		part := positions[:n]
		positions = positions[n:]
		key := uint64(part[0]) >> containerBits
		i := v.search(key)
		found := i < len(v.slots) && v.slots[i].key == key
		if found && n < mergeSlotMin {
			v.addFew(i, part)
			continue
		}
		more = append(more, buildContainer(part, &a, 2*len(part)))
	}
	if len(more) > 0 {
		v.merge(more)
	}
}

// addFew puts some values into the roaring bitmap of slot i.
func (v *Vector) addFew(i int, positions []int64) {
	bm, added := v.slots[i].roaring(), false
	for _, p := range positions {
		if bm.CheckedAdd(uint32(p & (containerSpan - 1))) {
			added = true
		}
	}
	if added {
		v.outdate(i)
	}
}

// scatterMin is the average number of positions per container of their span from which on
// sorting by containers pays.
const scatterMin = 16

// buildUnordered makes ascending containers of positions in any order and with repeated ones.
func buildUnordered(positions []int64) []container {
	low, high := slices.Min(positions)>>containerBits, slices.Max(positions)>>containerBits
	if span := high - low + 1; span <= int64(len(positions))/scatterMin+1 {
		return buildScattered(positions, low, int(span))
	}
	ordered := slices.Clone(positions)
	slices.Sort(ordered)
	ordered = slices.Compact(ordered)
	var a arena
	var out []container
	for len(ordered) > 0 {
		n := group(ordered)
		out = append(out, buildContainer(ordered[:n], &a, 2*len(ordered)))
		ordered = ordered[n:]
	}
	return out
}

// buildScattered sorts the positions into the containers from key low on.
func buildScattered(positions []int64, low int64, span int) []container {
	ends := make([]int, span+1) // at first the sizes, one place on
	for _, p := range positions {
		ends[p>>containerBits-low+1]++
	}
	for i := 1; i <= span; i++ {
		ends[i] += ends[i-1]
	}
	next := slices.Clone(ends)
	values := make([]byte, 2*len(positions))
	for _, p := range positions {
		at := &next[p>>containerBits-low]
		binary.LittleEndian.PutUint16(values[2**at:], uint16(p))
		*at++
	}
	out := make([]container, 0, span)
	for i := range span {
		if part := values[2*ends[i] : 2*ends[i+1]]; len(part) > 0 {
			out = append(out, containerOf(uint64(low)+uint64(i), part))
		}
	}
	return out
}

// containerOf makes a container of values in any order, which may repeat.
func containerOf(key uint64, values []byte) container {
	const few = 256
	if n := len(values) / 2; n <= few {
		var ordered [few]uint16
		for i := range n {
			ordered[i] = uint16(u16at(values, i))
		}
		slices.Sort(ordered[:n])
		distinct := slices.Compact(ordered[:n])
		c := container{key: key, card: uint32(len(distinct)), data: make([]byte, 0, 2*len(distinct))}
		for _, value := range distinct {
			c.data = binary.LittleEndian.AppendUint16(c.data, value)
		}
		return c
	}
	bm := new(kernel.Bitmap)
	kernel.Set(bm, values)
	return fromBits(key, bm)
}
