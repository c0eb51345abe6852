package dv

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/libdv/libdv/internal/kernel"
)

// packFew is the number of positions in a container up to which one after the other is sooner.
const packFew = 32

// packedMost is how many positions a frozen vector can be made of for certain: its offsets are of 32 bits.
const packedMost = math.MaxUint32 / 4

// packMax bounds the first piece of memory for a vector's bytes, which may turn out to be fewer.
const packMax = 4 << 20

// packAscending makes the containers of positions, one or more, which it proves while they are in
// the cache: arrays, and bitmaps beyond 4,096 values. ok is false where they do not strictly
// ascend, one of them is no position, or they are too many.
func packAscending(positions []int64) (p packer, ok bool) {
	span := (positions[len(positions)-1] - positions[0]) >> containerBits
	if span < 0 || positions[0] < 0 || len(positions) > packedMost {
		return p, false
	}
	n := 1 + int(min(int64(len(positions)/scatterMin), span))
	p = newPacker(n, min(2*len(positions), packMax, bitmapBytes*int(min(span+1, packMax))))
	last := int64(-1)
	for len(positions) > 0 {
		if positions[0] <= last {
			return p, false
		}
		n := p.addPositions(positions)
		if n == 0 {
			return p, false
		}
		last = positions[n-1]
		positions = positions[n:]
	}
	return p, last <= MaxPosition
}

// addPositions appends the container of the first position and returns how many are in it, or 0
// where they do not strictly ascend.
func (p *packer) addPositions(positions []int64) int {
	key := positions[0] >> containerBits
	if len(positions) <= packFew || positions[packFew]>>containerBits != key {
		return p.addFew(positions[:min(len(positions), packFew)], key)
	}
	part := positions[:group(positions)]
	// The group ends where a position lies beyond its container: if the group ascends and ends
	// inside of it, so do the group and the position behind it.
	n := len(part)
	if part[n-1]>>containerBits != key {
		return 0
	}
	if n > arrayMax {
		bm := asBitmap(p.room(bitmapBytes, bitmapKind)[:bitmapBytes])
		runs, ok := packBitmap(bm, part)
		if !ok {
			return 0
		}
		c := container{data: bm[:], key: uint64(key), card: uint32(n), kind: bitmapKind}
		p.add(&c, smallestOf(c.card, runs) == bitmapKind)
		return n
	}
	values := p.room(2*n, arrayKind)[:2*n]
	ascending, adjacent := kernel.Pack(values, part)
	if !ascending {
		return 0
	}
	p.addArray(values, uint64(key), n-adjacent)
	return n
}

// packBitmap sets the bits of positions that share a container in bm, whatever that holds, and
// gives the number of their runs. ok is false where they do not strictly ascend.
func packBitmap(bm *kernel.Bitmap, positions []int64) (runs int, ok bool) {
	clear(bm[:])
	var values [1024]byte // what stays in the first-level cache between both kernels
	runs = len(positions)
	last := positions[0] - 1
	for part := range slices.Chunk(positions, len(values)/2) {
		n := len(part)
		ascending, adjacent := kernel.Pack(values[:], part)
		if !ascending || part[0] <= last {
			return 0, false
		}
		if adjacent == n-1 {
			first := part[0] & (containerSpan - 1)
			setBitRange(bm[:], first, first+int64(n))
		} else {
			kernel.Flip(bm[:], values[:2*n])
		}
		if part[0] == last+1 {
			runs--
		}
		runs -= adjacent
		last = part[n-1]
	}
	return runs + 1, true // the first one has no predecessor
}

// addFew does the same for the first of positions, a container of no more of them.
func (p *packer) addFew(positions []int64, key int64) int {
	values := p.room(2*len(positions), arrayKind)
	n, runs := 0, 0
	last := key<<containerBits - 2
	for _, position := range positions {
		if position>>containerBits != key {
			break
		}
		if position <= last {
			return 0
		}
		binary.LittleEndian.PutUint16(values[2*n:], uint16(position))
		if position != last+1 {
			runs++
		}
		last = position
		n++
	}
	p.addArray(values[:2*n], uint64(key), runs)
	return n
}

func (p *packer) addArray(values []byte, key uint64, runs int) {
	card := uint32(len(values) / 2)
	p.add(&container{data: values, key: key, card: card, kind: arrayKind}, smallestOf(card, runs) == arrayKind)
}
