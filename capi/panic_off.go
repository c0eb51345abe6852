//go:build !dvpanic

package main

// panicPoint does nothing outside the build that tests the guard.
func panicPoint() {}
