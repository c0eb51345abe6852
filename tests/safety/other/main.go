// Package main is another Go library, for tests of two Go runtimes in one process.
package main

import "C"

import "runtime"

// other_work keeps its runtime busy: goroutines, garbage, a collection, a fault that it recovers from. It returns n.
//
//export other_work
func other_work(n C.int) C.int {
	parts := make(chan []int, 8)
	for i := range 8 {
		go func() {
			part := make([]int, 1000)
			for j := i; j < int(n); j += 8 {
				part = append(part, j)
			}
			parts <- part[1000:]
		}()
	}
	sum := 0
	for range 8 {
		sum += len(<-parts)
	}
	runtime.GC()
	return C.int(sum + fault())
}

// fault is 0, after a fault that becomes a panic.
func fault() (n int) {
	defer func() {
		if recover() == nil {
			n = 1
		}
	}()
	var nowhere *int
	return *nowhere
}

func main() {}
