package mumbling

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/golden"
)

func listed(t testing.TB, v *dv.Vector) []int64 {
	t.Helper()
	out := make([]int64, v.Cardinality())
	n, err := v.Positions(0, math.MaxInt64, out)
	if err != nil || n != len(out) {
		t.Fatalf("%d positions of %d: %v", n, len(out), err)
	}
	return out
}

func vectorOf(t testing.TB, positions []int64) *dv.Vector {
	t.Helper()
	v := dv.New()
	if err := v.SetMany(positions); err != nil {
		t.Fatal(err)
	}
	return v
}

func widened(positions []int32) []int64 {
	out := make([]int64, len(positions))
	for i, p := range positions {
		out[i] = int64(p)
	}
	return out
}

func open(t testing.TB, data []byte) *Bitmap {
	t.Helper()
	b, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// same is cmp.Diff only where there is a difference: over millions it is slow.
func same(t testing.TB, what string, got, want []int64) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %s", what, cmp.Diff(want, got))
	}
}

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	data, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The files were written by another implementation and confirmed by Iceberg Java.
func TestGolden(t *testing.T) {
	files := 0
	for _, f := range golden.Load(t).Files {
		if f.Format != "mumbling-v1" {
			continue
		}
		files++
		t.Run(f.File, func(t *testing.T) {
			data, want := golden.Read(t, f.File), f.Positions.All(t)
			b := open(t, data)
			if int64(b.Cardinality()) != f.Cardinality {
				t.Errorf("cardinality %d, expected %d", b.Cardinality(), f.Cardinality)
			}
			if err := b.Validate(); err != nil {
				t.Error(err)
			}
			got := make([]int32, len(want))
			if n, err := b.Positions(got); err != nil || n != len(want) {
				t.Fatalf("%d positions, %v, expected %d", n, err, len(want))
			}
			same(t, "positions", widened(got), want)
			v, err := b.ToVector()
			if err != nil {
				t.Fatal(err)
			}
			same(t, "to vector", listed(t, v), want)
			written, err := FromVector(vectorOf(t, want))
			if err != nil || !bytes.Equal(written, data) {
				t.Errorf("written: %d bytes, %v, expected the file's %d", len(written), err, len(data))
			}
			check(t, data)
		})
	}
	if files != 30 {
		t.Errorf("%d golden files, expected 30", files)
	}
}

type pforFile struct {
	Encode []struct {
		Label  string `json:"label"`
		Values []int  `json:"values"`
		Hex    string `json:"hex"`
	} `json:"encode"`
	Decode []struct {
		Label string `json:"label"`
		Hex   string `json:"hex"`
		Count int    `json:"count"`
	} `json:"decode"`
}

func readPFOR(t testing.TB) (f pforFile) {
	t.Helper()
	if err := json.Unmarshal(golden.Read(t, "mumbling/pfor.json"), &f); err != nil {
		t.Fatal(err)
	}
	return f
}

// Iceberg Java's encoder, byte for byte, and back.
func TestGoldenPFOREncode(t *testing.T) {
	vectors := readPFOR(t).Encode
	for _, c := range vectors {
		values := make([]byte, len(c.Values))
		for i, v := range c.Values {
			values[i] = byte(v)
		}
		want := unhex(t, c.Hex)
		if got := EncodePFOR(values); !bytes.Equal(got, want) {
			t.Errorf("%s: %x, expected %x", c.Label, got, want)
		}
		decoded := make([]byte, len(values))
		consumed, err := DecodePFOR(append(slices.Clone(want), 0xFF), decoded)
		if err != nil || consumed != len(want) || !bytes.Equal(decoded, values) {
			t.Errorf("%s: decoded %v, %d bytes, %v, expected %v of %d", c.Label, decoded, consumed, err, values, len(want))
		}
		if estimate := EstimatePFOR(len(values)); len(want) > estimate {
			t.Errorf("%s: %d bytes, but the estimate is %d", c.Label, len(want), estimate)
		}
	}
	if len(vectors) < 100 {
		t.Errorf("%d vectors, expected more than 100", len(vectors))
	}
}

// What formats.md says of each: the values, or nil where it is refused.
func TestGoldenPFORDecode(t *testing.T) {
	want := map[string][]byte{
		"spec example":                            {6, 34, 8, 7},
		"spec 256 zeros":                          make([]byte, 256),
		"spec two exceptions":                     {0, 0, 0, 0, 255, 0, 0, 254},
		"spec [6,7,8]":                            {6, 7, 8},
		"b1 8, m 1":                               {1, 2},
		"b1 1, padding bits set":                  {0, 0},
		"b2 unused, e 0":                          {1},
		"exceptions not ascending":                {3, 1, 3},
		"two chunks":                              append(bytes.Repeat([]byte{5}, 256), bytes.Repeat([]byte{7}, 44)...),
		"e 255 in a full chunk":                   nil, // below
		"empty input, 0 values":                   {},
		"trailing byte":                           bytes.Repeat([]byte{5}, 51),
		"duplicate exception offsets, other bits": nil,
		"value overflow m + v":                    nil,
		"b1 8 e 1":                                nil,
		"b1 2 b2 7":                               nil,
		"exception offset out of range":           nil,
		"header cut":                              nil,
		"primary cut":                             nil,
		"exception values cut":                    nil,
	}
	seen := 0
	for _, c := range readPFOR(t).Decode {
		expected, known := want[c.Label]
		if !known {
			t.Errorf("%s: no expectation", c.Label)
			continue
		}
		seen++
		values := make([]byte, c.Count)
		data := unhex(t, c.Hex)
		if c.Label == "e 255 in a full chunk" { // 8-bit exceptions: the values themselves, the last value is 0
			expected = append(slices.Clone(data[3+255:]), 0)
		}
		consumed, err := DecodePFOR(data, values)
		if expected == nil {
			if fault.Kind(err) != fault.ErrCorrupt || consumed != 0 {
				t.Errorf("%s: %d, %v, expected %v", c.Label, consumed, err, fault.ErrCorrupt)
			}
			continue
		}
		all := len(data)
		if c.Label == "trailing byte" {
			all--
		}
		if err != nil || consumed != all || !bytes.Equal(values, expected) {
			t.Errorf("%s: %v, %d bytes, %v, expected %v of %d", c.Label, values, consumed, err, expected, all)
		}
	}
	if seen != len(want) {
		t.Errorf("%d decode vectors, expected %d", seen, len(want))
	}
}
