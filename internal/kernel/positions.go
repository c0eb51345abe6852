package kernel

// Store says how positions are written.
type Store bool

// Cached positions are in the caches afterwards. Streamed ones pass by them, which takes half the time where they would
// not fit anyway.
const (
	Cached   Store = false
	Streamed Store = true
)

// Fence ends streamed positions: only then may another thread see them.
func Fence(store Store) {
	if store == Streamed && has512 {
		fence()
	}
}

// Widen writes base + value for as many values as dst holds, and tells whether all of these
// strictly ascend.
func Widen(dst []int64, values []byte, base int64, store Store) (ascending bool) {
	n := min(len(dst), len(values)/2)
	if has512 && n > 0 {
		return widen512(&dst[0], &values[0], n, base, bool(store))
	}
	k := 0
	if has256 && n >= 8 {
		k = n &^ 7
		widen256(&dst[0], &values[0], k, base)
	}
	widenGeneric(dst[k:n], values[2*k:], base)
	return Ascending(values[:2*n])
}

// Count writes consecutive positions.
func Count(dst []int64, first int64, store Store) {
	if has512 && len(dst) > 0 {
		count512(&dst[0], len(dst), first, bool(store))
		return
	}
	if k := len(dst) &^ 7; has256 && k > 0 {
		count256(&dst[0], k, first)
		dst, first = dst[k:], first+int64(k)
	}
	countGeneric(dst, first)
}

// Positions writes base + index for the bits set in whole words, of which there are about
// count, as many as dst holds, and returns their number.
func Positions(dst []int64, words []byte, base int64, count int) int {
	k, used, n := len(words)/8, 0, 0
	switch {
	case len(dst) < 64 || k == 0:
	case has512:
		used, n = positions512(&dst[0], len(dst), &words[0], k, base, usual(count, k))
	case hasBits:
		used, n = positionsBMI(&dst[0], len(dst), &words[0], k, base, usual(count, k))
	}
	words, base = words[8*used:], base+64*int64(used)
	return n + positionsGeneric(dst[n:], words, base)
}

// usual is a number of bits that few of the words exceed: about a deviation more than the mean.
// Eight positions are written at a time; below a mean of 6 most words need no more.
func usual(count, words int) int {
	mean := count / words
	if mean < 6 {
		return 1
	}
	return mean + 4
}

// PositionsOfRuns writes the positions of runs {start, length-1}, whose number is total, and
// returns it; dst holds at least total.
func PositionsOfRuns(dst []int64, runs []byte, base int64, total int, store Store) int {
	n := 0
	if has512 {
		// All but the last runs, whose scratch would lie beyond dst.
		last := len(runs) / 4
		for spare := len(dst) - total; last > 0 && spare < 15; last-- {
			spare += runLength(runs, last-1)
		}
		if last > 0 {
			n = positionsOfRuns512(&dst[0], len(dst)-15, &runs[0], last, base, bool(store))
			runs = runs[4*last:]
		}
	}
	for ; len(runs) >= 4; runs = runs[4:] {
		length := min(runLength(runs, 0), len(dst)-n)
		Count(dst[n:n+length], base+int64(u16(runs, 0)), store)
		n += length
	}
	return n
}

func runLength(runs []byte, i int) int { return int(u16(runs, 2*i+1)) + 1 }
