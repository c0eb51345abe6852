package delta

import (
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/golden"
)

// example is {3, 4, 7, 11, 18, 29}.
const (
	example     = "^Bg9^0rr910000000000iXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L"
	exampleSize = 44
	obsolete    = "wi5b=000010000siXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L" // the protocol document's
	pos5        = "^Bg9^0rr910000000000iXQKl0rr91000005c8Xg1POJ5"      // {5}
	pos5Size    = 34
)

type goldenInline struct {
	Set         string
	Magic       string
	Text        string `json:"pathOrInlineDv"`
	Size        int32  `json:"sizeInBytes"`
	Cardinality int64
	Hex         string
	UniqueID    string `json:"uniqueId"`
	Positions   golden.Positions
}

func goldenInlines(t testing.TB) []goldenInline {
	var file struct{ Vectors []goldenInline }
	goldenJSON(t, "delta/inline.json", &file)
	return file.Vectors
}

func TestGoldenInline(t *testing.T) {
	seen := map[string]int{}
	for _, g := range goldenInlines(t) {
		t.Run(g.Magic+"/"+g.Set, func(t *testing.T) {
			seen[g.Magic]++
			if g.Magic == "native" {
				for _, size := range []int32{g.Size, Unknown} {
					_, err := DecodeInline([]byte(g.Text), size, g.Cardinality)
					wantKind(t, err, fault.ErrUnsupported)
					if !strings.Contains(err.Error(), "1681511376") {
						t.Errorf("the message does not name the magic: %v", err)
					}
				}
				return
			}
			want := g.Positions.All(t)
			for _, size := range []int32{g.Size, Unknown} {
				for _, cardinality := range []int64{g.Cardinality, dv.Unknown} {
					v, err := DecodeInline([]byte(g.Text), size, cardinality)
					if err != nil {
						t.Fatal(err)
					}
					wantPositions(t, v, want)
				}
			}
			text, size, err := EncodeInline(vector(t, want...))
			if err != nil || string(text) != g.Text || size != g.Size {
				t.Errorf("encoded as %q, %d, %v; Delta wrote %q, %d", text, size, err, g.Text, g.Size)
			}
			_, err = DecodeInline([]byte(g.Text), g.Size, g.Cardinality+1)
			wantKind(t, err, fault.ErrMismatch)
			_, err = DecodeInline([]byte(g.Text), Unknown, g.Cardinality+1)
			wantKind(t, err, fault.ErrMismatch)
		})
	}
	if seen["native"] == 0 || seen["portable"] == 0 {
		t.Fatalf("vectors by magic: %v", seen)
	}
}

func TestInlineExample(t *testing.T) {
	want := []int64{3, 4, 7, 11, 18, 29}
	v, err := DecodeInline([]byte(example), exampleSize, 6)
	if err != nil {
		t.Fatal(err)
	}
	wantPositions(t, v, want)
	text, size, err := EncodeInline(vector(t, want...))
	if err != nil || string(text) != example || size != exampleSize {
		t.Fatalf("%q, %d, %v", text, size, err)
	}
}

// hostileKinds says which kind of error a hostile input of the manifest gets, where it is not ErrCorrupt.
var hostileInlineKinds = map[string]error{
	"inline_empty_string_card1": fault.ErrMismatch,
	"inline_two_bytes":          fault.ErrCorrupt,
	"inline_size_zero":          fault.ErrMismatch, // 36 bytes are there
	"inline_magic_native":       fault.ErrUnsupported,
	"inline_cardinality_2":      fault.ErrMismatch,
}

func TestHostileInline(t *testing.T) {
	n := 0
	for _, h := range golden.Load(t).Hostile {
		for _, run := range h.Runs {
			if run.Kind != "inline" {
				continue
			}
			n++
			t.Run(h.Name, func(t *testing.T) {
				if h.Expected == "accept" {
					t.Fatal("a hostile inline vector to accept: decide what it shows")
				}
				kind := hostileInlineKinds[h.Name]
				if kind == nil {
					kind = fault.ErrCorrupt
				}
				_, err := DecodeInline([]byte(run.Text), int32(*run.Size), *run.Card)
				wantKind(t, err, kind)
				if strings.ContainsAny(err.Error(), "\n\r") {
					t.Errorf("more than one line: %q", err)
				}
			})
		}
	}
	if n < 15 {
		t.Fatalf("%d hostile inline vectors", n)
	}
}

func TestInlineRefused(t *testing.T) {
	padded := func(hexBytes string) string {
		raw, err := hex.DecodeString(hexBytes)
		if err != nil {
			t.Fatal(err)
		}
		for len(raw)%4 != 0 {
			raw = append(raw, 0)
		}
		return string(appendZ85(nil, raw))
	}
	const five = "0100000000000000000000003a3000000100000000000000100000000500" // {5} without magic
	for name, c := range map[string]struct {
		text        string
		size        int32
		cardinality int64
		kind        error
		says        string
	}{
		"obsolete big-endian example":      {obsolete, 40, 6, fault.ErrUnsupported, "big-endian"},
		"obsolete, size unknown":           {obsolete, Unknown, dv.Unknown, fault.ErrUnsupported, "big-endian"},
		"magic in big endian":              {padded("6439d3d1" + five), 34, 1, fault.ErrCorrupt, "big-endian"},
		"foreign magic":                    {padded("01020304" + five), 34, 1, fault.ErrCorrupt, "magic"},
		"nothing known of an empty text":   {"", Unknown, dv.Unknown, fault.ErrCorrupt, "empty"},
		"empty text, size unknown":         {"", Unknown, 0, fault.ErrCorrupt, "empty"},
		"empty text, cardinality unknown":  {"", 0, dv.Unknown, fault.ErrCorrupt, "empty"},
		"empty text with a size":           {"", 12, 0, fault.ErrMismatch, "12"},
		"size below unknown":               {pos5, -2, 1, fault.ErrInvalidArgument, "-2"},
		"cardinality below unknown":        {pos5, 34, -2, fault.ErrInvalidArgument, "-2"},
		"size of the text":                 {pos5, 45, 1, fault.ErrMismatch, "45"},
		"largest size":                     {pos5, 1<<31 - 1, 1, fault.ErrMismatch, "2147483647"},
		"one group too many":               {pos5 + "00000", 34, 1, fault.ErrMismatch, "40 bytes"},
		"a group of padding, size agrees":  {pos5 + "00000", 40, 1, fault.ErrCorrupt, "follow"},
		"a group of padding, size unknown": {pos5 + "00000", Unknown, 1, fault.ErrCorrupt, "follow"},
		"padding not zero, size unknown":   {padded("d1d33964" + five + "0001"), Unknown, 1, fault.ErrCorrupt, "follow"},
		"first byte of padding not zero":   {padded("d1d33964" + five + "0100"), 34, 1, fault.ErrCorrupt, "34"},
		"magic alone":                      {padded("d1d33964"), 4, 0, fault.ErrCorrupt, "4 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := DecodeInline([]byte(c.text), c.size, c.cardinality)
			wantKind(t, err, c.kind)
			if !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q does not say %q", err, c.says)
			}
		})
	}
}

func TestInlineEmpty(t *testing.T) {
	v, err := DecodeInline(nil, 0, 0)
	if err != nil || v.Cardinality() != 0 {
		t.Fatalf("%v, %v", v, err)
	}
	text, size, err := EncodeInline(dv.New())
	if err != nil || string(text) != "^Bg9^0000000000" || size != 12 {
		t.Fatalf("%q, %d, %v", text, size, err)
	}
}

// A text cut anywhere is never a vector, whatever is known of it.
func TestInlineCut(t *testing.T) {
	for n := range len(example) {
		for _, size := range []int32{exampleSize, Unknown} {
			if v, err := DecodeInline([]byte(example[:n]), size, dv.Unknown); err == nil {
				t.Fatalf("%d characters and size %d gave %v", n, size, positions(t, v))
			}
		}
	}
}

// There is no CRC in a text, so a changed digit may be another vector; but then it is one that spells itself so.
func TestInlineChangedDigit(t *testing.T) {
	for at := range len(pos5) {
		for i := range len(z85Digits) {
			text := []byte(pos5)
			text[at] = z85Digits[i]
			v, err := DecodeInline(text, pos5Size, dv.Unknown)
			if err != nil {
				continue
			}
			again, _, err := EncodeInline(v)
			if err != nil || string(again) != string(text) {
				t.Fatalf("%q was read, but is spelt %q (%v)", text, again, err)
			}
		}
	}
}

func TestInlineRoundTrip(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 85))
	paddings := map[int]int{}
	for range 60 {
		v := randomVector(t, rnd)
		text, size, err := EncodeInline(v)
		if err != nil {
			t.Fatal(err)
		}
		paddings[len(text)/5*4-int(size)]++
		for _, known := range []int32{size, Unknown} {
			got, err := DecodeInline(text, known, v.Cardinality())
			if err != nil || !got.Equals(v) {
				t.Fatalf("size %d of %d: %v", known, size, err)
			}
		}
	}
	if len(paddings) != 4 {
		t.Fatalf("paddings seen: %v", paddings)
	}
}
