package dv

import (
	"encoding/binary"

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

// buildContainer makes the container of strictly ascending positions that share a key: an
// array, or a bitmap beyond 4,096 values.
func buildContainer(positions []int64, a *arena, hint int) container {
	n := len(positions)
	c := container{key: uint64(positions[0]) >> containerBits, card: uint32(n)}
	if n <= arrayMax {
		c.data = a.take(2*n, hint)
		kernel.Pack(c.data, positions)
		return c
	}
	bm := new(kernel.Bitmap)
	packBitmap(bm, positions)
	c.kind, c.data = bitmapKind, bm[:]
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
