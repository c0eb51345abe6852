package kernel

const (
	unionFew   = 2 * 20                       // bytes that are merged sooner value by value
	unionBlock = 64                           // bytes that a turn of the network takes
	unionInput = 2*4096 + 2*unionBlock        // an array, filled up, and the block after it
	unionRoom  = 2*2*4096 + 2*unionBlock + 64 // the result, and scratch
)

// Merger unites arrays of up to 4,096 values. It is memory to work in: reuse it.
type Merger struct {
	a, b [unionInput]byte
	out  [unionRoom]byte
}

// Union merges ascending values. The result is valid until the next call.
func (m *Merger) Union(a, b []byte) []byte {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	case !has512 || len(a)+len(b) <= unionFew:
		return m.out[:unionGeneric(m.out[:], a, b)]
	}
	blocks := padded(&m.a, a) + padded(&m.b, b)
	n := 2 * union512(&m.out[0], &m.a[0], &m.b[0], blocks)
	out := m.out[:n]
	// What filled the blocks up is the largest value there is: it is real, or to go.
	if isLast(out) && !isLast(a) && !isLast(b) {
		out = out[:n-2]
	}
	return out
}

// padded copies values, fills the last block up with 65535, adds one such block, and returns
// the number of blocks before it.
func padded(dst *[unionInput]byte, values []byte) int {
	n := copy(dst[:], values)
	blocks := (n + unionBlock - 1) / unionBlock
	Fill(dst[n:(blocks+1)*unionBlock], 0xFF)
	return blocks
}

// isLast tells whether values end with the largest value there is.
func isLast(values []byte) bool { return u16(values, len(values)/2-1) == 0xFFFF }
