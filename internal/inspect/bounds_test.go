package inspect

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/libdv/libdv/internal/storage"
)

func TestListsAreCut(t *testing.T) {
	// More vectors, and more keys in each, than are listed.
	positions := make([][]int64, vectorsMost+200)
	for i := range positions {
		for key := range int64(bitmapsMost + 6) {
			positions[i] = append(positions[i], key<<32)
		}
	}
	data := writePuffin(t, positions...)
	o := look(t, data, Unknown)
	if o.Count != vectorsMost+200 || o.Omitted != 200 || o.Faulty != 0 || o.Unexamined != 0 {
		t.Fatalf("%d vectors, %d omitted, %d faulty", o.Count, o.Omitted, o.Faulty)
	}
	listed := 0
	for i, v := range o.Vectors {
		if *v.BitmapCount != bitmapsMost+6 || v.BitmapsOmitted != *v.BitmapCount-int64(len(v.Bitmaps)) {
			t.Fatalf("vector %d: %d bitmaps listed, %d omitted", i, len(v.Bitmaps), v.BitmapsOmitted)
		}
		listed += len(v.Bitmaps)
	}
	if len(o.Vectors[0].Bitmaps) != bitmapsMost || listed != bitmapsInAll {
		t.Errorf("%d bitmaps of the first vector listed, %d in all", len(o.Vectors[0].Bitmaps), listed)
	}

	// A fault beyond the list is found all the same.
	last := bytes.LastIndex(data, []byte("\xd1\xd3\x39\x64"))
	data[last+9] ^= 1 // in the count of its bitmaps
	o = look(t, data, Unknown)
	if o.Faulty != 1 || !strings.HasPrefix(o.Fault.Message, fmt.Sprintf("blob %d at offset %d ", len(positions)-1, last-4)) {
		t.Errorf("%d faulty, %+v", o.Faulty, o.Fault)
	}
}

func TestOtherBlobsAndTextsAreCut(t *testing.T) {
	long := strings.Repeat("\\u0001", 400) + strings.Repeat("é", 400)
	entries := []string{
		entry("deletion-vector-v1", 4, 20, `,"properties":{"referenced-data-file":"`+long+`"}`),
		`{"type":"` + long + `","fields":[],"snapshot-id":0,"sequence-number":0,"offset":4,"length":0,"compression-codec":"` + long + `"}`,
	}
	for range otherBlobsMost {
		entries = append(entries, entry("x", 4, 0, ""))
	}
	o := look(t, frame(blobOf(t), entries...), Unknown)
	if o.Fault != nil || len(o.OtherBlobs) != otherBlobsMost || o.OtherOmitted != 1 {
		t.Fatalf("%+v; %d other blobs, %d omitted", o.Fault, len(o.OtherBlobs), o.OtherOmitted)
	}
	want := strings.Repeat("\x01", 400) + strings.Repeat("é", 56) + "..."
	for _, text := range []string{*o.Vectors[0].DataFile, o.OtherBlobs[0].Type, *o.OtherBlobs[0].CompressionCodec} {
		if text != want {
			t.Errorf("%q, expected %q", text, want)
		}
	}
}

// TestTheLargestObject has as much as is listed, in characters that JSON spells with six.
func TestTheLargestObject(t *testing.T) {
	long := strings.Repeat("\\u0001", textMost)
	var entries []string
	for i := range 2 * vectorsMost {
		entries = append(entries, entry("deletion-vector-v1", 4+i%2, 20+i, `,"properties":{"referenced-data-file":"`+long+`","cardinality":"9223372036854775807"}`))
	}
	for range 2 * otherBlobsMost {
		entries = append(entries, `{"type":"`+long+`","fields":[],"snapshot-id":0,"sequence-number":0,"offset":4,"length":0,"compression-codec":"`+long+`"}`)
	}
	out, err := Inspect(storage.Memory(frame(make([]byte, 1<<16), entries...)), Puffin)
	if err != nil || len(out) < 5<<20 || len(out) > 8<<20 {
		t.Errorf("%d bytes, %v; expected 5 to 8 MiB", len(out), err)
	}
}

// TestOverlappingBlobs has a footer that asks for far more bytes than the file has.
func TestOverlappingBlobs(t *testing.T) {
	blob := blobOf(t, 1)
	blob = append(blob, make([]byte, 1<<20-len(blob))...) // one long vector, which ends early
	entries := make([]string, 3000)
	for i := range entries {
		entries[i] = entry("deletion-vector-v1", 4, len(blob), named("a"))
	}
	data := frame(blob, entries...)
	read := int64(0)
	o := lookAt(t, storage.NewFuncSource(int64(len(data)), func(p []byte, off int64) (int, error) {
		read += int64(len(p))
		return copy(p, data[off:]), nil
	}), Unknown)
	examined := int64(2*len(data)+examinedFree) / int64(len(blob))
	if o.Count != 3000 || o.Unexamined != 3000-examined || o.Faulty != examined {
		t.Errorf("%d vectors, %d unexamined, %d faulty; expected %d examined", o.Count, o.Unexamined, o.Faulty, examined)
	}
	if most := int64(3*len(data) + examinedFree); read > most {
		t.Errorf("%d bytes read, expected at most %d", read, most)
	}
	if last := o.Vectors[len(o.Vectors)-1]; last.Fault != nil || last.Complete || last.Cardinality != nil || fmt.Sprint(last.Checks) != "[footer_entry]" {
		t.Errorf("unexamined: %+v", last)
	}
}

// tiny is a bitmap of as many containers as its bytes can hold: three of one value to each 32-bit bitmap.
func tiny(bitmaps int) []byte {
	out := binary.LittleEndian.AppendUint64(nil, uint64(bitmaps))
	for key := range bitmaps {
		out = binary.LittleEndian.AppendUint32(out, uint32(key))
		out = append(out, 0x3b, 0x30, 2, 0, 0)
		out = append(out, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0) // keys 0 to 2, one value each
		out = append(out, 0, 0, 0, 0, 0, 0)
	}
	return out
}

// TestMemory allocates no more, all in all, than what may be held at once.
func TestMemory(t *testing.T) {
	for _, c := range []struct {
		name   string
		data   []byte
		format Format
	}{
		{"tiny containers", tiny(1_000_000), Roaring},
		{"a long Mumbling bitmap", make([]byte, 100<<20), Mumbling},
		{"a long blob", make([]byte, 100<<20), Blob},
		{"unknown bytes", make([]byte, 100<<20), Unknown},
	} {
		src := storage.Memory(c.data)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		out, err := Inspect(src, c.format)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if allocated, allowed := after.TotalAlloc-before.TotalAlloc, uint64(64<<20+4*len(c.data)); allocated > allowed {
			t.Errorf("%s: %d bytes allocated for %d, expected at most %d", c.name, allocated, len(c.data), allowed)
		}
		if len(out) > 8<<20 {
			t.Errorf("%s: an object of %d bytes", c.name, len(out))
		}
	}
}

// TestHeapOfManyVectors watches the heap while small vectors are examined.
func TestHeapOfManyVectors(t *testing.T) {
	const n = 100_000
	entries := make([]string, n)
	for i := range entries {
		entries[i] = entry("deletion-vector-v1", 4+20*i, 20, named("a"))
	}
	vectors := bytes.Repeat(blobOf(t), n)
	for name, data := range map[string][]byte{
		"records": append([]byte{1}, vectors...),
		"blobs":   frame(vectors, entries...),
	} {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		before, peak := stats.HeapAlloc, uint64(0)
		o := lookAt(t, storage.NewFuncSource(int64(len(data)), func(p []byte, off int64) (int, error) {
			runtime.ReadMemStats(&stats)
			peak = max(peak, stats.HeapAlloc)
			return copy(p, data[off:]), nil
		}), Unknown)
		if o.Count != n || o.Fault != nil || o.Omitted != n-vectorsMost {
			t.Fatalf("%s: %d vectors, %d omitted, %+v", name, o.Count, o.Omitted, o.Fault)
		}
		if allowed := uint64(64<<20 + 4*len(data)); peak-before > allowed {
			t.Errorf("%s: the heap grew by %d bytes, expected at most %d", name, peak-before, allowed)
		}
	}
}
