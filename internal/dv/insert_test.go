package dv

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
)

// sameForms compares containers as they stand with those of a bitmap of roaring/v2.
func sameForms(t *testing.T, what string, v *Vector, peer *roaring.Bitmap) {
	t.Helper()
	e, err := v.EncodeBitmap()
	if err != nil {
		t.Fatal(err)
	}
	got := e.Bytes()
	raw, err := peer.ToBytes()
	if err != nil {
		t.Fatal(err)
	}
	want := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint64(nil, 1), 0)
	if !bytes.Equal(got, append(want, raw...)) {
		t.Fatalf("%s: %d bytes, expected %d, or others", what, len(got), len(want)+len(raw))
	}
	if v.Cardinality() != int64(peer.GetCardinality()) {
		t.Fatalf("%s: a cardinality of %d, expected %d", what, v.Cardinality(), peer.GetCardinality())
	}
}

// Single positions change a container, and its form, as roaring/v2 does it.
func TestInsertAsRoaring(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	for name, set := range shapesOfContainers(r) {
		for _, encoded := range []bool{false, true} {
			if len(set) == containerSpan && !encoded {
				continue // set at once it is a bitmap
			}
			v, peer := stored(t, set, encoded), roaring.New()
			for _, p := range set {
				peer.Add(uint32(p))
			}
			if encoded {
				peer.RunOptimize()
			}
			sameForms(t, name, v, peer)
			copied, before := v.Clone(), all(t, v)
			gap := 1 + r.IntN(3)
			for i := range 400 {
				value := uint32(r.IntN(containerSpan))
				if near := set[r.IntN(len(set))]; i%2 == 0 { // so that runs grow and join
					value = uint32(near+int64(r.IntN(2*gap+1)-gap)) & (containerSpan - 1)
				}
				if err := v.Set(int64(value)); err != nil {
					t.Fatal(err)
				}
				if peer.CheckedAdd(value); i%20 == 0 {
					sameForms(t, name, v, peer)
				}
			}
			sameForms(t, name, v, peer)
			if got := all(t, copied); !slices.Equal(got, before) {
				t.Fatalf("%s: a copy changed", name)
			}
		}
	}
}

// The steps at which forms change: 4,096 values and one more, all but one value and the last one.
func TestInsertAtTheEdges(t *testing.T) {
	for _, last := range []uint32{0, 1, 4096, 65535} {
		v, peer := New(), roaring.New()
		for p := range uint32(containerSpan) {
			if p == last {
				continue
			}
			if err := v.Set(int64(p)); err != nil {
				t.Fatal(err)
			}
			if peer.CheckedAdd(p); p < 3 || p > 4090 && p < 4100 || p > 65530 {
				sameForms(t, "ascending", v, peer)
			}
		}
		if err := v.Set(int64(last)); err != nil {
			t.Fatal(err)
		}
		peer.CheckedAdd(last)
		sameForms(t, "full", v, peer)
	}
}

// Few positions in any order do what they do one after the other, wherever they lie.
func TestSetFewInAnyOrder(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 53))
		a, _ := manyContainers(r)
		v, single := stored(t, a, seed&1 != 0), stored(t, a, seed&1 != 0)
		want := slices.Clone(a)
		for range 10 {
			few := make([]int64, 1+r.IntN(directMax+20))
			for i := range few {
				few[i] = []int64{0, 1, 5, 9}[r.IntN(4)]<<32 | r.Int64N(14<<16)
			}
			if err := v.SetMany(few); err != nil {
				t.Fatal(err)
			}
			for _, p := range few {
				if err := single.Set(p); err != nil {
					t.Fatal(err)
				}
			}
			want = append(want, few...)
		}
		slices.Sort(want)
		want = slices.Compact(want)
		if got := all(t, v); !slices.Equal(got, want) || v.Cardinality() != int64(len(want)) || !v.Equals(single) {
			t.Fatalf("seed %d: %d positions, expected %d", seed, len(got), len(want))
		}
		if !bytes.Equal(blobOf(t, v), blobOf(t, single)) {
			t.Fatalf("seed %d: other bytes", seed)
		}
	}
}
