package mumbling

import (
	"math/rand/v2"
	"testing"

	"github.com/libdv/libdv/internal/golden"
)

// FuzzPFORDecode holds the decoder against the bit-by-bit model on any bytes.
func FuzzPFORDecode(f *testing.F) {
	for _, c := range readPFOR(f).Decode {
		f.Add(unhex(f, c.Hex), uint16(c.Count))
	}
	for _, c := range readPFOR(f).Encode {
		if len(c.Hex) < 1000 {
			f.Add(unhex(f, c.Hex), uint16(len(c.Values)))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, count uint16) {
		checkDecode(t, data, int(count%2000))
	})
}

// FuzzPFORRoundTrip encodes any values; the result is the smallest and decodes to them.
func FuzzPFORRoundTrip(f *testing.F) {
	random := rand.New(rand.NewPCG(11, 12))
	f.Add([]byte{})
	for range 30 {
		f.Add(randomValues(random))
	}
	f.Fuzz(func(t *testing.T, values []byte) {
		checkRoundTrip(t, values[:min(len(values), 5000)])
	})
}

// FuzzBitmap holds every call against the model on any bytes.
func FuzzBitmap(f *testing.F) {
	for _, data := range small(f) {
		f.Add(data)
	}
	for _, h := range golden.Load(f).Hostile {
		if h.Format == "mumbling" {
			for _, run := range h.Runs {
				f.Add(golden.Read(f, run.File))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		check(t, data)
	})
}
