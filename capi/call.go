package main

// #include "shim.h"
import "C"

import (
	"runtime/debug"
	"unsafe"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/stack"
)

var errSpoilt = fault.State("an earlier call on this object failed within libdv while it was changing it: free it")

// mode is what a call does with an entry.
type mode uint8

const (
	uses    mode = iota // an object that never changes: it is kept from being freed, no more
	reads               // along with other readers
	changes             // alone
)

// maxHeld is how many handles one call holds at most.
const maxHeld = C.SHIM_HELD

// hold is an entry that a call uses, and how.
type hold struct {
	entry  *entry
	mode   mode
	locked bool
}

// call is one call from C: the entries it holds and its failure. It lives on the stack of the
// exported function and must not leave it, or a call would cost an allocation.
type call struct {
	err    error
	held   [maxHeld]hold
	n      int
	result unsafe.Pointer // C memory that only a call that succeeds gives away
}

// begin lets memory faults be panics, which end recovers, and not the end of the process: callers
// lend memory that may be a mapped file. It makes room for a signal handler of the host that runs
// on the stack of the call. It is also where a panic on demand happens, in the build that has it.
func (c *call) begin() {
	stack.Reserve()
	debug.SetPanicOnFault(true)
	panicPoint(panicAtBegin)
}

// end is deferred by every exported function. It turns a panic into a failure, releases what
// the call holds and sets the status. Of a call that failed no memory is left.
func (c *call) end(status *C.dv_status) {
	if value := recover(); value != nil {
		c.err = caught(value)
		_, isBug := c.err.(bug)
		c.spoil(isBug)
	}
	c.release()
	if c.err != nil {
		C.shim_free(c.result)
		*status = record(c.err)
	}
}

// spoil marks what a panic may have left half done: an object that the call was changing, for half
// a deletion vector is a wrong one, and after a bug also one that decodes itself on first use. All
// that is left to do with it is to free it.
func (c *call) spoil(isBug bool) {
	for i := range c.held[:c.n] {
		h := &c.held[i]
		changing := h.locked && h.mode == changes
		decoding := h.entry.kind == kindMumbling || h.entry.kind == kindPuffin
		if changing || isBug && decoding {
			h.entry.spoilt.Store(true)
		}
	}
}

// release lets go of everything, the locks first: freeing an object may run its owner's callback.
func (c *call) release() {
	for i := c.n - 1; i >= 0; i-- {
		if h := &c.held[i]; h.locked {
			h.unlock()
		}
	}
	for i := 0; i < c.n; i++ {
		c.held[i].entry.leave()
	}
	c.n = 0
}

// hold adds the entry of a handle to the call, or fails the call.
func (c *call) hold(handle unsafe.Pointer, k kind, m mode) *entry {
	if c.err != nil {
		return nil
	}
	e, err := acquire(handle, k)
	if err != nil {
		c.err = err
		return nil
	}
	c.add(e, m)
	panicPoint(panicHeld)
	if e.spoilt.Load() {
		c.err = errSpoilt
	}
	return e
}

// add takes over an acquired entry. The same entry twice is held once, in the stronger mode.
func (c *call) add(e *entry, m mode) {
	for i := range c.held[:c.n] {
		if h := &c.held[i]; h.entry == e {
			h.mode = max(h.mode, m)
			e.leave() // it stays held
			return
		}
	}
	c.held[c.n] = hold{entry: e, mode: m}
	c.n++
}

// lock locks what the call holds, in the order in which all calls lock, and reports whether the
// call has not failed.
func (c *call) lock() bool {
	if c.err != nil {
		return false
	}
	held := c.held[:c.n]
	for i := 1; i < len(held); i++ { // at most three: insertion sort
		for j := i; j > 0 && held[j].entry.id < held[j-1].entry.id; j-- {
			held[j], held[j-1] = held[j-1], held[j]
		}
	}
	for i := range held {
		held[i].lock()
	}
	for i := range held { // again: a call that was waited for may have panicked
		if held[i].entry.spoilt.Load() {
			c.err = errSpoilt
			return false
		}
	}
	panicPoint(panicLocked)
	return true
}

func (h *hold) lock() {
	switch h.mode {
	case reads:
		h.entry.mu.RLock()
	case changes:
		h.entry.mu.Lock()
	default:
		return
	}
	h.locked = true
}

func (h *hold) unlock() {
	h.locked = false
	if h.mode == changes {
		h.entry.mu.Unlock()
	} else {
		h.entry.mu.RUnlock()
	}
}

// handles lists what the call holds, for the callbacks that it runs.
func (c *call) handles() (list handles) {
	for i := range c.held[:c.n] {
		list[i] = c.held[i].entry.at.self
	}
	return list
}

// vector holds and locks the only handle of a call; nil where the call failed.
func (c *call) vector(handle unsafe.Pointer, m mode) *dv.Vector {
	e := c.hold(handle, kindVector, m)
	if !c.lock() {
		return nil
	}
	return e.value.(*dv.Vector)
}
