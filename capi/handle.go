package main

// #include "shim.h"
import "C"

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/mattn/go-pointer"

	"github.com/libdv/libdv/internal/fault"
)

// kind says what a handle stands for.
type kind int32

const (
	kindVector      kind = C.SHIM_VECTOR
	kindSource      kind = C.SHIM_SOURCE
	kindSink        kind = C.SHIM_SINK
	kindPuffin      kind = C.SHIM_PUFFIN
	kindWriter      kind = C.SHIM_WRITER
	kindDeltaWriter kind = C.SHIM_DELTA_WRITER
	kindMumbling    kind = C.SHIM_MUMBLING
)

var kindNames = [...]string{
	kindVector:      "dv_t",
	kindSource:      "dv_source_t",
	kindSink:        "dv_sink_t",
	kindPuffin:      "dv_puffin_t",
	kindWriter:      "dv_writer_t",
	kindDeltaWriter: "dv_delta_writer_t",
	kindMumbling:    "mumbling_t",
}

func (k kind) String() string { return kindNames[k] }

// releaser is a value that owns more than Go memory. release runs once, when its handle is
// freed and no call uses it any more.
type releaser interface{ release(self *entry) }

// entry is what a handle stands for. lifetime says whether it is still there; mu is for the kinds
// that change.
type entry struct {
	kind  kind
	id    uint64         // the lock order of calls with several handles
	self  unsafe.Pointer // the handle
	value any

	lifetime lifetime
	mu       sync.RWMutex
	spoilt   atomic.Bool // a call panicked while it was changing the value
}

var (
	lastID atomic.Uint64
	live   = (*int64)(&C.shim_live_handles)
)

// newHandle makes a handle for value.
func newHandle(k kind, value any) unsafe.Pointer {
	e := &entry{kind: k, id: lastID.Add(1), value: value}
	e.self = pointer.Save(e)
	atomic.AddInt64(live, 1)
	return e.self
}

// acquire finds the entry behind a handle and keeps it from being freed until it is left.
func acquire(handle unsafe.Pointer, k kind) (*entry, error) {
	e, ok := pointer.Restore(handle).(*entry)
	if !ok {
		return nil, fault.Invalid("the %s is no handle of this library, or was freed", k)
	}
	if e.kind != k {
		return nil, fault.Invalid("a %s was given where a %s is expected", e.kind, k)
	}
	if !e.lifetime.enter() {
		return nil, fault.Invalid("the %s was freed", k)
	}
	return e, nil
}

// leave ends the use of an entry that was acquired.
func (e *entry) leave() {
	if e.lifetime.leave() {
		e.bury()
	}
}

// bury lets the value of an entry go that no call uses or finds any more.
func (e *entry) bury() {
	value := e.value
	e.value = nil
	atomic.AddInt64(live, -1)
	letGo(value, e)
	retire(e.self)
}

// letGo releases a value. It recovers by itself: it also runs where calls end, outside their guard.
func letGo(value any, e *entry) {
	defer func() { _ = recover() }()
	if r, ok := value.(releaser); ok {
		r.release(e)
	}
}

// graveyard is how many freed handles keep their address.
const graveyard = 4096

// retired holds the addresses of freed handles, first in, first out. go-pointer gives an address
// out again as soon as it may: this delays it, so that a handle which is used or freed once too
// often meets its own closed entry and not somebody else's object.
var retired struct {
	sync.Mutex
	ring [graveyard]unsafe.Pointer
	next int
}

func retire(handle unsafe.Pointer) {
	retired.Lock()
	oldest := retired.ring[retired.next]
	retired.ring[retired.next] = handle
	retired.next = (retired.next + 1) % graveyard
	retired.Unlock()
	if oldest != nil {
		pointer.Unref(oldest)
	}
}

// find restores a handle that is to be freed; it may be gone already.
func find(handle unsafe.Pointer, k kind) *entry {
	e, ok := pointer.Restore(handle).(*entry)
	if !ok || e.kind != k {
		return nil
	}
	return e
}

//export godv_free
func godv_free(handle unsafe.Pointer, k int32) {
	var status C.dv_status
	var c call
	defer c.end(&status) // a free reports nothing, but it does not panic either
	c.begin()
	if e := find(handle, kind(k)); e != nil && e.lifetime.end() {
		e.bury()
	}
}

// godv_free_later frees a handle from its own callback: when the call that runs it returns.
//
//export godv_free_later
func godv_free_later(handle unsafe.Pointer, k int32) {
	var status C.dv_status
	var c call
	defer c.end(&status)
	c.begin()
	if e := find(handle, kind(k)); e != nil && e.lifetime.endLater() {
		e.bury()
	}
}
