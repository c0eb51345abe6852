package dv

import (
	"bytes"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/RoaringBitmap/roaring/v2/roaring64"

	"github.com/libdv/libdv/internal/golden"
)

func seeds(f *testing.F, formats ...string) {
	for _, g := range golden.Load(f).Files {
		if slices.Contains(formats, g.Format) {
			if data := golden.Read(f, g.File); len(data) < 20000 {
				f.Add(data)
			}
		}
	}
	for _, h := range golden.Load(f).Hostile {
		for _, r := range h.Runs {
			if r.Kind == "blob" && formats[0] == "iceberg-dv-blob" || r.Kind == "roaring64" && formats[0] == "roaring64-portable" {
				if data := golden.Read(f, r.File); len(data) < 20000 {
					f.Add(data)
				}
			}
		}
	}
}

// FuzzBitmap reads hostile bitmaps. What we accept, roaring/v2 reads as the same positions,
// and every way to read it agrees.
func FuzzBitmap(f *testing.F) {
	seeds(f, "roaring64-portable")
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := ParseBitmap(data)
		if err != nil || v.Cardinality() > 1<<20 {
			return
		}
		positions := all(t, v)
		if int64(len(positions)) != v.Cardinality() || !slices.IsSorted(positions) {
			t.Fatalf("%d positions, cardinality %d", len(positions), v.Cardinality())
		}
		peer := roaring64.New()
		if _, err := peer.ReadFrom(bytes.NewReader(data)); err == nil {
			if got := peer.GetCardinality(); int64(got) != v.Cardinality() {
				t.Fatalf("roaring/v2 reads %d positions, we %d", got, v.Cardinality())
			}
		}
		changed := of(t, positions)
		if !changed.Equals(v) || !v.Equals(changed) {
			t.Fatal("frozen and changed differ")
		}
		again, err := ParseBlob(blobOf(t, v), v.Cardinality())
		if err != nil || !again.Equals(v) {
			t.Fatalf("through a blob: %v", err)
		}
		if !bytes.Equal(blobOf(t, changed), blobOf(t, v)) {
			t.Fatal("the bytes depend on the history")
		}
		mask, same := make([]byte, 9000), make([]byte, 9000)
		if v.KeepMask(100, 72000, mask) != nil || changed.KeepMask(100, 72000, same) != nil || !bytes.Equal(mask, same) {
			t.Fatal("masks differ")
		}
	})
}

// FuzzBlob reads hostile blobs, as they are and with a right frame around them.
func FuzzBlob(f *testing.F) {
	seeds(f, "iceberg-dv-blob")
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, blob := range [][]byte{data, frame(data)} {
			v, err := ParseBlob(blob, Unknown)
			mask := make([]byte, 1000)
			direct := BlobKeepMask(blob, Unknown, 0, 8000, mask)
			if (err == nil) != (direct == nil) {
				t.Fatalf("parsed: %v, straight to a mask: %v", err, direct)
			}
			if err != nil {
				continue
			}
			want := make([]byte, 1000)
			if err := v.KeepMask(0, 8000, want); err != nil || !bytes.Equal(mask, want) {
				t.Fatalf("masks differ (%v)", err)
			}
		}
	})
}

// FuzzSetMany builds from arbitrary positions and compares with roaring/v2.
func FuzzSetMany(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 9, 9, 9, 9, 9, 9, 1, 2, 3, 4}, uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, spread uint8) {
		var positions []int64
		peer := roaring.New()
		at := uint32(0)
		for _, b := range data {
			at += uint32(b) << (spread % 16)
			positions = append(positions, int64(at))
			peer.Add(at)
		}
		v := of(t, positions)
		if err := v.SetMany(positions); err != nil {
			t.Fatal(err)
		}
		if v.Cardinality() != int64(peer.GetCardinality()) {
			t.Fatalf("%d positions, roaring/v2 has %d", v.Cardinality(), peer.GetCardinality())
		}
		for i, p := range all(t, v) {
			if got, _ := peer.Select(uint32(i)); int64(got) != p {
				t.Fatalf("position %d is %d, roaring/v2 has %d", i, p, got)
			}
		}
	})
}
