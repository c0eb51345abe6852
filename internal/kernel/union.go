package kernel

import "encoding/binary"

const (
	unionFew = 2 * 4 // bytes that are merged sooner value by value

	// UnionSpare is how many bytes Union needs behind the result, for scratch.
	UnionSpare = 2 * 96
)

// Union merges ascending values into dst, which has room for both and UnionSpare more bytes. It
// returns the bytes written and the number of maximal runs of consecutive values among them.
func Union(dst, a, b []byte) (n, runs int) {
	if !has256 || len(a) < 2 || len(b) < 2 || len(a)+len(b) <= unionFew {
		n = unionGeneric(dst, a, b)
		return n, RunsOfArray(dst[:n])
	}
	return unionBlocks(dst, a, b)
}

// unionBlocks is Union with assembly, and neither is empty. Values may repeat.
func unionBlocks(dst, a, b []byte) (n, runs int) {
	_ = dst[len(a)+len(b)+UnionSpare-1]
	var values, adjacent int
	if has512 {
		values, adjacent = union512(&dst[0], &a[0], len(a)/2, &b[0], len(b)/2)
	} else {
		values, adjacent = union128(&dst[0], &a[0], len(a)/2, &b[0], len(b)/2)
	}
	if values == 0 { // it does not tell the largest value at the very start from what is before
		return unionGeneric(dst, a[len(a)-2:], b[len(b)-2:]), 1
	}
	// What filled the blocks up is the largest value there is: it is real, or to go.
	if last := values - 1; u16(dst, last) == 0xFFFF && !isLast(a) && !isLast(b) {
		values = last
		if u16(dst, last-1) == 0xFFFE {
			adjacent--
		}
	}
	return 2 * values, values - adjacent
}

// isLast tells whether values end with the largest value there is.
func isLast(values []byte) bool { return u16(values, len(values)/2-1) == 0xFFFF }

// unionGeneric advances without a branch that depends on the values: they are as good as random.
func unionGeneric(dst, a, b []byte) int {
	i, j, n := 0, 0, 0
	for i <= len(a)-2 && j <= len(b)-2 {
		x, y := binary.LittleEndian.Uint16(a[i:]), binary.LittleEndian.Uint16(b[j:])
		binary.LittleEndian.PutUint16(dst[n:], min(x, y))
		n += 2
		i += 2 * atMost(x, y)
		j += 2 * atMost(y, x)
	}
	n += copy(dst[n:], a[i:])
	return n + copy(dst[n:], b[j:])
}

// atMost is 1 where x <= y, else 0.
func atMost(x, y uint16) int { return int((uint32(x) - uint32(y) - 1) >> 31) }
