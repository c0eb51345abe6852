package inspect

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/libdv/libdv/internal/golden"
)

// The manifest's names of the formats.
var formatOf = map[string]Format{
	"puffin": Puffin, "iceberg-dv-blob": Blob, "delta-dv-file": Delta, "roaring64-portable": Roaring, "mumbling-v1": Mumbling,
}

// wantStructure holds a vector against the manifest.
func wantStructure(t *testing.T, v *vectorObject, want golden.Structure) {
	t.Helper()
	if *v.BitmapCount != want.BitmapCount || *v.EmptyBitmaps != want.EmptyBitmaps {
		t.Errorf("%d bitmaps, %d empty; expected %d and %d", *v.BitmapCount, *v.EmptyBitmaps, want.BitmapCount, want.EmptyBitmaps)
	}
	if n := int64(len(v.Bitmaps)); n != min(want.BitmapCount, bitmapsMost) || n+v.BitmapsOmitted != want.BitmapCount {
		t.Errorf("%d bitmaps listed and %d left out, of %d", n, v.BitmapsOmitted, want.BitmapCount)
	}
	next := v.Offset + 8 // the count of bitmaps
	if slices.Contains(v.Checks, "crc") {
		next += 8
	}
	var kinds [3]int64
	for i, b := range v.Bitmaps {
		if b.Offset != next {
			t.Errorf("bitmap %d at %d, expected %d", i, b.Offset, next)
		}
		next += b.Size
		if i >= len(want.Bitmaps) {
			continue // the manifest leaves out some, too
		}
		got := golden.Bitmap{Key: b.Key, Cookie: b.Cookie, Containers: b.Containers, Array: b.Array, Bitmap: b.Bitmap, Run: b.Run, OffsetHeader: b.OffsetHeader}
		if diff := cmp.Diff(want.Bitmaps[i], got); diff != "" {
			t.Errorf("bitmap %d: %s", i, diff)
		}
		kinds[0] += b.Array
		kinds[1] += b.Bitmap
		kinds[2] += b.Run
	}
	if v.BitmapsOmitted == 0 {
		got := [3]int64{v.Containers["array"].Count, v.Containers["bitmap"].Count, v.Containers["run"].Count}
		if got != kinds {
			t.Errorf("containers by kind %v, expected %v", got, kinds)
		}
	}
}

// wantPositions holds cardinality and bounds of a sound vector against the manifest.
func wantPositions(t *testing.T, v *vectorObject, cardinality int64, positions golden.Positions) {
	t.Helper()
	if v.Fault != nil || !v.Complete || *v.Cardinality != cardinality {
		t.Fatalf("fault %v, complete %v, %v positions; expected %d", v.Fault, v.Complete, v.Cardinality, cardinality)
	}
	all := positions.All(t)
	if cardinality == 0 {
		if v.Bounds != nil {
			t.Errorf("bounds %v of an empty vector", v.Bounds)
		}
	} else if len(all) > 0 && (v.Bounds.First != all[0] || v.Bounds.Last != all[len(all)-1]) {
		t.Errorf("bounds %v, expected %d to %d", v.Bounds, all[0], all[len(all)-1])
	}
}

func TestGoldenFiles(t *testing.T) {
	seen := map[Format]int{}
	for _, f := range golden.Load(t).Files {
		t.Run(f.File, func(t *testing.T) {
			data, format := golden.Read(t, f.File), formatOf[f.Format]
			o := look(t, data, Unknown)
			if o.Format != string(format) {
				t.Fatalf("taken for %s, expected %s", o.Format, format)
			}
			if f.Magic == "native" {
				if o.Fault == nil || o.Fault.Status != "DV_UNSUPPORTED" || !strings.Contains(o.Fault.Message, "1681511376") {
					t.Errorf("fault %v", o.Fault)
				}
				return
			}
			if o.Fault != nil && !strings.Contains(f.File, "dv_blob_zstd") {
				t.Fatalf("fault %v", o.Fault)
			}
			switch format {
			case Puffin:
				wantPuffin(t, o, f)
			case Delta:
				wantDelta(t, o, f)
			case Mumbling:
				wantPositions(t, &o.Vectors[0], f.Cardinality, f.Positions)
				c := o.Vectors[0].Containers
				if n := c["sparse"].Count + c["dense"].Count + c["empty"].Count; n != f.Containers || *o.Version != 1 || *o.Vectors[0].Declared != f.Cardinality {
					t.Errorf("%v, version %v, declared %v; expected %d containers", c, o.Version, o.Vectors[0].Declared, f.Containers)
				}
			default:
				wantPositions(t, &o.Vectors[0], f.Cardinality, f.Positions)
				wantStructure(t, &o.Vectors[0], f.Structure)
			}
			seen[format]++
		})
	}
	want := map[Format]int{Puffin: 49, Blob: 40, Delta: 9, Roaring: 24, Mumbling: 30}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("files seen: %s", diff)
	}
}

func wantPuffin(t *testing.T, o *object, f golden.File) {
	t.Helper()
	vectors, others := o.Vectors, o.OtherBlobs
	for i, b := range f.Blobs {
		if b.Type != "deletion-vector-v1" {
			if got := others[0]; got.Index != int64(i) || got.Type != b.Type || got.Offset != b.Offset || got.Size != b.Length ||
				!cmp.Equal(got.CompressionCodec, b.CompressionCodec) {
				t.Errorf("blob %d: %+v, expected %+v", i, got, b)
			}
			others = others[1:]
			continue
		}
		v := vectors[0]
		vectors = vectors[1:]
		if v.Index != int64(i) || v.Offset != b.Offset || v.Size != b.Length || *v.DataFile != b.Properties["referenced-data-file"] {
			t.Errorf("vector %d: %+v, expected %+v", i, v, b)
		}
		if b.CompressionCodec != nil {
			if v.Fault == nil || v.Fault.Status != "DV_UNSUPPORTED" || v.Cardinality != nil || v.Containers != nil {
				t.Errorf("vector %d with a codec: %+v", i, v)
			}
			continue
		}
		wantPositions(t, &v, b.Cardinality, b.Positions)
		declared, there := b.Properties["cardinality"]
		if (v.Declared != nil) != there || slices.Contains(v.Checks, "cardinality") != there {
			t.Errorf("vector %d: declared %v, checks %v; the footer has %q", i, v.Declared, v.Checks, declared)
		}
	}
	if len(vectors)+len(others) != 0 {
		t.Errorf("%d vectors and %d blobs too many", len(vectors), len(others))
	}
}

func wantDelta(t *testing.T, o *object, f golden.File) {
	t.Helper()
	if len(o.Vectors) != len(f.Records) || *o.Version != 1 || o.Rest != nil {
		t.Fatalf("%d vectors, version %v, rest %v; expected %d", len(o.Vectors), o.Version, o.Rest, len(f.Records))
	}
	for i, r := range f.Records {
		v := &o.Vectors[i]
		if v.Index != int64(i) || v.Offset != int64(r.Offset) || *v.SizeInBytes != int64(r.SizeInBytes) || v.Size != int64(r.SizeInBytes)+8 {
			t.Errorf("record %d: %+v, expected %+v", i, v, r)
		}
		wantPositions(t, v, r.Cardinality, r.Positions)
		wantStructure(t, v, r.Structure)
	}
}

// TestCanonical knows from what the files are which of them hold the bytes that this library writes.
func TestCanonical(t *testing.T) {
	for name, want := range map[string]struct {
		smallest, canonical bool
		size                int64
	}{
		"iceberg/pos5.dv":                           {true, true, 42},
		"iceberg/keys_gap_0_2.dv":                   {false, false, 61}, // an empty bitmap of 12 bytes for key 1
		"iceberg/key_1000_only.dv":                  {false, false, 42}, // 1,000 of them
		"hostile/roaring/run_many_inefficient.dv":   {false, false, 8 + 8 + 4 + 16 + 8192 + 4},
		"hostile/roaring/run_cookie_no_run_flag.dv": {true, false, 8 + 8 + 4 + 16 + 6 + 4},
		"delta/kernel_single.bin":                   {true, true, 42},
		"mumbling/pos5.bin":                         {true, true, 10},
		"hostile/mumbling/dense_low_bits_1.bin":     {false, false, 6 + 3 + 32}, // our one descriptor takes no bits
	} {
		data := golden.Read(t, name)
		v := look(t, data, Unknown).Vectors[0]
		if *v.Smallest != want.smallest || *v.Canonical != want.canonical || *v.CanonicalSize != want.size {
			t.Errorf("%s: %v, %v, %d bytes; expected %v", name, *v.Smallest, *v.Canonical, *v.CanonicalSize, want)
		}
	}
}
