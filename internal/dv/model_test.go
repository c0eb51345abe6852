package dv

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// model is a plain set of positions, against which every operation is compared.
type model map[int64]bool

func (m model) sorted() []int64 {
	out := make([]int64, 0, len(m))
	for p := range m {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

func (m model) count(start, end int64) (n int64) {
	for p := range m {
		if p >= start && p < end {
			n++
		}
	}
	return n
}

// places are where interesting things happen: edges of words, containers and bitmaps.
var places = []int64{0, 63, 4096, 65535, 65536, 131072, 196608 - 70, 1 << 32, 1<<32 + 65536, 5<<32 - 1, MaxPosition - 70000}

func randomPosition(r *rand.Rand) int64 {
	return min(places[r.IntN(len(places))]+r.Int64N(70000), MaxPosition)
}

// randomSet makes positions of one of several shapes: few, many in a container, runs.
func randomSet(r *rand.Rand) []int64 {
	base := places[r.IntN(len(places))]
	var out []int64
	switch r.IntN(5) {
	case 0:
		for range r.IntN(20) + 1 {
			out = append(out, randomPosition(r))
		}
	case 1: // an array in the making
		for range r.IntN(3000) + 64 {
			out = append(out, min(base+r.Int64N(70000), MaxPosition))
		}
	case 2: // a bitmap
		for range 20000 {
			out = append(out, min(base+r.Int64N(66000), MaxPosition))
		}
	case 3: // runs
		at := base
		for range r.IntN(300) + 1 {
			at += r.Int64N(150)
			for range r.IntN(90) + 1 {
				out = append(out, min(at, MaxPosition))
				at++
			}
		}
	default: // every second
		for i := int64(0); i < 9000; i++ {
			out = append(out, min(base+2*i, MaxPosition))
		}
	}
	if r.IntN(2) == 0 {
		r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	}
	return out
}

func change(t *testing.T, r *rand.Rand, v *Vector, m model) {
	t.Helper()
	var err error
	switch r.IntN(8) {
	case 0:
		p := randomPosition(r)
		err = v.Set(p)
		m[p] = true
	case 1, 2:
		set := randomSet(r)
		err = v.SetMany(set)
		for _, p := range set {
			m[p] = true
		}
	case 3:
		start := randomPosition(r)
		end := min(start+r.Int64N(150000), MaxPosition+1)
		err = v.SetRange(start, end)
		for p := start; p < end; p++ {
			m[p] = true
		}
	case 4:
		set := randomSet(r)
		err = v.Or(of(t, set))
		for _, p := range set {
			m[p] = true
		}
	case 5:
		set := randomSet(r)
		other := of(t, set)
		if r.IntN(2) == 0 {
			other.RunLengthEncode()
		}
		err = v.AndNot(other)
		for _, p := range set {
			delete(m, p)
		}
	case 6:
		v.RunLengthEncode()
	default: // through bytes, so that it is frozen
		w, perr := ParseBlob(blobOf(t, v), int64(len(m)))
		if perr != nil {
			t.Fatal(perr)
		}
		if !v.Equals(w) || !w.Equals(v) {
			t.Fatal("the vector differs from its own serialisation")
		}
		*v = Vector{data: w.data, refs: w.refs, card: w.card}
	}
	if err != nil {
		t.Fatal(err)
	}
}

func compare(t *testing.T, r *rand.Rand, v *Vector, m model) {
	t.Helper()
	want := m.sorted()
	if v.Cardinality() != int64(len(want)) {
		t.Fatalf("cardinality %d, expected %d", v.Cardinality(), len(want))
	}
	if r.IntN(4) == 0 { // else stay unsettled
		if got := all(t, v); !slices.Equal(got, want) {
			t.Fatalf("positions: %s", cmp.Diff(want, got))
		}
	}
	comparePaged(t, r, v, want)
	for range 3 {
		compareWindow(t, r, v, m)
	}
	asked := append(randomSet(r), want[:min(len(want), 100)]...)
	out := make([]byte, len(asked))
	if err := v.ContainsMany(asked, out); err != nil {
		t.Fatal(err)
	}
	for i, p := range asked {
		if (out[i] == 1) != m[p] {
			t.Fatalf("contains many says %d of %d", out[i], p)
		}
	}
	if has, err := v.Contains(asked[0]); err != nil || has != m[asked[0]] {
		t.Fatalf("contains says %v, %v of %d", has, err, asked[0])
	}
}

func comparePaged(t *testing.T, r *rand.Rand, v *Vector, want []int64) {
	t.Helper()
	page := make([]int64, r.IntN(3000)+1)
	start := randomPosition(r)
	from, _ := slices.BinarySearch(want, start)
	for range 3 {
		n, err := v.Positions(start, MaxPosition+1, page)
		if err != nil {
			t.Fatal(err)
		}
		rest := want[from:]
		if got := page[:n]; !slices.Equal(got, rest[:min(len(rest), len(page))]) {
			t.Fatalf("page from %d: %s", start, cmp.Diff(rest[:min(len(rest), len(page))], got))
		}
		if n < len(page) {
			return
		}
		start, from = page[n-1]+1, from+n
	}
}

func compareWindow(t *testing.T, r *rand.Rand, v *Vector, m model) {
	t.Helper()
	start := max(randomPosition(r)-r.Int64N(3000), 0)
	if r.IntN(2) == 0 {
		start &^= 7
	}
	length := r.Int64N(140000)
	if n, err := v.Count(start, start+length); err != nil || n != m.count(start, start+length) {
		t.Fatalf("count [%d, %d): %d, %v, expected %d", start, start+length, n, err, m.count(start, start+length))
	}
	keep, del := junk(int(length+7)/8+3), junk(int(length+7)/8+3)
	rows, indices := junk(int(length)+3), make([]uint32, length+3)
	kept, err := v.KeepIndices(start, length, indices)
	for _, e := range []error{err, v.KeepMask(start, length, keep), v.DeleteMask(start, length, del), v.KeepBytes(start, length, rows)} {
		if e != nil {
			t.Fatal(e)
		}
	}
	n := 0
	for i := range length {
		gone := m[start+i]
		if (keep[i>>3]>>(i&7)&1 == 0) != gone || (del[i>>3]>>(i&7)&1 == 1) != gone || (rows[i] == 0) != gone || rows[i] > 1 {
			t.Fatalf("row %d of the window at %d (+%d): deleted is %v; keep %08b delete %08b byte %d", i, start, length, gone, keep[i>>3], del[i>>3], rows[i])
		}
		if !gone {
			if indices[n] != uint32(i) {
				t.Fatalf("kept index %d is %d, expected %d", n, indices[n], i)
			}
			n++
		}
	}
	if n != kept {
		t.Fatalf("%d kept, expected %d", kept, n)
	}
	if pad := length & 7; pad != 0 && (keep[length>>3]>>pad != 0 || del[length>>3]>>pad != 0) {
		t.Fatalf("pad bits are set: %08b %08b", keep[length>>3], del[length>>3])
	}
	for i := range 3 { // beyond the result nothing is written
		if keep[(length+7)/8+int64(i)] != 0xA5 || del[(length+7)/8+int64(i)] != 0xA5 || rows[length+int64(i)] != 0xA5 {
			t.Fatal("written past the result")
		}
	}
}

func junk(n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = 0xA5
	}
	return out
}

func TestAgainstModel(t *testing.T) {
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 7))
		v, m := New(), model{}
		for range 15 {
			change(t, r, v, m)
			compare(t, r, v, m)
		}
		copied := v.Clone()
		positions := all(t, v)
		change(t, r, v, m)
		if got := all(t, copied); !slices.Equal(got, positions) {
			t.Fatal("changing a vector changed its copy")
		}
	}
}

// The bytes depend on the positions alone, whatever the history of the vector.
func TestBytesDependOnPositionsAlone(t *testing.T) {
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 11))
		v, m := New(), model{}
		for range 8 {
			change(t, r, v, m)
		}
		want := New()
		for _, p := range m.sorted() {
			if err := want.Set(p); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(blobOf(t, want), blobOf(t, v)); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
	}
}

func TestSelfOperations(t *testing.T) {
	v := of(t, []int64{1, 2, 3, 70000})
	if err := v.Or(v); err != nil || v.Cardinality() != 4 || !v.Equals(v) {
		t.Errorf("v | v: %v, %d", err, v.Cardinality())
	}
	if err := v.AndNot(v); err != nil || !v.IsEmpty() {
		t.Errorf("v - v: %v, %d", err, v.Cardinality())
	}
	if err := v.Set(9); err != nil || v.Cardinality() != 1 {
		t.Errorf("after v - v: %v, %d", err, v.Cardinality())
	}
}
