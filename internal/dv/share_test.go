package dv

import (
	"slices"
	"testing"
)

// every n-th position of a container, enough for a bitmap.
func comb(t *testing.T, step, offset int64) *Vector {
	t.Helper()
	var positions []int64
	for p := offset; p < 65536; p += step {
		positions = append(positions, p)
	}
	return of(t, positions)
}

// Vectors that share payloads must not see each other's changes, though a payload that
// nobody else has is changed in place.
func TestSharedPayloadsStayApart(t *testing.T) {
	frozen := func(v *Vector) *Vector {
		w, err := ParseBlob(blobOf(t, v), Unknown)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	for name, start := range map[string]func() *Vector{
		"built":  func() *Vector { return comb(t, 8, 0) },
		"frozen": func() *Vector { return frozen(comb(t, 8, 0)) },
		"viewed": func() *Vector { v, _ := ViewBlob(blobOf(t, comb(t, 8, 0)), Unknown); return v },
		"merged": func() *Vector { v := frozen(comb(t, 16, 0)); _ = v.Or(comb(t, 16, 8)); return v },
	} {
		v := start()
		before := all(t, v)
		copied, taken := v.Clone(), New()
		into := of(t, []int64{1 << 20})
		if taken.Or(v) != nil || into.Or(v) != nil {
			t.Fatal(name)
		}
		again := v.Clone()
		for i, w := range []*Vector{v, copied, taken, into, again} {
			if err := w.Or(comb(t, 8, int64(i)+1)); err != nil {
				t.Fatal(err)
			}
			if err := w.Or(comb(t, 64, int64(i)+2)); err != nil { // in place by now
				t.Fatal(err)
			}
		}
		for i, w := range []*Vector{v, copied, taken, into, again} {
			want := append(slices.Clone(before), all(t, comb(t, 8, int64(i)+1))...)
			want = append(want, all(t, comb(t, 64, int64(i)+2))...)
			if w == into {
				want = append(want, 1<<20)
			}
			slices.Sort(want)
			if got := all(t, w); !slices.Equal(got, slices.Compact(want)) {
				t.Errorf("%s: vector %d has %d positions, expected %d", name, i, len(got), len(slices.Compact(want)))
			}
		}
	}
}
