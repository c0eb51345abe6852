package hostile_test

import (
	"runtime"
	"testing"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/hostile"
)

// What docs/embedding.md says of the memory that changing a vector takes, in bytes for each of its containers. A container
// of one value is stored in 9 or 10 bytes.
const (
	firstChange = 64  // whatever the change is
	merged      = 160 // one that was merged with another
	single      = 256 // one in which single positions were added, as a roaring object beside its bytes
)

// heap is what is alive.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// inEach is a position in every container of v that v does not hold.
func inEach(t *testing.T, v *dv.Vector) []int64 {
	t.Helper()
	positions := make([]int64, v.Cardinality()) // one in each
	if _, err := v.Positions(0, dv.MaxPosition+1, positions); err != nil {
		t.Fatal(err)
	}
	for i := range positions {
		positions[i] += 9
	}
	return positions
}

// Vectors of the smallest containers, changed in every way: the cost is in proportion to their number.
func TestChangingIsBounded(t *testing.T) {
	changes := map[string]struct {
		allowed int64
		change  func(v *dv.Vector, each []int64) error
	}{
		"set":               {firstChange, func(v *dv.Vector, _ []int64) error { return v.Set(5) }},
		"set a range":       {firstChange, func(v *dv.Vector, _ []int64) error { return v.SetRange(0, 100) }},
		"set many":          {single, func(v *dv.Vector, each []int64) error { return v.SetMany(each) }},
		"run-length encode": {firstChange, func(v *dv.Vector, _ []int64) error { v.RunLengthEncode(); return nil }},
		"set in each": {single, func(v *dv.Vector, each []int64) error {
			for _, position := range each {
				if err := v.Set(position); err != nil {
					return err
				}
			}
			return nil
		}},
		"set in each, then read": {single, func(v *dv.Vector, each []int64) error {
			if err := v.SetMany(each); err != nil {
				return err
			}
			_, err := v.Count(0, dv.MaxPosition+1)
			return err
		}},
		"or": {merged, func(v *dv.Vector, each []int64) error {
			other := dv.New()
			if err := other.SetMany(each); err != nil {
				return err
			}
			return v.Or(other)
		}},
		"and not": {merged, func(v *dv.Vector, each []int64) error {
			other := dv.New()
			if err := other.SetMany(each); err != nil {
				return err
			}
			return v.AndNot(other)
		}},
	}
	hostile.Worst(1<<20, func(c hostile.Case) {
		if c.Name != "bitmap-three" && c.Name != "bitmap-single" {
			return
		}
		for name, test := range changes {
			v, err := dv.ParseBitmap(append([]byte{}, c.Data...))
			if err != nil {
				t.Fatal(err)
			}
			each := inEach(t, v)
			before := heap()
			if err := test.change(v, each); err != nil {
				t.Fatal(err)
			}
			taken := (heap() - before) / int64(len(each))
			if taken > test.allowed {
				t.Errorf("%s, %s: %d bytes for each container, expected at most %d", c.Name, name, taken, test.allowed)
			}
			t.Logf("%s, %s: %d bytes for each of %d containers", c.Name, name, taken, len(each))
			runtime.KeepAlive(v)
			runtime.KeepAlive(each)
		}
	})
}
