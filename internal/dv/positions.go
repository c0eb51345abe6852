package dv

import (
	"math/bits"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/kernel"
)

// Positions writes the positions of [start, end), ascending, as many as out holds, and
// returns their number. A number below len(out) says that there are no more; to page, go on
// from the last position + 1. Any end.
func (v *Vector) Positions(start, end int64, out []int64) (int, error) {
	if start < 0 {
		return 0, fault.Invalid("range start %d, expected 0 or more", start)
	}
	if start >= end || len(out) == 0 {
		return 0, nil
	}
	end = min(end, MaxPosition+1)
	if start >= end {
		return 0, nil
	}
	total := len(out)
	store, err := v.store(start, end, total)
	if err != nil {
		return 0, err
	}
	lo := v.search(uint64(start) >> containerBits)
	hi := v.search(uint64(end-1)>>containerBits + 1)
	var p part
	for i := lo; i < hi && len(out) > 0; i++ {
		v.settle(i, i+1)
		p.container = v.at(i)
		p.clip(start, end)
		out = out[p.positions(out, store):]
	}
	kernel.Fence(store)
	return total - len(out), nil
}

// streamMin is how many positions are streamed: 32 MiB of them would drive from the caches what
// is there, and only their end would stay.
const streamMin = 4 << 20

func storeOf(positions int64) kernel.Store { return positions >= streamMin }

// store tells how as many positions of [start, end) as room holds are written.
func (v *Vector) store(start, end int64, room int) (kernel.Store, error) {
	if room < streamMin || v.card < streamMin {
		return kernel.Cached, nil
	}
	n, err := v.Count(start, end)
	return storeOf(min(n, int64(room))), err
}

// store is Vector.store for the bitmap that is being read: what follows it is not known yet.
func (r *reading) store(room int) kernel.Store {
	if room < streamMin {
		return kernel.Cached
	}
	if r.i == 1 {
		r.positions = 0
		for i := range r.n {
			r.positions += int64(u16at(r.data[r.heads:], 2*i+1)) + 1
		}
	}
	return storeOf(min(r.positions, int64(room)))
}

// positions writes as many positions of the part as out holds, and nothing behind them.
func (p *part) positions(out []int64, store kernel.Store) int {
	out = out[:min(len(out), int(p.card))] // the kernels use what they are given for scratch
	switch p.kind {
	case arrayKind:
		values := p.array()
		kernel.Widen(out, values, p.base(), store)
		return min(len(out), len(values)/2)
	case bitmapKind:
		return p.positionsOfBitmap(out)
	default:
		if p.from == 0 && p.to == containerSpan && int(p.card) <= len(out) {
			return kernel.PositionsOfRuns(out, p.data, p.base(), int(p.card), store)
		}
		n, base := 0, p.base()
		p.runs(func(first, end uint32) {
			k := min(int(end-first), len(out)-n)
			kernel.Count(out[n:n+k], base+int64(first), store)
			n += k
		})
		return n
	}
}

func (p *part) positionsOfBitmap(out []int64) int {
	if p.from == 0 && p.to == containerSpan {
		return kernel.Positions(out, p.data, p.base(), int(p.card))
	}
	n := 0
	for from := p.from; from < p.to; {
		k := min(64-from&63, p.to-from)
		word := u64at(p.data, int(from>>6)) >> (from & 63)
		if k < 64 {
			word &= 1<<k - 1
		}
		base := p.base() + int64(from)
		for ; word != 0; word &= word - 1 {
			if n == len(out) {
				return n
			}
			out[n] = base + int64(bits.TrailingZeros64(word))
			n++
		}
		from += k
	}
	return n
}
