package kernel

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
)

// testUnion compares with what bitmaps say.
func testUnion(t *testing.T, a, b []byte) {
	t.Helper()
	var bitmap Bitmap
	setGeneric(&bitmap, a)
	setGeneric(&bitmap, b)
	want := make([]byte, 2*popcountGeneric(&bitmap))
	valuesGeneric(want, &bitmap, 0)
	room := len(a) + len(b) + UnionSpare
	got := bytes.Repeat([]byte{0xEE}, room+1)
	n, runs := Union(got[:room:room], a, b)
	if !bytes.Equal(got[:n], want) || runs != runsBitsGeneric(bitmap[:], 0) || got[room] != 0xEE {
		t.Fatalf("union of %d and %d bytes: %d bytes, %d runs; expected %d, %d", len(a), len(b), n, runs, len(want), runsBitsGeneric(bitmap[:], 0))
	}
	generic := make([]byte, len(a)+len(b))
	if n := unionGeneric(generic, a, b); !bytes.Equal(generic[:n], want) {
		t.Fatalf("generic union of %d and %d bytes: %d bytes, expected %d or others", len(a), len(b), n, len(want))
	}
}

func TestUnions(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 3000 {
		testUnion(t, ascendingValues(r, r.IntN(2500), 1+r.IntN(60)), ascendingValues(r, r.IntN(2500), 1+r.IntN(60)))
	}
	for n := range 100 { // every number of values in the last block, at odd addresses
		for k := range 100 {
			testUnion(t, offset(ascendingValues(r, n, 1+r.IntN(60)), k%5), offset(ascendingValues(r, k, 1+r.IntN(60)), n%7))
		}
	}
	a := ascendingValues(r, 4096, 8)
	testUnion(t, a, a)
	testUnion(t, a, a[2:])
	testUnion(t, a[:200], a[200:])
	testUnion(t, a[200:], a[:200])
	var top []byte // the last values there are
	for v := 65536 - 97; v < 65536; v++ {
		top = binary.LittleEndian.AppendUint16(top, uint16(v))
	}
	testUnion(t, top, top)
	testUnion(t, a, top)
	for n := 0; n <= len(top); n += 2 { // with and without the largest, in one, both or none
		testUnion(t, top[:n], top[len(top)-n:])
		testUnion(t, top[n:], a[:n])
		testUnion(t, a[:n], top[:len(top)-2])
		testUnion(t, top[len(top)-2:], top[:n])
	}
}

// What does not ascend, because somebody changed it after its check, must do no harm.
func TestUnionOfDisorder(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for range 2000 {
		in := make([]byte, 2*(r.IntN(300)+r.IntN(300)))
		for i := range in {
			in[i] = [...]byte{0xFF, byte(r.Uint32())}[r.IntN(2)]
		}
		at := 2 * r.IntN(len(in)/2+1)
		room := len(in) + UnionSpare
		got := bytes.Repeat([]byte{0xEE}, room+1)
		if n, _ := Union(got[:room:room], in[:at], in[at:]); n > room || got[room] != 0xEE {
			t.Fatalf("union of %d and %d bytes wrote %d", at, len(in)-at, n)
		}
	}
}

func BenchmarkUnion(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{3, 6, 16, 32, 66, 655, 2000} {
		x, y := ascendingValues(r, n, 120000/n), ascendingValues(r, n, 120000/n)
		out := make([]byte, len(x)+len(y)+UnionSpare)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				Union(out, x, y)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)/2+len(y)/2), "ns/value")
		})
		b.Run(fmt.Sprint(n, " generic"), func(b *testing.B) {
			for b.Loop() {
				n := unionGeneric(out, x, y)
				RunsOfArray(out[:n])
			}
		})
	}
}
