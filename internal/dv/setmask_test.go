package dv

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/libdv/libdv/internal/fault"
)

// A mask of a set, set on what another set holds, is the union of both.
func TestSetMask(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for range 60 {
		start := int64(r.IntN(3)) << containerBits
		mask := make([]byte, r.IntN(3)*r.IntN(9000)+r.IntN(9000))
		want := model{}
		rarely := []int{1, 2, 9, 40, 5000}[r.IntN(5)]
		for i := range 8 * len(mask) {
			if r.IntN(rarely) == 0 {
				mask[i>>3] |= 1 << (i & 7)
				want[start+int64(i)] = true
			}
		}
		v := New()
		for range r.IntN(3) {
			part := randomSet(r)
			for _, p := range part {
				want[p] = true
			}
			if err := v.SetMany(part); err != nil {
				t.Fatal(err)
			}
		}
		if err := v.SetMask(start, mask); err != nil {
			t.Fatal(err)
		}
		if got := all(t, v); !slices.Equal(got, want.sorted()) || v.Cardinality() != int64(len(want)) {
			t.Fatalf("%d bytes from %d on: %d positions, expected %d", len(mask), start, len(got), len(want))
		}
		if plain := of(t, want.sorted()); !slices.Equal(blobOf(t, v), blobOf(t, plain)) {
			t.Fatal("the blob differs from that of the same positions")
		}
		mask2 := slices.Clone(mask)
		clear(mask) // it was copied
		if got := all(t, v); !slices.Equal(got, want.sorted()) {
			t.Fatal("the vector kept its caller's mask")
		}
		again := make([]byte, len(mask2))
		if err := v.DeleteMask(start, int64(8*len(again)), again); err != nil {
			t.Fatal(err)
		}
		for i := range again {
			if again[i]&mask2[i] != mask2[i] {
				t.Fatalf("byte %d of the mask: %08b, expected at least %08b", i, again[i], mask2[i])
			}
		}
	}
}

func TestSetMaskBounds(t *testing.T) {
	v := New()
	if err := v.SetMask(MaxPosition, []byte{1}); err != nil {
		t.Error(err)
	}
	if got := all(t, v); !slices.Equal(got, []int64{MaxPosition}) {
		t.Errorf("%v, expected %d alone", got, MaxPosition)
	}
	if err := v.SetMask(0, nil); err != nil {
		t.Error(err)
	}
	tests := []struct {
		start int64
		mask  []byte
	}{
		{-65536, []byte{1}}, {1, []byte{1}}, {32768, nil}, {MaxPosition, []byte{2}}, {MaxPosition, []byte{1, 0}},
		{MaxPosition + 65536, []byte{0}}, {MaxPosition - 65536, make([]byte, 8194)},
	}
	for _, c := range tests {
		if err := v.SetMask(c.start, c.mask); fault.Kind(err) != fault.ErrInvalidArgument {
			t.Errorf("%d bytes from %d on: %v, expected %v", len(c.mask), c.start, err, fault.ErrInvalidArgument)
		}
	}
	if v.Cardinality() != 1 {
		t.Error("a refused mask changed the vector")
	}
}
