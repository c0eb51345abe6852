//go:build !dvpanic

package main

const (
	panicAtBegin = iota
	panicLocked
	panicHeld
)

// panicPoint does nothing outside the build that tests the guard.
func panicPoint(int) {}
