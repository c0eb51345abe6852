package dv

import (
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/kernel"
)

// The checks of payloads that come from outside: linear in their bytes, complete and never
// skipped. at is the payload's offset in what is being read, for the message.

// changed says that bytes which belong to somebody else are not what they were a moment ago.
func changed(key uint64, at int) error {
	return fault.Corrupt("byte %d: a container (key %d) changed while it was read, expected bytes that stay", at, key)
}

// badArray says where values that do not ascend fall first.
func badArray(p []byte, key uint64, at int) error {
	i := kernel.FirstFall(p)
	if i < 0 {
		return changed(key, at)
	}
	return fault.Corrupt("byte %d: value %d of an array container (key %d) is %d after %d, expected ascending values",
		at+2*i, i, key, u16at(p, i), u16at(p, i-1))
}

// checkRuns accepts adjacent runs, which some writers leave behind.
func checkRuns(p []byte, key uint64, card uint32, at int) error {
	next, sum := uint32(0), uint32(0)
	for i := range len(p) / 4 {
		first, last := runAt(p, i)
		if first < next {
			return fault.Corrupt("byte %d: run %d of a container (key %d) starts at %d, expected %d or more", at+4*i, i, key, first, next)
		}
		if last >= containerSpan {
			return fault.Corrupt("byte %d: run %d of a container (key %d) ends at %d, expected at most 65535", at+4*i, i, key, last)
		}
		next = last + 1
		sum += next - first
	}
	if sum != card {
		return fault.Corrupt("byte %d: the runs of a container (key %d) hold %d values, expected the %d of its header", at, key, sum, card)
	}
	return nil
}
