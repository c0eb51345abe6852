package dv

import (
	"encoding/binary"
	"slices"

	"github.com/libdv/libdv/internal/kernel"
)

// scatterMin is the average number of positions per container of their span from which on
// sorting by containers pays.
const scatterMin = 4

// scatters tells whether sorting by containers pays, and from which key on and how many they are.
func scatters(positions []int64) (low int64, span int, pays bool) {
	low, high := slices.Min(positions)>>containerBits, slices.Max(positions)>>containerBits
	pays = high-low <= int64(len(positions))/scatterMin
	return low, int(high - low + 1), pays
}

// ordered gives the positions in order and each once.
func ordered(positions []int64) []int64 {
	positions = slices.Clone(positions)
	slices.Sort(positions)
	return slices.Compact(positions)
}

// buildUnordered makes ascending containers of positions in any order and with repeated ones.
func buildUnordered(positions []int64) []container {
	if low, span, pays := scatters(positions); pays {
		return buildScattered(make([]byte, 2*len(positions)), positions, low, span)
	}
	var a arena
	var out []container
	for ordered := ordered(positions); len(ordered) > 0; {
		n := group(ordered)
		out = append(out, buildContainer(ordered[:n], &a, 2*len(ordered)))
		ordered = ordered[n:]
	}
	return out
}

// buildScattered sorts the positions into the containers from key low on. Their payloads are in
// values, which has two bytes for each position.
func buildScattered(values []byte, positions []int64, low int64, span int) []container {
	ends := make([]int, span+1) // at first the sizes, one place on
	for _, p := range positions {
		ends[p>>containerBits-low+1]++
	}
	for i := 1; i <= span; i++ {
		ends[i] += ends[i-1]
	}
	next := slices.Clone(ends)
	for _, p := range positions {
		at := &next[p>>containerBits-low]
		binary.LittleEndian.PutUint16(values[2**at:], uint16(p))
		*at++
	}
	var s kernel.Sorter
	out := make([]container, 0, span)
	for i := range span {
		if part := values[2*ends[i] : 2*ends[i+1] : 2*ends[i+1]]; len(part) > 0 {
			out = append(out, containerOf(uint64(low)+uint64(i), part, &s))
		}
	}
	return out
}

// containerOf makes a container of values in any order, which may repeat, where they are.
func containerOf(key uint64, values []byte, s *kernel.Sorter) container {
	if len(values) <= 2*kernel.SortMax {
		n := s.Sort(values)
		return container{key: key, card: uint32(n / 2), kind: arrayKind, data: values[:n]}
	}
	var bm kernel.Bitmap
	kernel.Set(&bm, values)
	card := kernel.Popcount(&bm)
	c := container{key: key, card: uint32(card)}
	if card > arrayMax {
		c.kind, c.data = bitmapKind, values[:copy(values, bm[:])]
		return c
	}
	c.data = values[:2*card]
	kernel.Values(c.data, &bm)
	return c
}
