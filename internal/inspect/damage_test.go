package inspect

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/golden"
	"github.com/libdv/libdv/internal/puffin"
	"github.com/libdv/libdv/internal/storage"
)

// writePuffin writes one vector for each of the lists of positions, for data files "0", "1", ...
func writePuffin(t testing.TB, vectors ...[]int64) []byte {
	t.Helper()
	w, err := puffin.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, positions := range vectors {
		if err := w.Add(fmt.Sprint(i), positions, 0, nil); err != nil {
			t.Fatal(err)
		}
	}
	sink := storage.NewMemorySink()
	if _, err := w.Flush(sink, "x"); err != nil {
		t.Fatal(err)
	}
	out, err := sink.Take()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// frame builds a Puffin file around blobs and a footer's list of them.
func frame(blobs []byte, entries ...string) []byte {
	payload := `{"blobs":[` + strings.Join(entries, ",") + `]}`
	out := append([]byte(puffinMagic), blobs...)
	out = append(out, puffinMagic...)
	out = append(out, payload...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(payload)))
	return append(out, "\x00\x00\x00\x00"+puffinMagic...)
}

func entry(kind string, offset, size int, more string) string {
	return fmt.Sprintf(`{"type":%q,"fields":[],"snapshot-id":-1,"sequence-number":-1,"offset":%d,"length":%d%s}`, kind, offset, size, more)
}

func named(name string) string {
	return fmt.Sprintf(`,"properties":{"referenced-data-file":%q}`, name)
}

func blobOf(t testing.TB, positions ...int64) []byte {
	t.Helper()
	v := dv.New()
	if err := v.SetMany(positions); err != nil {
		t.Fatal(err)
	}
	e, err := v.EncodeBlob()
	if err != nil {
		t.Fatal(err)
	}
	return e.Bytes()
}

func TestOneBadVectorOfThree(t *testing.T) {
	data := writePuffin(t, []int64{1}, []int64{2, 3}, []int64{4, 5, 6})
	sound := look(t, data, Unknown)
	bad := sound.Vectors[1]
	data[bad.Offset+bad.Size-1] ^= 1 // the CRC's last byte
	o := look(t, data, Unknown)
	if o.Count != 3 || o.Faulty != 1 || o.Omitted != 0 {
		t.Fatalf("%d vectors, %d faulty, %d omitted", o.Count, o.Faulty, o.Omitted)
	}
	for i, v := range o.Vectors {
		if (v.Fault != nil) != (i == 1) || *v.Cardinality != int64(i+1) || !v.Complete {
			t.Errorf("vector %d: %+v", i, v)
		}
		if i != 1 {
			if diff := cmp.Diff(sound.Vectors[i], v); diff != "" {
				t.Errorf("vector %d: %s", i, diff)
			}
		}
	}
	if !cmp.Equal(o.Fault, o.Vectors[1].Fault) || o.Fault.Status != "DV_CORRUPT" ||
		!strings.HasPrefix(o.Fault.Message, fmt.Sprintf("blob 1 at offset %d of the Puffin file: deletion vector: byte %d: CRC-32 ", bad.Offset, bad.Size-4)) {
		t.Errorf("fault %+v", o.Fault)
	}
	want := []string{"end_magic", "footer", "footer_json", "head_magic", "footer_entry", "length", "magic", "structure", "end", "cardinality"}
	if diff := cmp.Diff(want, o.Checks); diff != "" {
		t.Errorf("checks: %s", diff)
	}
}

func TestDamagedPuffinFiles(t *testing.T) {
	blob := blobOf(t, 7, 8)
	n := len(blob)
	both := append(bytes.Clone(blob), blob...)
	withoutHead := frame(blob, entry("deletion-vector-v1", 4, n, named("a")))
	withoutHead[0] = 'x'
	cutFooter := frame(blob, entry("deletion-vector-v1", 4, n, named("a")))
	cutFooter[len(cutFooter)-13] = ' ' // the payload's last brace
	const all = "footer_entry length magic crc structure end"
	for _, c := range []struct {
		name    string
		data    []byte
		status  string
		message string
		file    string // checks
		vectors []string
	}{
		{"the first byte", withoutHead, "DV_CORRUPT", "byte 0: magic", "end_magic footer footer_json", []string{all}},
		{"the payload's end", cutFooter, "DV_CORRUPT", "Puffin footer: byte ", "end_magic footer", nil},
		{"no data file", frame(blob, entry("deletion-vector-v1", 4, n, "")), "DV_CORRUPT", "blob 0 at offset 4 of the Puffin file: its property \"referenced-data-file\"",
			"end_magic footer footer_json head_magic", []string{"length magic crc structure end"}},
		{"a codec", frame(both, entry("deletion-vector-v1", 4, n, named("a")), entry("deletion-vector-v1", 4+n, n, `,"compression-codec":"zstd"`)), "DV_UNSUPPORTED",
			"blob 1 at offset 48", "end_magic footer footer_json head_magic", []string{all, ""}},
		{"no positive length", frame(blob, entry("deletion-vector-v1", 4, 0, named("a"))), "DV_CORRUPT", "its length is 0",
			"end_magic footer footer_json head_magic", []string{""}},
		{"another cardinality", frame(blob, entry("deletion-vector-v1", 4, n, `,"properties":{"referenced-data-file":"a","cardinality":"3"}`)), "DV_MISMATCH",
			"2 positions, expected a cardinality of 3", "end_magic footer footer_json head_magic", []string{all}},
	} {
		o := look(t, c.data, Puffin)
		if o.Fault == nil || o.Fault.Status != c.status || !strings.Contains(o.Fault.Message, c.message) {
			t.Errorf("%s: fault %+v", c.name, o.Fault)
		}
		if !strings.HasPrefix(strings.Join(o.Checks, " "), c.file) || (o.Footer == nil) != (c.vectors == nil) {
			t.Errorf("%s: checks %v, expected %s first; footer %v", c.name, o.Checks, c.file, o.Footer)
		}
		var vectors []string
		for _, v := range o.Vectors {
			vectors = append(vectors, strings.Join(v.Checks, " "))
		}
		if diff := cmp.Diff(c.vectors, vectors); diff != "" {
			t.Errorf("%s: checks of the vectors: %s", c.name, diff)
		}
	}
}

func TestDeltaUpToTheFirstFault(t *testing.T) {
	data := golden.Read(t, "delta/kernel_boundaries.bin")
	sound := look(t, data, Unknown)
	third := sound.Vectors[2]
	end := third.Offset + third.Size

	damaged := bytes.Clone(data)
	damaged[end-5] ^= 1 // its last position
	o := look(t, damaged, Unknown)
	if o.Count != 3 || o.Faulty != 1 || o.Vectors[0].Fault != nil || o.Vectors[1].Fault != nil {
		t.Fatalf("%d vectors, %d faulty: %+v", o.Count, o.Faulty, o.Fault)
	}
	if want := fmt.Sprintf("delta record at %d: deletion vector: byte %d: CRC-32", third.Offset, third.Size-4); !strings.HasPrefix(o.Fault.Message, want) {
		t.Errorf("fault %+v, expected %q", o.Fault, want)
	}
	if o.Rest == nil || o.Rest.Offset != end || o.Rest.Size != int64(len(data))-end {
		t.Errorf("rest %v, expected %d bytes at %d", o.Rest, int64(len(data))-end, end)
	}

	// Of a record that is cut in its last container, what is before it is counted.
	o = look(t, data[:end-6], Unknown)
	last := o.Vectors[len(o.Vectors)-1]
	if o.Count != 3 || o.Rest != nil || last.Complete || last.Smallest != nil || last.BitmapCount == nil || *last.SizeInBytes != *third.SizeInBytes ||
		last.Size != third.Size-6 || !strings.Contains(o.Fault.Message, "the record is cut short") {
		t.Errorf("%d vectors, rest %v, fault %+v, %+v", o.Count, o.Rest, o.Fault, last)
	}

	// Where a size field cannot be, nobody knows where its record ends.
	damaged = bytes.Clone(data)
	damaged[third.Offset] = 0xFF
	o = look(t, damaged, Unknown)
	last = o.Vectors[len(o.Vectors)-1]
	if o.Count != 3 || last.Size != 0 || last.SizeInBytes != nil || o.Rest == nil || o.Rest.Offset != third.Offset {
		t.Errorf("%d vectors, rest %v, %+v", o.Count, o.Rest, last)
	}
}

func TestPaddingOfARecord(t *testing.T) {
	blob := blobOf(t, 7, 8)
	padded := append(bytes.Clone(blob[:len(blob)-4]), 0, 0)
	binary.BigEndian.PutUint32(padded, uint32(len(padded)-4))
	padded = binary.BigEndian.AppendUint32(padded, crcOf(padded[4:]))
	v := look(t, append([]byte{1}, padded...), Unknown).Vectors[0]
	if v.Fault != nil || *v.Padding != 2 || *v.Canonical || !*v.Smallest || *v.CanonicalSize != int64(len(blob)) {
		t.Errorf("%+v", v)
	}
	if o := look(t, padded, Blob); o.Fault == nil || !strings.Contains(o.Fault.Message, "2 bytes follow the bitmap") {
		t.Errorf("as a blob: %+v", o.Fault)
	}
}
