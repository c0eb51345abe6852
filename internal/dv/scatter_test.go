package dv

import (
	"errors"
	"testing"

	"github.com/libdv/libdv/internal/fault"
)

// TestPositionsThatChanged: what was found of the positions before is no longer so, as if another
// thread of the host had written to them meanwhile.
func TestPositionsThatChanged(t *testing.T) {
	for _, c := range []struct {
		name      string
		positions []int64
		low       int64
		span      int
	}{
		{"below the first container", []int64{5<<containerBits + 1, 4 << containerBits}, 5, 1},
		{"behind the last container", []int64{5 << containerBits, 6 << containerBits}, 5, 1},
		{"far below", []int64{5 << containerBits, -1 << 63}, 5, 3},
		{"far behind", []int64{5 << containerBits, 1<<63 - 1}, 5, 3},
	} {
		values := make([]byte, 2*len(c.positions))
		if _, err := buildScattered(values, c.positions, c.low, c.span); !errors.Is(err, fault.ErrInvalidArgument) {
			t.Errorf("%s: %v, expected an invalid argument", c.name, err)
		}
	}
	for _, changed := range [][]int64{{-1, 7}, {7, 1<<63 - 1}} {
		if _, _, pays := scatters(changed); pays {
			t.Errorf("%d: sorting by containers pays", changed)
		}
		for name, err := range map[string]error{"held": New().holdUnordered(changed), "built": second(buildUnordered(changed))} {
			if !errors.Is(err, fault.ErrInvalidArgument) {
				t.Errorf("%d %s: %v, expected an invalid argument", changed, name, err)
			}
		}
	}
}

func second(_ []container, err error) error { return err }
