package kernel

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestSort(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	var s Sorter
	for n := range SortMax + 1 {
		for _, most := range []int{1 << 16, 300, 3, 1} {
			values := offset(make([]byte, 2*n), n%5)
			for i := range n {
				binary.LittleEndian.PutUint16(values[2*i:], uint16(65535-r.IntN(most)))
			}
			var bitmap Bitmap
			setGeneric(&bitmap, values)
			want := make([]byte, 2*popcountGeneric(&bitmap))
			valuesGeneric(want, &bitmap, 0)
			generic := bytes.Clone(values)
			size := s.Sort(values)
			if !bytes.Equal(values[:size], want) || values[:2*n+1][2*n] != 0xEE {
				t.Fatalf("%d values of %d: %x, expected %x", n, most, values[:size], want)
			}
			if n > 0 && !bytes.Equal(generic[:sortGeneric(generic)], want) {
				t.Fatalf("%d values of %d: the generic twin differs", n, most)
			}
		}
	}
}

func BenchmarkSort(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var s Sorter
	for _, n := range []int{6, 32, 66, 128, 256, 512, 1024} {
		in, values := make([]byte, 2*n), make([]byte, 2*n)
		for i := range in {
			in[i] = byte(r.Uint32())
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				copy(values, in)
				s.Sort(values)
			}
		})
		b.Run(fmt.Sprint(n, " in a bitmap"), func(b *testing.B) {
			var bitmap Bitmap
			for b.Loop() {
				clear(bitmap[:])
				Set(&bitmap, in)
				Values(values[:2*Popcount(&bitmap)], &bitmap)
			}
		})
	}
}
