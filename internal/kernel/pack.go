package kernel

import "encoding/binary"

// Pack writes the low 16 bits of every position; dst has two bytes for each. It tells whether they
// strictly ascend, and counts those that are their predecessor + 1.
func Pack(dst []byte, positions []int64) (ascending bool, adjacent int) {
	dst = dst[:2*len(positions)]
	if has512 && len(positions) > 0 {
		return pack512(&dst[0], &positions[0], len(positions))
	}
	return packGeneric(dst, positions)
}

func packGeneric(dst []byte, positions []int64) (ascending bool, adjacent int) {
	ascending = true
	for i, p := range positions {
		binary.LittleEndian.PutUint16(dst[2*i:], uint16(p))
		if i == 0 {
			continue
		}
		ascending = ascending && p > positions[i-1]
		if p == positions[i-1]+1 {
			adjacent++
		}
	}
	return ascending, adjacent
}
