package dv

import "sync"

// bufferMin and bufferMax bound the payloads whose memory is used again: small ones cost nothing,
// and huge ones are not to be kept.
const (
	bufferMin = 32 << 10
	bufferMax = 16 << 20
)

// buffers are pieces of memory that nobody else has. What was written a moment ago is still in the
// caches, and need not be cleared.
var buffers sync.Pool

// takeBuffer gives n bytes, whatever they contain.
func takeBuffer(n int) []byte {
	if n < bufferMin || n > bufferMax {
		return make([]byte, n)
	}
	if b, _ := buffers.Get().(*[]byte); b != nil && cap(*b) >= n && cap(*b) <= 4*n {
		return (*b)[:n]
	}
	return make([]byte, n)
}

// giveBuffer takes back what nobody has any more.
func giveBuffer(b []byte) {
	if cap(b) >= bufferMin && cap(b) <= bufferMax {
		buffers.Put(&b)
	}
}

// Release makes the vector empty and gives up its memory, for other vectors to use. Nobody needs to
// call it: it is sooner than the collector.
func (v *Vector) Release() {
	if v.pooled && !v.lent.Load() {
		giveBuffer(v.data)
	}
	v.data, v.refs, v.borrowed, v.smallest, v.pooled = nil, nil, false, false, false
	v.changed, v.slots, v.card = false, nil, 0
	v.stale.Store(0)
	v.lent.Store(false)
}
