package stack

import (
	"testing"
	"unsafe"
)

// grows tells whether a local variable moves while Reserve runs, on a new goroutine: its stack was copied to a larger one.
//
//go:noinline
func grows() (moved, movedAgain bool) {
	var local [8]byte
	before := uintptr(unsafe.Pointer(&local))
	Reserve()
	after := uintptr(unsafe.Pointer(&local))
	Reserve()
	return before != after, after != uintptr(unsafe.Pointer(&local))
}

func TestReserveGrowsAStackOnce(t *testing.T) {
	done := make(chan [2]bool)
	go func() {
		moved, again := grows()
		done <- [2]bool{moved, again}
	}()
	if got := <-done; got != [2]bool{true, false} {
		t.Errorf("the stack moved: %v, expected the first time only", got)
	}
}

func BenchmarkReserve(b *testing.B) {
	for range b.N {
		Reserve()
	}
}
