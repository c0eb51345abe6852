package kernel

import (
	"bytes"
	"hash/crc32"
	"math/rand/v2"
	"testing"
)

func TestCopyCRC32(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	p := make([]byte, 40000)
	for i := range p {
		p[i] = byte(r.Uint32())
	}
	for i := range 4000 {
		n := i
		if i >= 3000 {
			n = r.IntN(len(p) - 8)
		}
		at, before := i%7, p[:r.IntN(300)]
		src, dst := p[at:at+n], bytes.Repeat([]byte{0xEE}, n+2)
		want := crc32.ChecksumIEEE(append(bytes.Clone(before), src...))
		got := CopyCRC32(dst[1:n+1], src, crc32.ChecksumIEEE(before))
		if got != want || !bytes.Equal(dst[1:n+1], src) || dst[0] != 0xEE || dst[n+1] != 0xEE {
			t.Fatalf("%d bytes behind %d: %08x, expected %08x, or another copy", n, len(before), got, want)
		}
	}
}

func BenchmarkCopyCRC32(b *testing.B) {
	p, out := make([]byte, 1250000), make([]byte, 1250000)
	b.SetBytes(int64(len(p)))
	for b.Loop() {
		CopyCRC32(out, p, 0)
	}
}
