package kernel

import (
	"encoding/binary"
	"slices"
)

// SortMax is the number of values up to which Sort takes them; more are sooner set in a bitmap.
const SortMax = 1024

const sortBlock = 2 * 32 // bytes that one network sorts

// Sorter sorts arrays of few values. It is memory to work in: reuse it.
type Sorter struct {
	rooms [2][2*SortMax + UnionSpare]byte
}

// Sort sorts up to SortMax values in place and drops repeated ones; it returns the bytes that are
// left of them. What was behind those is scratch.
func (s *Sorter) Sort(values []byte) int {
	if !has512 || len(values) < 4 {
		return sortGeneric(values)
	}
	sort512(&values[0], len(values)/2)
	return copy(values, s.merge(values))
}

// merge unites sorted blocks by pairs, and the results again, from one of two rooms to the other.
func (s *Sorter) merge(values []byte) []byte {
	var parts [SortMax/32 + 1][]byte
	n := 0
	for ; len(values) > sortBlock; n++ {
		parts[n], values = values[:sortBlock], values[sortBlock:]
	}
	parts[n] = values
	n++
	if n == 1 {
		parts[1] = values // united with itself: that drops repeated values too
		n = 2
	}
	for turn := 0; n > 1; turn ^= 1 {
		room := s.rooms[turn][:]
		for i := 0; i < n; i += 2 {
			var size int
			if i+1 < n {
				size, _ = unionBlocks(room, parts[i], parts[i+1])
			} else {
				size = copy(room, parts[i])
			}
			parts[i/2] = room[:size]
			room = room[size:]
		}
		n = (n + 1) / 2
	}
	return parts[0]
}

// sortFew is the number of values up to which sorting is sooner than a bitmap.
const sortFew = 256

func sortGeneric(values []byte) int {
	n := len(values) / 2
	if n > sortFew {
		var bitmap Bitmap
		Set(&bitmap, values)
		n = Popcount(&bitmap)
		Values(values[:2*n], &bitmap)
		return 2 * n
	}
	var ordered [sortFew]uint16
	for i := range n {
		ordered[i] = binary.LittleEndian.Uint16(values[2*i:])
	}
	slices.Sort(ordered[:n])
	distinct := slices.Compact(ordered[:n])
	for i, value := range distinct {
		binary.LittleEndian.PutUint16(values[2*i:], value)
	}
	return 2 * len(distinct)
}
