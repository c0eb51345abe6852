package dv

import (
	"math"

	"github.com/libdv/libdv/internal/fault"
)

// checkWindow proves the rows start .. start+length-1 that a scan asks for.
func checkWindow(start, length int64) error {
	if start < 0 || length < 0 {
		return fault.Invalid("window of %d rows from row %d on, expected both 0 or more", length, start)
	}
	if length > math.MaxInt64-start {
		return fault.Invalid("window of %d rows from row %d on, expected an end that fits int64", length, start)
	}
	return nil
}

// part is what a window covers of one container.
type part struct {
	container
	from, to uint32 // values [from, to) are inside
	at       int64  // index of value from in the window
}

// parts goes through the containers that a window reaches, ascending.
type parts struct {
	v          *Vector
	i, hi      int
	start, end int64
}

func (v *Vector) parts(start, length int64) parts {
	w := parts{v: v, start: start, end: start + length}
	if length > 0 {
		w.i, w.hi = v.window(w.start, w.end)
	}
	return w
}

func (w *parts) next(p *part) bool {
	if w.i == w.hi {
		return false
	}
	p.container = w.v.at(w.i)
	p.clip(w.start, w.end)
	w.i++
	return true
}

func (p *part) clip(start, end int64) {
	p.from, p.to = clip(p.base(), start, end)
	p.at = p.base() + int64(p.from) - start
}

// array gives the values of an array container inside the window.
func (p *part) array() []byte {
	data := p.data
	if p.to < containerSpan {
		data = data[:2*arraySearch(data, p.to)]
	}
	if p.from > 0 {
		data = data[2*arraySearch(data, p.from):]
	}
	return data
}

// runs calls yield for the part of every run inside the window, as values [first, end).
func (p *part) runs(yield func(first, end uint32)) {
	n := len(p.data) / 4
	i := 0
	if p.from > 0 {
		i = runSearch(p.data, p.from)
	}
	for ; i < n; i++ {
		first, last := runAt(p.data, i)
		if first >= p.to {
			return
		}
		yield(max(first, p.from), min(last+1, p.to))
	}
}
