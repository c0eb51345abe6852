package dv

import (
	"encoding/binary"
	"math/bits"
)

// kind is the form in which a container's payload is stored.
type kind uint8

const (
	arrayKind  kind = iota // ascending u16 values
	bitmapKind             // 65,536 bits
	runKind                // {start, length-1} pairs
)

const (
	containerBits   = 16
	containerSpan   = 1 << containerBits // positions that one container covers
	arrayMax        = 4096               // values beyond which an array must be a bitmap
	bitmapBytes     = containerSpan / 8
	bitmapWords     = bitmapBytes / 8
	maxRunsAsRun    = 2047 // beyond it a bitmap is not larger than the runs
	maxContainerKey = uint64(MaxPosition) >> containerBits
)

// container is a checked payload: the positions key<<16 + value.
type container struct {
	data []byte // array: 2 x card bytes; bitmap: 8,192; run: 4 bytes per run, without their count
	key  uint64 // upper 48 bits of its positions
	card uint32 // 1..65536
	kind kind
}

func (c *container) base() int64 { return int64(c.key) << containerBits }

func (c *container) full() bool { return c.card == containerSpan }

func u16at(p []byte, i int) uint32 { return uint32(binary.LittleEndian.Uint16(p[2*i:])) }

func u64at(p []byte, i int) uint64 { return binary.LittleEndian.Uint64(p[8*i:]) }

// runAt gives the first and the last value of run i.
func runAt(p []byte, i int) (first, last uint32) {
	v := binary.LittleEndian.Uint32(p[4*i:])
	first = v & 0xFFFF
	return first, first + v>>16
}

// fullRun is the payload of every container that holds all of its positions.
var fullRun = []byte{0x00, 0x00, 0xFF, 0xFF}

func fullContainer(key uint64) container {
	return container{data: fullRun, key: key, card: containerSpan, kind: runKind}
}

// runContainer holds the values first..last.
func runContainer(key uint64, first, last uint32) container {
	if first == 0 && last == containerSpan-1 {
		return fullContainer(key)
	}
	data := make([]byte, 4)
	binary.LittleEndian.PutUint32(data, first|(last-first)<<16)
	return container{data: data, key: key, card: last - first + 1, kind: runKind}
}

// arraySearch gives the index of the first value >= want.
func arraySearch(p []byte, want uint32) int {
	lo, hi := 0, len(p)/2
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if u16at(p, mid) < want {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// runSearch gives the index of the first run whose last value is >= want.
func runSearch(p []byte, want uint32) int {
	lo, hi := 0, len(p)/4
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if _, last := runAt(p, mid); last < want {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

func (c *container) contains(value uint32) bool {
	switch c.kind {
	case arrayKind:
		i := arraySearch(c.data, value)
		return i < len(c.data)/2 && u16at(c.data, i) == value
	case bitmapKind:
		return c.data[value>>3]>>(value&7)&1 != 0
	default:
		i := runSearch(c.data, value)
		if i == len(c.data)/4 {
			return false
		}
		first, _ := runAt(c.data, i)
		return first <= value
	}
}

// rank counts the values below limit, which is at most 65,536.
func (c *container) rank(limit uint32) uint32 {
	if limit >= containerSpan {
		return c.card
	}
	switch c.kind {
	case arrayKind:
		return uint32(arraySearch(c.data, limit))
	case bitmapKind:
		n := 0
		for i := range int(limit / 64) {
			n += bits.OnesCount64(u64at(c.data, i))
		}
		if rest := limit % 64; rest != 0 {
			n += bits.OnesCount64(u64at(c.data, int(limit/64)) & (1<<rest - 1))
		}
		return uint32(n)
	default:
		n := uint32(0)
		for i := range len(c.data) / 4 {
			first, last := runAt(c.data, i)
			if first >= limit {
				break
			}
			n += min(last+1, limit) - first
		}
		return n
	}
}

// last gives the largest value.
func (c *container) last() uint32 {
	switch c.kind {
	case arrayKind:
		return u16at(c.data, len(c.data)/2-1)
	case bitmapKind:
		for i := bitmapWords - 1; ; i-- {
			if w := u64at(c.data, i); w != 0 {
				return uint32(i*64 + 63 - bits.LeadingZeros64(w))
			}
		}
	default:
		_, last := runAt(c.data, len(c.data)/4-1)
		return last
	}
}
