package delta

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// The two test cases of ZeroMQ RFC 32 and the extremes of a group.
func TestZ85KnownTexts(t *testing.T) {
	for _, c := range []struct {
		bytes []byte
		text  string
	}{
		{[]byte{0x86, 0x4F, 0xD2, 0x6F, 0xB5, 0x59, 0xF7, 0x5B}, "HelloWorld"},
		{[]byte{
			0x8E, 0x0B, 0xDD, 0x69, 0x76, 0x28, 0xB9, 0x1D, 0x8F, 0x24, 0x55, 0x87, 0xEE, 0x95, 0xC5, 0xB0,
			0x4D, 0x48, 0x96, 0x3F, 0x79, 0x25, 0x98, 0x77, 0xB4, 0x9C, 0xD9, 0x06, 0x3A, 0xEA, 0xD3, 0xB7,
		}, "JTKVSB%%)wK0E.X)V>+}o?pNmC{O&4W4b!Ni{Lh6"},
		{[]byte{0, 0, 0, 0}, "00000"},
		{[]byte{0, 0, 0, 1}, "00001"},
		{[]byte{0xFF, 0xFF, 0xFF, 0xFF}, "%nSc0"},
		{[]byte{}, ""},
	} {
		if got := string(appendZ85(nil, c.bytes)); got != c.text {
			t.Errorf("%x is %q, want %q", c.bytes, got, c.text)
		}
		got := make([]byte, len(c.bytes))
		if bad := decodeZ85(got, c.text); bad != nil || !bytes.Equal(got, c.bytes) {
			t.Errorf("%q is %x (%v), want %x", c.text, got, bad, c.bytes)
		}
	}
}

func TestZ85RoundTrip(t *testing.T) {
	rnd := rand.New(rand.NewPCG(85, 4))
	for range 200 {
		data := make([]byte, 4*rnd.IntN(50))
		for i := range data {
			data[i] = byte(rnd.Uint32())
		}
		text := appendZ85(nil, data)
		got := make([]byte, len(data))
		if bad := decodeZ85(got, text); bad != nil || !bytes.Equal(got, data) {
			t.Fatalf("%x became %q and %x (%v)", data, text, got, bad)
		}
	}
}

func TestZ85RefusesForeignBytes(t *testing.T) {
	digits := make(map[byte]bool)
	for i := range len(z85Digits) {
		digits[z85Digits[i]] = true
	}
	if len(digits) != 85 {
		t.Fatalf("%d digits", len(digits))
	}
	for at := range 10 {
		for c := range 256 {
			text := []byte("HelloWorld")
			text[at] = byte(c)
			bad := decodeZ85(make([]byte, 8), text)
			switch {
			case digits[byte(c)]:
				// A digit may still lift the group above 2^32-1.
				if bad != nil && !bad.overflow {
					t.Fatalf("digit 0x%02x at %d refused: %+v", c, at, bad)
				}
			case bad == nil || bad.overflow || bad.at != at:
				t.Fatalf("byte 0x%02x at %d: %+v", c, at, bad)
			}
		}
	}
}

// Each of these groups is a number of 33 bits; a decoder that wraps takes the first for zero.
func TestZ85RefusesOverflow(t *testing.T) {
	for _, group := range []string{"%nSc1", "%nSd0", "%nT00", "%o000", "$0000", "#####"} {
		bad := decodeZ85(make([]byte, 8), "00000"+group)
		if bad == nil || !bad.overflow || bad.at != 5 {
			t.Errorf("%q: %+v", group, bad)
		}
	}
}
