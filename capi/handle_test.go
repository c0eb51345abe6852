package main

import (
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

func newVector(t *testing.T) unsafe.Pointer {
	t.Helper()
	var h unsafe.Pointer
	if status := godv_new(unsafe.Pointer(&h)); status != 0 {
		t.Fatalf("new: status %d", status)
	}
	return h
}

func TestFreedHandlesKeepTheirAddress(t *testing.T) {
	first := newVector(t)
	godv_free(first, int32(kindVector))
	for i := range graveyard - 1 {
		h := newVector(t)
		if h == first {
			t.Fatalf("the address came back after %d frees", i)
		}
		godv_free(h, int32(kindVector))
	}
	if status := godv_set(first, 1); int32(status) != 1 {
		t.Fatalf("set of a freed handle: status %d", status)
	}
	if n := atomic.LoadInt64(live); n != 0 {
		t.Fatalf("%d handles are left", n)
	}
}

func TestHoldingOneHandleTwiceHoldsItOnce(t *testing.T) {
	h := newVector(t)
	var c call
	c.hold(h, kindVector, reads)
	c.hold(h, kindVector, changes)
	if !c.lock() || c.n != 1 || c.held[0].mode != changes {
		t.Fatalf("%v, %d held, mode %d", c.err, c.n, c.held[0].mode)
	}
	c.release()
	godv_free(h, int32(kindVector)) // would wait for ever if something were still held
	if n := atomic.LoadInt64(live); n != 0 {
		t.Fatalf("%d handles are left", n)
	}
}

func TestFreeFromItsOwnCallWaitsForTheEndOfTheCall(t *testing.T) {
	h := newVector(t)
	var c call
	c.hold(h, kindVector, reads)
	godv_free_later(h, int32(kindVector))
	if n := atomic.LoadInt64(live); n != 1 {
		t.Fatalf("%d handles during the call", n)
	}
	if status := godv_set(h, 1); int32(status) != 1 {
		t.Fatalf("another call meanwhile: status %d", status)
	}
	c.release()
	if n := atomic.LoadInt64(live); n != 0 {
		t.Fatalf("%d handles after the call", n)
	}
}

// Under the race detector: handles that are used, changed and freed by several threads, in pairs
// and in both orders.
func TestThreadsOnSharedHandles(t *testing.T) {
	const threads, rounds, slots = 4, 2000, 4
	var shared [slots]atomic.Uintptr // addresses of C memory, not of Go's
	for i := range shared {
		shared[i].Store(uintptr(newVector(t)))
	}
	at := func(i int) unsafe.Pointer {
		p := shared[i%slots].Load()
		return *(*unsafe.Pointer)(unsafe.Pointer(&p))
	}
	allow := func(what string, status int32) {
		if status != 0 && status != 1 {
			t.Errorf("%s: status %d", what, status)
		}
	}
	var group sync.WaitGroup
	for thread := range threads {
		group.Go(func() {
			positions, out := []int64{1, 2, 70000}, make([]byte, 16)
			for i := range rounds {
				h, g := at(i*7+thread), at(i*5+1)
				switch (i + thread) % 8 {
				case 0:
					var made unsafe.Pointer
					if godv_new(unsafe.Pointer(&made)) == 0 {
						old := shared[i%slots].Swap(uintptr(made))
						godv_free(*(*unsafe.Pointer)(unsafe.Pointer(&old)), int32(kindVector))
					}
				case 1:
					godv_free(h, int32(kindVector))
				case 2:
					allow("or", int32(godv_or(h, g)))
				case 3:
					allow("andnot", int32(godv_andnot(h, g)))
				case 4:
					allow("keep_mask", int32(godv_keep_mask(h, 0, 100, unsafe.Pointer(&out[0]), 16)))
				case 5:
					allow("set_many", int32(godv_set_many(h, unsafe.Pointer(&positions[0]), 3)))
				case 6:
					allow("contains_many", int32(godv_contains_many(h, unsafe.Pointer(&positions[0]), 3, unsafe.Pointer(&out[0]))))
				default:
					allow("set", int32(godv_set(h, int64(i*thread))))
				}
			}
		})
	}
	group.Wait()
	for i := range shared {
		godv_free(at(i), int32(kindVector))
	}
	if n := atomic.LoadInt64(live); n != 0 {
		t.Fatalf("%d handles are left", n)
	}
}
