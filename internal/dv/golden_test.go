package dv

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/golden"
)

func all(t testing.TB, v *Vector) []int64 {
	t.Helper()
	out := make([]int64, v.Cardinality()+1)
	n, err := v.Positions(0, MaxPosition+1, out)
	if err != nil {
		t.Fatal(err)
	}
	return out[:n]
}

func of(t testing.TB, positions []int64) *Vector {
	t.Helper()
	v := New()
	if err := v.SetMany(positions); err != nil {
		t.Fatal(err)
	}
	return v
}

func blobOf(t testing.TB, v *Vector) []byte {
	t.Helper()
	e, err := v.EncodeBlob()
	if err != nil {
		t.Fatal(err)
	}
	return e.Bytes()
}

func bitmapOf(t testing.TB, v *Vector) []byte {
	t.Helper()
	e, err := v.EncodeBitmap()
	if err != nil {
		t.Fatal(err)
	}
	return e.Bytes()
}

// golden blobs of Iceberg Java whose bytes come from adding ranges or from gaps in the keys;
// all others are what adding the positions singly gives.
func oneByOneDiffers(f golden.File) bool {
	return strings.Contains(f.File, "keys_") && !strings.HasSuffix(f.File, ".onebyone.dv") && !strings.HasPrefix(f.File, "iceberg/go/") ||
		strings.Contains(f.File, "key_")
}

func TestGoldenBlobs(t *testing.T) {
	read, same := 0, 0
	for _, f := range golden.Load(t).Files {
		if f.Format != "iceberg-dv-blob" {
			continue
		}
		t.Run(f.File, func(t *testing.T) {
			data, want := golden.Read(t, f.File), f.Positions.All(t)
			v, err := ParseBlob(data, f.Cardinality)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, all(t, v)); diff != "" {
				t.Errorf("positions: %s", diff)
			}
			read++
			if oneByOneDiffers(f) {
				return
			}
			same++
			if diff := cmp.Diff(data, blobOf(t, of(t, want))); diff != "" {
				t.Errorf("our bytes differ from the peer's: %s", diff)
			}
			if diff := cmp.Diff(data, blobOf(t, v)); diff != "" {
				t.Errorf("rewriting the frozen vector differs: %s", diff)
			}
		})
	}
	if read < 40 || same < 30 {
		t.Errorf("%d golden blobs read and %d compared, expected 40 and 30 or more", read, same)
	}
}

func TestGoldenBitmaps(t *testing.T) {
	read := 0
	for _, f := range golden.Load(t).Files {
		if f.Format != "roaring64-portable" {
			continue
		}
		read++
		t.Run(f.File, func(t *testing.T) {
			data, want := golden.Read(t, f.File), f.Positions.All(t)
			v, err := ParseBitmap(data)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, all(t, v)); diff != "" {
				t.Errorf("positions: %s", diff)
			}
			if diff := cmp.Diff(data, bitmapOf(t, v)); diff != "" {
				t.Errorf("containers are not written as they stand: %s", diff)
			}
			fresh := of(t, want)
			if strings.Contains(f.File, "runopt") {
				fresh.RunLengthEncode()
			} else if strings.Contains(f.File, "rangeopt") || strings.Contains(f.File, "roaring-rs") {
				return // built from ranges
			}
			if diff := cmp.Diff(data, bitmapOf(t, fresh)); diff != "" {
				t.Errorf("our bytes differ from the peer's: %s", diff)
			}
		})
	}
	if read < 20 {
		t.Errorf("%d golden bitmaps, expected 20 or more", read)
	}
}

// decisions on the cases that the manifest leaves open, by the rules of the package.
var decided = map[string]string{
	"run_card_lies_low":      "reject", // the cardinality must match the container
	"offsets_reverse_layout": "reject", // offsets must be where the containers are in sequence
	"offsets_gap":            "reject",
}

func TestHostile(t *testing.T) {
	tried := 0
	for _, h := range golden.Load(t).Hostile {
		for _, r := range h.Runs {
			var err error
			switch r.Kind {
			case "blob":
				_, err = ParseBlob(golden.Read(t, r.File), *r.Card)
			case "roaring64":
				_, err = ParseBitmap(golden.Read(t, r.File))
			default:
				continue
			}
			tried++
			want := h.Expected
			if want == "either" {
				want = decided[h.Name]
			}
			switch {
			case want == "accept" && err != nil:
				t.Errorf("%s (%s): %v", h.Name, h.Wrong, err)
			case want == "reject" && err == nil:
				t.Errorf("%s (%s): accepted", h.Name, h.Wrong)
			case want == "reject" && h.Name == "cardinality_declared_0":
				if !errors.Is(err, fault.ErrMismatch) {
					t.Errorf("%s: %v, expected a mismatch", h.Name, err)
				}
			case want == "reject" && !errors.Is(err, fault.ErrCorrupt):
				t.Errorf("%s (%s): %v, expected corrupt", h.Name, h.Wrong, err)
			case want != "accept" && want != "reject":
				t.Errorf("%s: no decision", h.Name)
			}
		}
	}
	if tried < 100 {
		t.Errorf("%d hostile inputs, expected 100 or more", tried)
	}
}
