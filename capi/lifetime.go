package main

import "sync/atomic"

// lifetime says whether an object is still there: how many calls use it, and whether it is being
// freed. It is no lock: a call that comes after a free has begun is turned away and never waits, so
// that a free which waits for calls under way holds nobody up, not even a callback of one of them.
type lifetime struct {
	state atomic.Int64  // calls under way, and the bits below
	begun atomic.Bool   // some free has begun: any other one does nothing
	idle  chan struct{} // closed by the last call, where a free waits for it
}

const (
	closing int64 = 1 << 62 // a free has begun
	byLast  int64 = 1 << 61 // and the last call under way has to carry it out
)

// enter begins a call, unless a free has begun.
func (l *lifetime) enter() bool {
	for {
		state := l.state.Load()
		if state&closing != 0 {
			return false
		}
		if l.state.CompareAndSwap(state, state+1) {
			return true
		}
	}
}

// leave ends a call, and reports whether the caller has to carry out a free.
func (l *lifetime) leave() bool {
	switch l.state.Add(-1) {
	case closing:
		close(l.idle)
	case closing | byLast:
		return true
	}
	return false
}

// end begins a free, waits for the calls under way, and reports whether the caller has to carry it
// out: the first one has.
func (l *lifetime) end() bool {
	if !l.begun.CompareAndSwap(false, true) {
		return false
	}
	if l.state.CompareAndSwap(0, closing) {
		return true
	}
	l.idle = make(chan struct{})
	if l.state.Or(closing) != 0 {
		<-l.idle
	}
	return true
}

// endLater is end for a thread that is within a call on the object itself: it waits for nobody. It
// reports whether no call is under way any more, and the caller has to carry the free out.
func (l *lifetime) endLater() bool {
	return l.begun.CompareAndSwap(false, true) && l.state.Or(closing|byLast) == 0
}
