package mumbling

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
)

// shapes are sets of positions, ascending.
func shapes() map[string][]int64 {
	random := rand.New(rand.NewPCG(9, 10))
	sets := map[string][]int64{
		"empty": {}, "first": {0}, "last": {MaxCardinality - 1},
		"31 of a container": span(300, 331), "32 of a container": span(300, 332), "33 of a container": span(300, 333),
		"a container and its neighbours": span(255, 513),
		"everything":                     span(0, MaxCardinality),
		"all but the first and the last": span(1, MaxCardinality-1),
		"a page's end":                   span(65535, 65537),
	}
	for name, one := range map[string]int{"sparse": 3000, "a tenth": 10, "half": 2} {
		var set []int64
		for p := range int64(MaxCardinality) {
			if random.IntN(one) == 0 {
				set = append(set, p)
			}
		}
		sets["random, "+name] = set
	}
	var clusters []int64
	for p := int64(0); p < 1_000_000; p += int64(random.IntN(5000)) {
		end := p + int64(random.IntN(900))
		clusters = append(clusters, span(p, end)...)
		p = end
	}
	sets["clusters"] = clusters
	for n := range 40 { // few containers, in every mix
		var set []int64
		for p := range int64(random.IntN(4000)) {
			if random.IntN(1+n) == 0 {
				set = append(set, p)
			}
		}
		sets["small "+string(rune('A'+n))] = set
	}
	return sets
}

func span(start, end int64) []int64 {
	out := make([]int64, 0, end-start)
	for p := start; p < end; p++ {
		out = append(out, p)
	}
	return out
}

// A vector becomes a bitmap and is again the same vector; its bytes are the only valid ones, but
// for the coding of the descriptors.
func TestWriterRoundTrip(t *testing.T) {
	for name, want := range shapes() {
		v := vectorOf(t, want)
		data, err := FromVector(v)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		b := open(t, data)
		if err := b.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		back, err := b.ToVector()
		if err != nil || !back.Equals(v) {
			t.Errorf("%s: %d positions, %v, expected the %d written", name, len(listed(t, back)), err, len(want))
		}
		if !slices.Equal(listed(t, v), want) {
			t.Errorf("%s: writing changed the vector", name)
		}
		containers := 0
		if len(want) > 0 {
			containers = int(want[len(want)-1]/256) + 1
		}
		if b.containers != containers {
			t.Errorf("%s: %d containers, expected %d, up to the last that is not empty", name, b.containers, containers)
		}
		check(t, data)
	}
}

// By hand, from the layout.
func TestWriterBytes(t *testing.T) {
	tests := []struct {
		name      string
		positions []int64
		hex       string
	}{
		{"empty", nil, "010000000000"},
		{"0", []int64{0}, "010100000100" + "000001" + "00"},
		{"0, 34, 255", []int64{0, 34, 255}, "010300000100" + "000003" + "0022ff"},
		{"511", []int64{511}, "010100000200" + "01000040" + "ff"},
		{"31 are sparse", span(1, 32), "011f00000100" + "00001f" + "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"},
		{"32 are dense", span(1, 33), "012000000100" + "000020" + "7fffffff80" + strings.Repeat("00", 27)},
		{"a whole container", span(0, 256), "010001000100" + "000020" + strings.Repeat("ff", 32)},
	}
	for _, c := range tests {
		data, err := FromVector(vectorOf(t, c.positions))
		if err != nil || hex.EncodeToString(data) != c.hex {
			t.Errorf("%s: %x, %v, expected %s", c.name, data, err, c.hex)
		}
	}
}

// However the vector holds its positions.
func TestWriterStates(t *testing.T) {
	want := append(append(span(100, 900), 5000, 70000), span(131000, 200000)...)
	built := dv.New()
	for _, r := range [][2]int64{{131000, 200000}, {100, 900}, {5000, 5001}, {70000, 70001}} {
		if err := built.SetRange(r[0], r[1]); err != nil {
			t.Fatal(err)
		}
	}
	changed := vectorOf(t, want)
	if err := changed.Set(7); err != nil {
		t.Fatal(err)
	}
	if err := changed.AndNot(vectorOf(t, []int64{7})); err != nil {
		t.Fatal(err)
	}
	encoded, err := built.EncodeBitmap()
	if err != nil {
		t.Fatal(err)
	}
	frozen, err := dv.ParseBitmap(encoded.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	first, err := FromVector(vectorOf(t, want))
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]*dv.Vector{"built": built, "changed": changed, "frozen": frozen} {
		if data, err := FromVector(v); err != nil || !bytes.Equal(data, first) {
			t.Errorf("%s: %d bytes, %v, expected the %d of the plain vector", name, len(data), err, len(first))
		}
	}
}

func TestWriterLimit(t *testing.T) {
	tests := []struct {
		positions []int64
		text      string
	}{
		{[]int64{2097152}, "position 2097152 "},
		{[]int64{5, 2097151, 3000000, 4000000}, "position 3000000 "},
		{[]int64{0, dv.MaxPosition}, "position 9223372030412324864 "},
		{span(0, 2097153), "position 2097152 "},
	}
	for _, c := range tests {
		data, err := FromVector(vectorOf(t, c.positions))
		if fault.Kind(err) != fault.ErrLimit || data != nil || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%d bytes, %v, expected %v that names %q", len(data), err, fault.ErrLimit, c.text)
		}
	}
}
