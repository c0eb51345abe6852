package mumbling

import (
	"bytes"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/libdv/libdv/internal/fault"
)

func TestEstimatePFOR(t *testing.T) {
	tests := []struct{ count, want int }{
		{0, 0}, {1, 4}, {255, 258}, {256, 259}, {257, 263}, {512, 518}, {513, 522}, {8192, 8288},
		{-1, -1}, {math.MinInt, -1}, {math.MaxInt, -1}, {math.MaxInt / 2, math.MaxInt/2 + 3*(math.MaxInt/512+1)},
	}
	for _, c := range tests {
		if got := EstimatePFOR(c.count); got != c.want {
			t.Errorf("%d values: %d, expected %d", c.count, got, c.want)
		}
	}
}

// The examples of the specification's text and of formats.md.
func TestPFORExamples(t *testing.T) {
	tests := []struct {
		values []byte
		hex    string
	}{
		{[]byte{6, 34, 8, 7}, "050006070410"},
		{make([]byte, 256), "000000"},
		{bytes.Repeat([]byte{5}, 51), "000005"},
		{[]byte{6, 7, 8}, "02000618"},
		{[]byte{0, 0, 0, 0, 255, 0, 0, 254}, "8002000407fffe"},
		{[]byte{3, 2, 1, 2, 3}, "0200019180"},
		{[]byte{0, 255}, "08000000ff"},
	}
	for _, c := range tests {
		if got := hex.EncodeToString(EncodePFOR(c.values)); got != c.hex {
			t.Errorf("%v: %s, expected %s", c.values, got, c.hex)
		}
		decoded := make([]byte, len(c.values))
		if _, err := DecodePFOR(unhex(t, c.hex), decoded); err != nil || !bytes.Equal(decoded, c.values) {
			t.Errorf("%s: %v, %v, expected %v", c.hex, decoded, err, c.values)
		}
	}
}

// Every width packed by hand-countable rules: the bits of the values, one after the other.
func TestPacking(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for width := range 9 {
		for _, n := range []int{1, 2, 3, 7, 8, 9, 15, 16, 17, 100, 255, 256} {
			values := make([]byte, n)
			text := ""
			for i := range values {
				values[i] = byte(random.IntN(1 << width))
				for b := width - 1; b >= 0; b-- {
					text += string('0' + values[i]>>b&1)
				}
			}
			text += strings.Repeat("0", -len(text)&7)
			want := make([]byte, len(text)/8)
			for i, bit := range text {
				want[i/8] |= byte(bit-'0') << (7 - i%8)
			}

			base := byte(random.IntN(256 - 1<<width + 1))
			above := slices.Clone(values)
			for i := range above {
				above[i] += base
			}
			if got := appendPacked([]byte{9}, above, base, width); !bytes.Equal(got[1:], want) {
				t.Errorf("%d values of %d bits: %x, expected %x", n, width, got[1:], want)
			}
			for _, behind := range []int{0, 1, 7, 8, 300} {
				got := make([]byte, n)
				unpack(got, append(slices.Clone(want), bytes.Repeat([]byte{0xFF}, behind)...), width)
				if !bytes.Equal(got, values) {
					t.Errorf("%d values of %d bits before %d bytes: %v, expected %v", n, width, behind, got, values)
				}
			}
		}
	}
}

// randomValues are arrays of all shapes: narrow, wide, with few and many exceptions.
func randomValues(random *rand.Rand) []byte {
	values := make([]byte, random.IntN(3)*random.IntN(300)+random.IntN(40))
	narrow, wide := random.IntN(9), random.IntN(9)
	rarely := 1 + random.IntN(60)
	base := random.IntN(256)
	for i := range values {
		width := narrow
		if random.IntN(rarely) == 0 {
			width = wide
		}
		values[i] = byte(min(255, base+random.IntN(1<<width)))
	}
	return values
}

func checkRoundTrip(t testing.TB, values []byte) {
	t.Helper()
	data := EncodePFOR(values)
	if len(data) > EstimatePFOR(len(values)) {
		t.Errorf("%v: %d bytes, estimated %d", values, len(data), EstimatePFOR(len(values)))
	}
	decoded := make([]byte, len(values))
	consumed, err := DecodePFOR(data, decoded)
	if err != nil || consumed != len(data) || !bytes.Equal(decoded, values) {
		t.Errorf("%v: decoded %v, %d of %d bytes, %v", values, decoded, consumed, len(data), err)
	}
	want, _, err := modelPFOR(data, len(values))
	if err != nil || !bytes.Equal(want, values) {
		t.Errorf("%v: the model decodes %v, %v", values, want, err)
	}
	if len(values) <= chunkValues && len(data) != leastPFOR(values) {
		t.Errorf("%v: %d bytes, expected %d", values, len(data), leastPFOR(values))
	}
}

// leastPFOR is the size of the best choice of b1 by the formula of formats.md.
func leastPFOR(values []byte) int {
	if len(values) == 0 {
		return 0
	}
	bitsOf := func(v int) (n int) {
		for ; v > 0; v >>= 1 {
			n++
		}
		return n
	}
	lowest := int(slices.Min(values))
	width := bitsOf(int(slices.Max(values)) - lowest)
	least := math.MaxInt
	for b := range width + 1 {
		e := 0
		for _, v := range values {
			if bitsOf(int(v)-lowest) > b {
				e++
			}
		}
		least = min(least, 3+(len(values)*b+7)/8+e+(e*(width-b)+7)/8)
	}
	return least
}

func TestPFORRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		checkRoundTrip(t, randomValues(random))
	}
	for v := range 256 {
		checkRoundTrip(t, []byte{byte(v)})
		checkRoundTrip(t, []byte{byte(v), 0})
		checkRoundTrip(t, bytes.Repeat([]byte{byte(v)}, 300))
	}
}

func checkDecode(t testing.TB, data []byte, count int) {
	t.Helper()
	want, consumed, refused := modelPFOR(data, count)
	got := make([]byte, count)
	n, err := DecodePFOR(data, got)
	if refused != nil {
		if fault.Kind(err) != fault.ErrCorrupt || n != 0 {
			t.Fatalf("%x as %d values: %d, %v, expected %v", data, count, n, err, fault.ErrCorrupt)
		}
		return
	}
	if err != nil || n != consumed || !bytes.Equal(got, want) {
		t.Fatalf("%x as %d values: %v, %d bytes, %v, expected %v of %d", data, count, got, n, err, want, consumed)
	}
}

// Every header byte of a chunk, over values of every length, against the model.
func TestPFORHeaders(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	tail := make([]byte, 600)
	for widths := range 256 {
		for _, exceptions := range []int{0, 1, 2, 3, 254, 255} {
			for _, count := range []int{1, 2, 7, 8, 9, 255, 256, 257} {
				data := append([]byte{byte(widths), byte(exceptions), byte(random.IntN(256))}, tail...)
				for i := range exceptions { // distinct ones: those are refused seldom enough to matter
					data[3+packedLen(min(count, 256), min(widths&15, 8))+i] = byte(i * 7)
				}
				checkDecode(t, data, count)
				checkDecode(t, data[:random.IntN(len(data))], count)
			}
		}
	}
}

func TestPFORTruncated(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 40 {
		values := randomValues(random)
		data := EncodePFOR(values)
		for n := range data {
			if _, err := DecodePFOR(data[:n], make([]byte, len(values))); fault.Kind(err) != fault.ErrCorrupt {
				t.Fatalf("%x cut to %d bytes: %v, expected %v", data, n, err, fault.ErrCorrupt)
			}
		}
	}
}

func TestPFORFaults(t *testing.T) {
	tests := []struct {
		data  string
		count int
		text  string
	}{
		{"0000", 5, "PFOR chunk 0 at byte 0: 2 bytes left, expected a header of 3"},
		{"0900000000", 1, "PFOR chunk 0 at byte 0: values of 9 bits, expected at most 8"},
		{"0801000100", 1, "1 exceptions of 0 bits under values of 8 bits"},
		{"1800000100", 1, "0 exceptions of 1 bits under values of 8 bits"},
		{"310300c00001010000", 2, "3 exceptions, expected at most its 2 values"},
		{"720100400000", 1, "values of 2 bits and exceptions of 7, expected at most 8 together"},
		{"0800000102", 3, "5 bytes left, expected 6"},
		{"310100c00220", 2, "exception 0 at byte 4 is for value 2, expected one below 2"},
		{"210200c0000060", 2, "exception 1 at byte 5 is the second for value 0, expected one"},
		{"0400faa0", 1, "value 0 is 260, expected at most 255"},
		{"0800ff" + "00000000000000000001", 10, "value 9 is 256, expected at most 255"},
		{"0800ff" + "00000000000001000000", 10, "value 6 is 256, expected at most 255"},
		{"000007" + "0400faa0", 257, "PFOR chunk 1 at byte 3: value 0 is 260, expected at most 255"},
	}
	for _, c := range tests {
		_, err := DecodePFOR(unhex(t, c.data), make([]byte, c.count))
		if fault.Kind(err) != fault.ErrCorrupt || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v, expected %q", c.data, err, c.text)
		}
	}
}
