package dv

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/kernel"
)

// groups makes ascending positions, in each of several containers as many as the sizes say.
func groups(r *rand.Rand, sizes []int) []int64 {
	var out []int64
	base := r.Int64N(100) << containerBits
	for _, size := range sizes {
		values := r.Perm(containerSpan)[:size]
		if r.IntN(3) == 0 { // consecutive ones
			first := r.IntN(containerSpan - size + 1)
			for i := range values {
				values[i] = first + i
			}
		}
		slices.Sort(values)
		for _, value := range values {
			out = append(out, base+int64(value))
		}
		base += (1 + r.Int64N(3)) << containerBits
	}
	return out
}

var groupSizes = []int{1, 2, 7, 31, 32, 33, 34, 63, 64, 65, 511, 512, 513, 4095, 4096, 4097, 9000, 65535, 65536}

// slowly makes a vector of the same containers, each of its own.
func slowly(t *testing.T, positions []int64) *Vector {
	t.Helper()
	v := of(t, positions[:1])
	v.thaw()
	for rest := positions[1:]; len(rest) > 0; {
		n := group(rest)
		v.setAscending(rest[:n])
		rest = rest[n:]
	}
	return v
}

func sameBytes(t *testing.T, what string, v, want *Vector) {
	t.Helper()
	for _, encode := range []func(*Vector) (*Encoding, error){(*Vector).EncodeBlob, (*Vector).EncodeBitmap} {
		got, err := encode(v)
		expected, werr := encode(want)
		if err != nil || werr != nil || !bytes.Equal(got.Bytes(), expected.Bytes()) {
			t.Fatalf("%s: other bytes; %v, %v", what, err, werr)
		}
	}
}

// Positions in order become a frozen vector at once, of arrays and bitmaps, in no smaller form.
func TestPackAscending(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for range 150 {
		var sizes []int
		for range 1 + r.IntN(8) {
			sizes = append(sizes, groupSizes[r.IntN(len(groupSizes))])
		}
		positions := groups(r, sizes)
		v := New()
		if err := v.SetMany(positions); err != nil || v.changed {
			t.Fatalf("%v: %v, or it was not made at once", sizes, err)
		}
		if got := all(t, v); !slices.Equal(got, positions) || v.Cardinality() != int64(len(positions)) {
			t.Fatalf("%v: %d positions, a cardinality of %d, expected %d", sizes, len(got), v.Cardinality(), len(positions))
		}
		for i := range v.refs {
			c := v.refAt(i)
			if want := c.card > arrayMax; c.kind == runKind || want != (c.kind == bitmapKind) {
				t.Fatalf("%v: container %d is of kind %d, with %d values", sizes, i, c.kind, c.card)
			}
			if v.smallest && !isSmallest(&c) {
				t.Fatalf("%v: container %d is not as small as said", sizes, i)
			}
		}
		sameBytes(t, "set at once", v, slowly(t, positions))
	}
}

// A fault at any place of the positions is seen, and leaves the vector empty; disorder does not matter.
func TestPackFaults(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	for _, size := range []int{1, 2, 9, 32, 33, 70, 600, 5000} {
		positions := groups(r, []int{3, size, 1, 40})
		for range 60 {
			at := r.IntN(len(positions))
			for _, wrong := range []int64{-1, -5 << 40, MaxPosition + 1, 1<<63 - 1, -1 << 63} {
				bad := slices.Clone(positions)
				bad[at] = wrong
				v := New()
				if err := v.SetMany(bad); !errors.Is(err, fault.ErrInvalidArgument) || !v.IsEmpty() || len(all(t, v)) != 0 {
					t.Fatalf("position %d at %d of %d: %v, %d positions", wrong, at, len(bad), err, v.Cardinality())
				}
			}
			mixed := slices.Clone(positions)
			other := r.IntN(len(positions))
			mixed[at], mixed[other] = mixed[other], mixed[at]
			if r.IntN(2) == 0 {
				mixed[at] = mixed[other] // repeated, and one is missing
			}
			want := slices.Clone(mixed)
			slices.Sort(want)
			if got := all(t, of(t, mixed)); !slices.Equal(got, slices.Compact(want)) {
				t.Fatalf("positions %d and %d of %d exchanged: %d positions, expected %d", at, other, len(mixed), len(got), len(want))
			}
		}
	}
}

// Positions in any order make the same bytes, by whichever way they are sorted.
func TestPackUnordered(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 46))
	sizes := append([]int{kernel.SortMax - 1, kernel.SortMax, kernel.SortMax + 1}, groupSizes...)
	for i := range 150 {
		some := []int{sizes[i%len(sizes)]}
		for range r.IntN(6) {
			some = append(some, sizes[r.IntN(len(sizes))])
		}
		want := groups(r, some)
		positions := slices.Clone(want)
		if i%3 == 0 { // far apart
			positions = append(positions, MaxPosition)
			want = append(want, MaxPosition)
		}
		for range r.IntN(2) * r.IntN(200) { // repeated ones
			positions = append(positions, positions[r.IntN(len(positions))])
		}
		r.Shuffle(len(positions), func(i, j int) { positions[i], positions[j] = positions[j], positions[i] })
		before := slices.Clone(positions)
		v, more := of(t, positions), of(t, want[:1])
		if got := all(t, v); !slices.Equal(got, want) || !slices.Equal(before, positions) {
			t.Fatalf("%v: %d positions, expected %d, or the caller's were changed", some, len(got), len(want))
		}
		sameBytes(t, "in any order", v, slowly(t, want))
		if err := more.SetMany(positions); err != nil || !slices.Equal(all(t, more), want) {
			t.Fatalf("%v, added to one: %v, or other positions", some, err)
		}
	}
}
