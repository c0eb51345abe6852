package delta

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/golden"
	"github.com/libdv/libdv/internal/storage"
)

// A blob goes in and comes out as it is, however it is encoded; what is no blob leaves the writer as it was.
func TestBlobs(t *testing.T) {
	var blobs [][]byte
	var cards []int64
	for _, f := range golden.Load(t).Files {
		if f.Format == "dv-blob" || strings.HasSuffix(f.File, ".dv") {
			blobs = append(blobs, golden.Read(t, f.File))
			cards = append(cards, f.Cardinality)
		}
	}
	if len(blobs) < 20 {
		t.Fatalf("%d blobs", len(blobs))
	}
	sink := storage.NewMemorySink()
	w := NewWriter(sink)
	var results []Result
	for i, blob := range blobs {
		_, err := w.WriteBlob(blob, cards[i]+1)
		wantKind(t, err, fault.ErrMismatch)
		_, err = w.WriteBlob(blob[:len(blob)-1], cards[i])
		wantKind(t, err, fault.ErrCorrupt)
		_, err = w.WriteBlob(record(append(slices.Clone(blob[4:len(blob)-4]), 0)), cards[i])
		wantKind(t, err, fault.ErrCorrupt)
		r, err := w.WriteBlob(blob, []int64{cards[i], dv.Unknown}[i%2])
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	if err := w.Finalize(); err != nil {
		t.Fatal(err)
	}
	data, err := sink.Take()
	if err != nil {
		t.Fatal(err)
	}
	next := int32(1)
	for i, r := range results {
		if want := (Result{cards[i], next, int32(len(blobs[i]) - 8)}); r != want {
			t.Fatalf("%+v, want %+v", r, want)
		}
		next += int32(len(blobs[i]))
		got, count, err := ReadBlob(storage.Memory(data), r.Offset, r.SizeInBytes, r.Cardinality)
		if err != nil || !bytes.Equal(got, blobs[i]) || count != cards[i] {
			t.Fatalf("blob %d: %d positions, %v", i, count, err)
		}
		_, _, err = ReadBlob(storage.Memory(data), r.Offset, r.SizeInBytes, r.Cardinality+1)
		wantKind(t, err, fault.ErrMismatch)
		// The range alone is what an Iceberg entry points at.
		v, err := dv.ReadRange(storage.Memory(data), int64(r.Offset), int64(r.SizeInBytes)+8, r.Cardinality)
		if err != nil || v.Cardinality() != cards[i] {
			t.Fatalf("blob %d as a range: %v", i, err)
		}
	}
}
