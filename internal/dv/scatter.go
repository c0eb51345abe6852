package dv

import (
	"encoding/binary"
	"slices"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/kernel"
)

// scatterMin is the average number of positions per container of their span from which on
// sorting by containers pays.
const scatterMin = 4

// scatters tells whether sorting by containers pays, and from which key on and how many they are.
// For what are no positions any more it does not.
func scatters(positions []int64) (low int64, span int, pays bool) {
	first, last := slices.Min(positions), slices.Max(positions)
	if first < 0 || first > last || last > MaxPosition {
		return 0, 0, false
	}
	low, high := first>>containerBits, last>>containerBits
	return low, int(high - low + 1), high-low <= int64(len(positions))/scatterMin
}

// ordered gives the positions in order and each once.
func ordered(positions []int64) []int64 {
	positions = slices.Clone(positions)
	slices.Sort(positions)
	return slices.Compact(positions)
}

// orderedProven gives the same, unless they are no positions any more.
func orderedProven(positions []int64) ([]int64, error) {
	positions = ordered(positions)
	if positions[0] < 0 || positions[len(positions)-1] > MaxPosition {
		return nil, errChanged()
	}
	return positions, nil
}

// errChanged is for positions, the caller's own memory, that are others than they were a moment
// ago. Where that is not noticed the result is unspecified.
func errChanged() error { return fault.Invalid("the positions changed during the call") }

// buildUnordered makes ascending containers of positions in any order and with repeated ones.
func buildUnordered(positions []int64) ([]container, error) {
	if low, span, pays := scatters(positions); pays {
		return buildScattered(make([]byte, 2*len(positions)), positions, low, span)
	}
	rest, err := orderedProven(positions)
	if err != nil {
		return nil, err
	}
	var a arena
	var out []container
	for len(rest) > 0 {
		n := group(rest)
		out = append(out, buildContainer(rest[:n], &a, 2*len(rest)))
		rest = rest[n:]
	}
	return out, nil
}

// buildScattered sorts the positions into the containers from key low on. Their payloads are in
// values, which has two bytes for each position.
func buildScattered(values []byte, positions []int64, low int64, span int) ([]container, error) {
	ends := make([]int, span+1)
	sizes := ends[1:]
	for _, p := range positions {
		i := uint64(p>>containerBits - low)
		if i >= uint64(len(sizes)) {
			return nil, errChanged()
		}
		sizes[i]++
	}
	for i := 1; i <= span; i++ {
		ends[i] += ends[i-1]
	}
	next := slices.Clone(ends[:span])
	for _, p := range positions {
		i := uint64(p>>containerBits - low)
		if i >= uint64(len(next)) || next[i] == len(positions) {
			return nil, errChanged()
		}
		binary.LittleEndian.PutUint16(values[2*next[i]:], uint16(p))
		next[i]++
	}
	var s kernel.Sorter
	out := make([]container, 0, span)
	for i := range span {
		if part := values[2*ends[i] : 2*ends[i+1] : 2*ends[i+1]]; len(part) > 0 {
			out = append(out, containerOf(uint64(low)+uint64(i), part, &s))
		}
	}
	return out, nil
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
