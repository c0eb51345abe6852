package main

import (
	"sync/atomic"
	"unsafe"

	"github.com/mattn/go-pointer"
)

// address is what a handle is to C. It outlives what it stands for: making one, and giving it back,
// costs more than the rest of an object's life does.
type address struct {
	self  unsafe.Pointer
	entry atomic.Pointer[entry] // nil: it stands for nothing
}

const (
	graveyard = 4096 // how many freed handles keep their address
	mostSpare = 4096 // how many addresses, beyond these, may wait to be used again
	known     = 1024 // how many are found without go-pointer, which all threads have to lock; a power of 2
)

// freed holds the addresses of freed handles, first in, first out. The delay makes a handle that is used or
// freed once too often meet its own closed entry and not somebody else's object.
var freed struct {
	next ticket
	ring [graveyard]atomic.Pointer[address]
}

// spare holds addresses that stand for nothing any more. Whoever comes to an empty place, or to one that is
// taken, goes without: no thread waits for another one here.
var spare struct {
	puts, takes ticket
	ring        [mostSpare]atomic.Pointer[address]
}

// ticket counts, in a cache line of its own.
type ticket struct {
	atomic.Uint64
	_ [56]byte
}

// recent remembers what go-pointer answered. What it says of an address that stands for nothing may be out of date:
// C memory is used again.
var recent [known]atomic.Pointer[address]

// place is where a handle is remembered. Handles that were made one after the other have places of their own.
func place(handle unsafe.Pointer) *atomic.Pointer[address] {
	const least = 32 // bytes from one chunk of C memory to the next
	return &recent[uintptr(handle)/least%known]
}

// settle gives an entry its address.
func settle(e *entry) {
	a := spare.ring[spare.takes.Add(1)%mostSpare].Swap(nil)
	if a == nil {
		a = new(address)
		a.self = pointer.Save(a)
	}
	e.at = a
	a.entry.Store(e)
	place(a.self).Store(a) // it will be asked for
}

// find gives the entry that a handle stands for, which may be closed; nil where it stands for nothing.
func find(handle unsafe.Pointer) *entry {
	place := place(handle)
	if a := place.Load(); a != nil && a.self == handle {
		if e := a.entry.Load(); e != nil {
			return e
		}
	}
	a, ok := pointer.Restore(handle).(*address)
	if !ok {
		return nil
	}
	place.Store(a)
	return a.entry.Load()
}

// retire lets the address of a freed handle be used again, after graveyard other ones.
func retire(a *address) {
	oldest := freed.ring[freed.next.Add(1)%graveyard].Swap(a)
	if oldest == nil {
		return
	}
	oldest.entry.Store(nil)
	if surplus := spare.ring[spare.puts.Add(1)%mostSpare].Swap(oldest); surplus != nil {
		pointer.Unref(surplus.self)
	}
}
