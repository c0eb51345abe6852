// Command gen writes the amd64 kernels of package kernel: go run . in this folder.
package main

import . "github.com/mmcloughlin/avo/build" //nolint:staticcheck // avo's own style

// text begins a function whose pointers do not outlive the call.
func text(name, signature string) {
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
}

func main() {
	ConstraintExpr("!purego")
	order512()
	order256()
	count512()
	count256()
	copy512()
	shiftDown512()
	copy256()
	fill256()
	widen256()
	consecutive256()
	combine256()
	positionsBMI()
	keepBytes512()
	positions512()
	indices512()
	values512()
	widen512()
	consecutive512()
	fence()
	survey512()
	runs512()
	setRuns256()
	crc()
	union512()
	union128()
	sort512()
	pack512()
	flip()
	Generate()
}
