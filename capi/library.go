// Package main is the border between libdv and C: it is built with -buildmode=c-shared.
//
// A public function lives in shim.c, which checks what needs no Go and then calls the Go
// function of the same name with "go" before it. Such a function restores its handles, locks
// them, calls a codec and copies the result out; it knows nothing of any format. Every one of
// them has the same frame:
//
//	var c call
//	defer c.end(&status) // unlocks, recovers, records the text, sets the status
//	c.begin()
//
// Results are written to the caller only when nothing can fail any more.
package main

// #cgo CFLAGS: -std=gnu11 -O2 -I${SRCDIR}/../include -DDV_BUILD
// #include "shim.h"
import "C"

func main() {} // never runs; c-shared wants it
