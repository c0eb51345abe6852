package main

import (
	"sync"
	"testing"
	"unsafe"
)

// works fails unless a handle is that of a vector.
func works(t *testing.T, h unsafe.Pointer) {
	t.Helper()
	if status := godv_set(h, 1); status != 0 {
		t.Fatalf("set: status %d", status)
	}
}

func TestAddressesAreUsedAgain(t *testing.T) {
	seen := map[unsafe.Pointer]bool{}
	const rounds = 4 * (graveyard + mostSpare)
	for range rounds {
		h := newVector(t)
		works(t, h)
		seen[h] = true
		godv_free(h, int32(kindVector))
	}
	if len(seen) > rounds/2 {
		t.Fatalf("%d addresses for %d handles, one after the other", len(seen), rounds)
	}
}

// TestMoreHandlesThanAddressesAreKept frees more handles at a time than keep their addresses, each of them twice.
func TestMoreHandlesThanAddressesAreKept(t *testing.T) {
	handles := make([]unsafe.Pointer, graveyard+mostSpare+1000)
	for range 3 {
		seen := map[unsafe.Pointer]bool{}
		for i := range handles {
			handles[i] = newVector(t)
			seen[handles[i]] = true
		}
		if len(seen) != len(handles) {
			t.Fatalf("%d live handles have %d addresses", len(handles), len(seen))
		}
		for _, h := range handles {
			works(t, h)
		}
		for i := range handles {
			godv_free(handles[i], int32(kindVector))
			godv_free(handles[len(handles)-1-i], int32(kindVector))
		}
		for _, h := range handles {
			if status := godv_set(h, 1); int32(status) != 1 {
				t.Fatalf("set of a freed handle: status %d", status)
			}
		}
	}
}

// TestWhatIsRememberedOfAnAddressMayBeOld puts a handle where C memory that was given back has been found before.
func TestWhatIsRememberedOfAnAddressMayBeOld(t *testing.T) {
	h := newVector(t)
	defer godv_free(h, int32(kindVector))
	place(h).Store(&address{self: h})
	works(t, h)
	if place(h).Load() != find(h).at {
		t.Fatal("the address is not remembered")
	}
	place(h).Store(&address{self: unsafe.Add(h, 1)})
	works(t, h)
}

// Under the race detector: threads that make and free handles all share the addresses.
func TestThreadsThatMakeHandles(t *testing.T) {
	const threads, rounds = 4, 5000
	var group sync.WaitGroup
	for range threads {
		group.Go(func() {
			var kept []unsafe.Pointer
			for i := range rounds {
				var h unsafe.Pointer
				if status := godv_new(unsafe.Pointer(&h)); status != 0 {
					t.Errorf("new: status %d", status)
					return
				}
				if status := godv_set(h, int64(i)); status != 0 {
					t.Errorf("set: status %d", status)
				}
				if kept = append(kept, h); len(kept) == 100 {
					for _, h := range kept {
						godv_free(h, int32(kindVector))
					}
					kept = kept[:0]
				}
			}
		})
	}
	group.Wait()
}

func TestEntriesShareNoCacheLine(t *testing.T) {
	if size := unsafe.Sizeof(entry{}); size%64 != 0 {
		t.Fatalf("an entry has %d bytes", size)
	}
}
