package mumbling

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/golden"
)

func TestArguments(t *testing.T) {
	b := open(t, unhex(t, control))
	for _, p := range []int32{-1, math.MinInt32} {
		if _, err := b.IsSet(p); fault.Kind(err) != fault.ErrInvalidArgument {
			t.Errorf("is set %d: %v, expected %v", p, err, fault.ErrInvalidArgument)
		}
		err := b.IsSetMany([]int32{1, p}, make([]byte, 2))
		if fault.Kind(err) != fault.ErrInvalidArgument || !strings.Contains(err.Error(), "index 1") {
			t.Errorf("is set of many %d: %v, expected %v", p, err, fault.ErrInvalidArgument)
		}
		if err := b.KeepMask(p, 1, make([]byte, 1)); fault.Kind(err) != fault.ErrInvalidArgument {
			t.Errorf("mask from %d: %v, expected %v", p, err, fault.ErrInvalidArgument)
		}
		if err := b.KeepMask(1, p, make([]byte, 1)); fault.Kind(err) != fault.ErrInvalidArgument {
			t.Errorf("mask of %d rows: %v, expected %v", p, err, fault.ErrInvalidArgument)
		}
	}
	if err := b.IsSetMany([]int32{1, 2}, make([]byte, 1)); fault.Kind(err) != fault.ErrTooSmall {
		t.Errorf("is set of two into one byte: %v, expected %v", err, fault.ErrTooSmall)
	}
	if err := b.KeepMask(0, 9, make([]byte, 1)); fault.Kind(err) != fault.ErrTooSmall {
		t.Errorf("mask of 9 rows into one byte: %v, expected %v", err, fault.ErrTooSmall)
	}
	if n, err := b.Positions(nil); n != 36 || fault.Kind(err) != fault.ErrTooSmall {
		t.Errorf("positions into nothing: %d, %v, expected 36 and %v", n, err, fault.ErrTooSmall)
	}
	if err := b.IsSetMany(nil, nil); err != nil {
		t.Error(err)
	}
	if err := b.KeepMask(math.MaxInt32, 0, nil); err != nil {
		t.Error(err)
	}
	empty := open(t, []byte{1, 0, 0, 0, 0, 0})
	if n, err := empty.Positions(nil); n != 0 || err != nil {
		t.Errorf("positions of nothing into nothing: %d, %v", n, err)
	}
}

// Windows at the end of what int32 can say are all kept.
func TestFarWindows(t *testing.T) {
	b := open(t, golden.Read(t, "mumbling/max_position.bin"))
	out := make([]byte, 25)
	for _, start := range []int32{2097152, math.MaxInt32 - 200, math.MaxInt32 - 1, math.MaxInt32} {
		if err := b.KeepMask(start, 200, out); err != nil || !bytes.Equal(out, bytes.Repeat([]byte{0xFF}, 25)) {
			t.Errorf("200 rows from %d: %x, %v, expected all to be kept", start, out, err)
		}
	}
	if err := b.KeepMask(2097151, 3, out); err != nil || out[0] != 0b110 {
		t.Errorf("3 rows from 2097151: %b, %v, expected 110", out[0], err)
	}
}

// Read copies and ReadOwned does not.
func TestOwnership(t *testing.T) {
	data := unhex(t, control)
	copied := open(t, data)
	owned, err := ReadOwned(data)
	if err != nil {
		t.Fatal(err)
	}
	if &owned.Buffer()[0] != &data[0] {
		t.Error("ReadOwned copied its bytes")
	}
	clear(data)
	if !bytes.Equal(copied.Buffer(), unhex(t, control)) {
		t.Error("Read kept its caller's bytes")
	}
	if err := copied.Validate(); err != nil {
		t.Error(err)
	}
}

// A fault found at first use is the same error from every later call that needs the descriptors.
func TestFaultIsKept(t *testing.T) {
	b := open(t, unhex(t, "010100000100060000"))
	_, first := b.IsSet(0)
	_, err := b.Positions(nil)
	for _, again := range []error{err, b.Validate(), b.KeepMask(0, 0, nil), b.IsSetMany(nil, nil)} {
		if first == nil || again != first {
			t.Errorf("%v, expected the first error again: %v", again, first)
		}
	}
	if b.Cardinality() != 1 || len(b.Buffer()) != 9 {
		t.Error("cardinality and buffer need no descriptors, and yet they changed")
	}
}

// Many threads come first at once; run with -race.
func TestConcurrentFirstUse(t *testing.T) {
	f := golden.Read(t, "mumbling/containers_1000.bin")
	broken := slices.Clone(f[:len(f)-1])
	for _, data := range [][]byte{f, broken} {
		want := newModel(data)
		b := open(t, data)
		start := make(chan struct{})
		errs := make([]error, 32)
		var threads sync.WaitGroup
		for i := range errs {
			threads.Go(func() {
				<-start
				errs[i] = use(b, i, &want)
			})
		}
		close(start)
		threads.Wait()
		for _, err := range errs {
			if want.readable && err != nil || !want.readable && (err == nil || err != errs[0]) {
				t.Errorf("%v, expected it to be readable: %v, and all errors the same", err, want.readable)
			}
		}
	}
}

// use makes one of the calls that need the descriptors.
func use(b *Bitmap, which int, want *model) (err error) {
	switch which % 4 {
	case 0:
		out := make([]int32, 40000)
		n, err := b.Positions(out)
		if err == nil && !slices.Equal(out[:n], want.positions()) {
			return fmt.Errorf("%d other positions", n)
		}
		return err
	case 1:
		out := make([]byte, 32000)
		err := b.KeepMask(0, 256000, out)
		if err == nil && !bytes.Equal(out, want.mask(0, 256000)) {
			return fmt.Errorf("another mask")
		}
		return err
	case 2:
		set, err := b.IsSet(int32(which * 1000))
		if err == nil && set != want.has(which*1000) {
			return fmt.Errorf("another answer for %d: %v", which*1000, set)
		}
		return err
	}
	return b.Validate()
}

// Opening and reading costs a fixed number of objects, whatever the size.
func TestAllocations(t *testing.T) {
	for _, name := range []string{"spec_sparse3", "random_1pct_50k", "random_1pct_2m", "random_50pct_2m"} {
		data := golden.Read(t, "mumbling/"+name+".bin")
		mask, positions := make([]byte, 1<<18), make([]int32, 1<<21)
		got := testing.AllocsPerRun(10, func() {
			b, err := ReadOwned(data)
			if err != nil {
				t.Fatal(err)
			}
			if err := b.KeepMask(0, 1<<21, mask); err != nil {
				t.Fatal(err)
			}
			if _, err := b.Positions(positions); err != nil {
				t.Fatal(err)
			}
			if err := b.Validate(); err != nil {
				t.Fatal(err)
			}
		})
		if got > 2 {
			t.Errorf("%s: %v allocations, expected the bitmap and its directory", name, got)
		}
	}
}

func TestShape(t *testing.T) {
	dense := "000020" + strings.Repeat("00", 32)
	tests := []struct {
		name, data string
		want       Shape
	}{
		{"no containers", "010000000000", Shape{First: -1, Last: -1}},
		{"control", control, Shape{Sparse: 2, Dense: 1, First: 0, Last: 521}},
		{"empty ones around a sparse one", "010200000300" + "02000020" + "07fe", Shape{Empty: 2, Sparse: 1, First: 263, Last: 510}},
		{"dense without a place", "010000000100" + dense, Shape{Dense: 1, First: -1, Last: -1}},
		{"unordered", "010300000100" + "000003" + "050103", Shape{Sparse: 1, First: 1, Last: 5}},
	}
	for _, c := range tests {
		if got, err := open(t, unhex(t, c.data)).Shape(); err != nil || got != c.want {
			t.Errorf("%s: %+v, %v, expected %+v", c.name, got, err, c.want)
		}
	}
	for _, f := range golden.Load(t).Files {
		if f.Format != "mumbling-v1" || f.Cardinality == 0 {
			continue
		}
		b, want := open(t, golden.Read(t, f.File)), f.Positions.All(t)
		got, err := b.Shape()
		if err != nil || int64(got.First) != want[0] || int64(got.Last) != want[len(want)-1] {
			t.Errorf("%s: %+v, %v, expected %d to %d", f.File, got, err, want[0], want[len(want)-1])
		}
		if n := got.Empty + got.Sparse + got.Dense; n != int(want[len(want)-1]/256)+1 {
			t.Errorf("%s: %d containers, expected them up to position %d", f.File, n, got.Last)
		}
	}
	if _, err := open(t, unhex(t, "010100000100060000")).Shape(); fault.Kind(err) != fault.ErrCorrupt {
		t.Errorf("faulty descriptors: %v, expected %v", err, fault.ErrCorrupt)
	}
}
