package main

// #include "shim.h"
import "C"

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/libdv/libdv/internal/dv"
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
	id    uint64 // the lock order of calls with several handles
	at    *address
	value any

	lifetime lifetime
	mu       sync.RWMutex
	spoilt   atomic.Bool // a call panicked while it was changing the value
	_        [32]byte    // threads that use two entries share no cache line
}

var (
	lastID atomic.Uint64
	live   = (*int64)(&C.shim_live_handles)
)

// newHandle makes a handle for value.
func newHandle(k kind, value any) unsafe.Pointer {
	e := &entry{kind: k, id: lastID.Add(1), value: value}
	settle(e)
	atomic.AddInt64(live, 1)
	return e.at.self
}

// acquire finds the entry behind a handle and keeps it from being freed until it is left.
func acquire(handle unsafe.Pointer, k kind) (*entry, error) {
	e := find(handle)
	if e == nil {
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
	retire(e.at)
}

// letGo releases a value. It recovers by itself: it also runs where calls end, outside their guard.
func letGo(value any, e *entry) {
	defer func() { _ = recover() }()
	switch v := value.(type) {
	case releaser:
		v.release(e)
	case *dv.Vector:
		v.Release()
	}
}

//export godv_free
func godv_free(handle unsafe.Pointer, k int32) {
	var status C.dv_status
	var c call
	defer c.end(&status) // a free reports nothing, but it does not panic either
	c.begin()
	if e := find(handle); e != nil && e.kind == kind(k) && e.lifetime.end() {
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
	if e := find(handle); e != nil && e.kind == kind(k) && e.lifetime.endLater() {
		e.bury()
	}
}
