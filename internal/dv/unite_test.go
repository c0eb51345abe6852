package dv

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// shapesOfContainers are sets of values of one container, of every form and at every edge.
func shapesOfContainers(r *rand.Rand) map[string][]int64 {
	sets := map[string][]int64{
		"one": {0}, "last": {65535}, "next to last": {65534}, "two": {1, 65535}, "few": {3, 4, 9, 700, 60000},
	}
	every := func(name string, step, from, to int64) {
		for v := from; v < to; v += step {
			sets[name] = append(sets[name], v)
		}
	}
	every("array", 23, 5, 65536)
	every("array at its limit", 16, 0, 65536)
	every("bitmap", 7, 0, 65536)
	every("other bitmap", 5, 3, 65536)
	every("dense bitmap", 2, 1, 65536)
	every("run", 1, 100, 9000)
	every("full", 1, 0, 65536)
	every("all but the first", 1, 1, 65536)
	for at := int64(0); at < 60000; at += 300 + r.Int64N(300) {
		for end := at + 1 + r.Int64N(250); at < end; at++ {
			sets["runs"] = append(sets["runs"], at)
		}
	}
	for v := int64(0); v < 65536; v += 1 + r.Int64N(60) {
		sets["random array"] = append(sets["random array"], v)
	}
	return sets
}

// stored gives v the way it comes out of a file, in the forms that it has or in the smallest.
func stored(t *testing.T, positions []int64, smallest bool) *Vector {
	t.Helper()
	v := of(t, positions)
	e, err := v.EncodeBitmap()
	if smallest {
		v.RunLengthEncode()
		e, err = v.EncodeBitmap()
	}
	if err != nil {
		t.Fatal(err)
	}
	w, err := ParseBitmap(e.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// checkUnion compares with the union of the lists, and the bytes with those of the slow way.
func checkUnion(t *testing.T, name string, v *Vector, a, b []int64, slow *Vector) {
	t.Helper()
	want := slices.Concat(a, b)
	slices.Sort(want)
	want = slices.Compact(want)
	if got := all(t, v); !slices.Equal(got, want) || v.Cardinality() != int64(len(want)) {
		t.Fatalf("%s: %d positions, a cardinality of %d, expected %d", name, len(got), v.Cardinality(), len(want))
	}
	for _, encode := range []func(*Vector) (*Encoding, error){(*Vector).EncodeBlob, (*Vector).EncodeBitmap} {
		got, err := encode(v)
		want, werr := encode(slow)
		if err != nil || werr != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Fatalf("%s: other bytes than those of the containers united one by one; %v, %v", name, err, werr)
		}
	}
	if !bytes.Equal(blobOf(t, v), blobOf(t, of(t, want))) {
		t.Fatalf("%s: other bytes than those of the positions set at once", name)
	}
}

// Two frozen vectors united in one pass are what they are container by container.
func TestUniteFormsOfContainers(t *testing.T) {
	sets := shapesOfContainers(rand.New(rand.NewPCG(31, 32)))
	for aName, a := range sets {
		for bName, b := range sets {
			for i := range 4 {
				name := fmt.Sprintf("%s | %s (%d)", aName, bName, i)
				v, slow, other := stored(t, a, i&1 != 0), stored(t, a, i&1 != 0), stored(t, b, i&2 != 0)
				slow.thaw()
				if err := v.Or(other); err != nil || v.changed {
					t.Fatalf("%s: %v, or it was not united in one pass", name, err)
				}
				if err := slow.Or(other); err != nil {
					t.Fatal(err)
				}
				checkUnion(t, name, v, a, b, slow)
				if got := all(t, other); !slices.Equal(got, b) {
					t.Fatalf("%s changed the other vector", name)
				}
			}
		}
	}
}

// manyContainers spreads sets over several upper halves of the positions, some in both lists, some
// in one.
func manyContainers(r *rand.Rand) (a, b []int64) {
	sets := shapesOfContainers(r)
	names := make([]string, 0, len(sets))
	for name := range sets {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, high := range []int64{0, 1, 9} {
		for key := range int64(12) {
			for _, list := range []*[]int64{&a, &b} {
				if r.IntN(3) > 0 {
					for _, value := range sets[names[r.IntN(len(names))]] {
						*list = append(*list, high<<32|key<<16|value)
					}
				}
			}
		}
	}
	return a, b
}

func TestUniteManyContainers(t *testing.T) {
	for seed := range uint64(20) {
		a, b := manyContainers(rand.New(rand.NewPCG(seed, 33)))
		name := fmt.Sprint("seed ", seed)
		v, slow := stored(t, a, seed&1 != 0), stored(t, a, seed&1 != 0)
		slow.thaw()
		other := of(t, b)
		if seed&2 != 0 {
			other = stored(t, b, seed&4 != 0)
		}
		if v.Or(other) != nil || v.changed || slow.Or(other) != nil {
			t.Fatal(name)
		}
		checkUnion(t, name, v, a, b, slow)
	}
}

// The bytes that a view borrows are read, and neither written nor kept.
func TestUniteOfViews(t *testing.T) {
	a, b := manyContainers(rand.New(rand.NewPCG(34, 35)))
	first, second := blobOf(t, of(t, a)), blobOf(t, of(t, b))
	v, err := ViewBlob(bytes.Clone(first), Unknown)
	other, oerr := ViewBlob(bytes.Clone(second), Unknown)
	if err != nil || oerr != nil {
		t.Fatal(err, oerr)
	}
	lent := [][]byte{v.data, other.data}
	slow, _ := ParseBlob(bytes.Clone(first), Unknown)
	slow.thaw()
	if v.Or(other) != nil || slow.Or(other) != nil {
		t.Fatal("a view cannot be united")
	}
	if !bytes.Equal(lent[0], first[frameHead:len(first)-4]) || !bytes.Equal(lent[1], second[frameHead:len(second)-4]) {
		t.Fatal("borrowed bytes were written")
	}
	clear(lent[0]) // they are their owner's again
	clear(lent[1])
	checkUnion(t, "views", v, a, b, slow)
	if err := v.Set(MaxPosition); err != nil {
		t.Fatal(err)
	}
	if got := all(t, v); got[len(got)-1] != MaxPosition {
		t.Fatal("a vector that was united cannot be changed")
	}
}

// Memory that a vector gives up is not that of another one which shares it.
func TestReleaseLeavesOthersAlone(t *testing.T) {
	unite := func(offset int64) *Vector {
		v, _ := ParseBlob(blobOf(t, combs(t, offset)), Unknown)
		if v.Or(combs(t, offset+1)) != nil || !v.pooled {
			t.Fatal("a large union has no memory of its own")
		}
		return v
	}
	v := unite(0)
	want := all(t, v)
	copied, taken, into := v.Clone(), New(), combs(t, 0)
	if taken.Or(v) != nil || into.Or(v) != nil {
		t.Fatal("cannot be united")
	}
	v.Release()
	if !v.IsEmpty() || len(all(t, v)) != 0 || v.Set(7) != nil || v.Cardinality() != 1 {
		t.Fatal("a vector that was released is not an empty one")
	}
	for offset := range int64(6) { // these would take its memory
		unite(offset).Release()
		unite(offset + 2)
	}
	for i, w := range []*Vector{copied, taken, into} {
		if got := all(t, w); !slices.Equal(got, want) {
			t.Errorf("vector %d changed when another one was released", i)
		}
	}
}

// combs has a bitmap in each of 20 containers.
func combs(t *testing.T, offset int64) *Vector {
	t.Helper()
	var positions []int64
	for p := offset; p < 20<<16; p += 8 {
		positions = append(positions, p)
	}
	return of(t, positions)
}

// A vector that is united again and again is one with room of its own each time.
func TestUniteAgain(t *testing.T) {
	v, _ := ParseBlob(blobOf(t, combs(t, 0)), Unknown)
	for offset := int64(1); offset < 8; offset++ {
		if err := v.Or(combs(t, offset)); err != nil {
			t.Fatal(err)
		}
		if n := v.Cardinality(); n != 20<<13*(offset+1) {
			t.Fatalf("%d positions after %d unions", n, offset)
		}
	}
	if err := v.Or(v); err != nil || v.Cardinality() != 20<<16 {
		t.Fatalf("%d positions, expected all; %v", v.Cardinality(), err)
	}
}
