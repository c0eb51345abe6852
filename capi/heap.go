package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// heapRoom is what the Go heap may grow by, at least, between two collections. By itself the
// collector lets a heap double from 4 MiB on: for a library whose heap is nearly empty but for
// the vectors of the call under way, that is a collection in every call or two.
const heapRoom = 32 << 20

// Collector settings: percent of the live heap by which it may grow.
const (
	leastPercent = 100
	mostPercent  = 800 // of the 4 MiB that the runtime takes for the least heap
)

func init() { growHeap(struct{}{}) }

// growHeap sets the collector by what is live, now and after each collection, whose end the
// death of an object tells.
func growHeap(struct{}) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	percent := mostPercent
	if live[0].Value.Kind() == metrics.KindUint64 {
		percent = percentFor(live[0].Value.Uint64())
	}
	debug.SetGCPercent(percent)
	// It must not be a tiny object, which dies with its neighbours.
	runtime.AddCleanup(new([64]byte), growHeap, struct{}{})
}

func percentFor(live uint64) int {
	if live == 0 {
		return mostPercent
	}
	return int(min(max(heapRoom*100/live, leastPercent), mostPercent))
}
