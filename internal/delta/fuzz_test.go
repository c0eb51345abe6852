package delta

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/golden"
	"github.com/libdv/libdv/internal/storage"
)

// refused says that an error has a kind and one line.
func refused(t *testing.T, err error) {
	t.Helper()
	if fault.Kind(err) == nil || strings.ContainsAny(err.Error(), "\n\r") {
		t.Fatalf("an error without a kind, or of several lines: %q", err)
	}
}

func FuzzDescriptor(f *testing.F) {
	for _, g := range goldenDescriptors(f) {
		f.Add(g.log(f, false))
		f.Add(g.log(f, true))
	}
	for _, g := range goldenInlines(f) {
		f.Add(describe(f, "i", g.Text))
	}
	f.Add([]byte(`{"storageType":"r","pathOrInlineDv":"a/b.bin","offset":1,"sizeInBytes":34,"cardinality":1,"x":[{}]}`))
	control := golden.Read(f, controlFile)
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := ParseDescriptor(raw)
		if err != nil {
			refused(t, err)
			return
		}
		// A second parser, which is laxer, sees the same texts.
		var members map[string]json.RawMessage
		if err := json.Unmarshal(raw, &members); err != nil {
			t.Fatalf("%q: %v", raw, err)
		}
		for name, want := range map[string]string{"storageType": d.storageType, "pathOrInlineDv": d.text} {
			var got string
			if err := json.Unmarshal(members[name], &got); err != nil || got != want {
				t.Fatalf("%s is %q, a second parser says %q (%v)", name, want, got, err)
			}
		}
		if !strings.HasPrefix(d.UniqueID(), d.storageType+d.text) || strings.ContainsRune(d.Path(), 0) {
			t.Fatalf("unique id %q, path %q", d.UniqueID(), d.Path())
		}
		if (d.Path() == "") != (d.storageType == "i") {
			t.Fatalf("path %q of type %q", d.Path(), d.storageType)
		}
		if d.storageType == "u" {
			sameDescriptor(t, d)
		}
		if v, err := d.Read(storage.Memory(control)); err != nil {
			refused(t, err)
		} else if v.Cardinality() != d.cardinality {
			t.Fatalf("%d positions, the descriptor says %d", v.Cardinality(), d.cardinality)
		}
	})
}

// sameDescriptor makes a descriptor from the path of one and compares, unless a writer would not use that path.
func sameDescriptor(t *testing.T, d *Descriptor) {
	t.Helper()
	raw, err := NewDescriptor(d.Path(), Result{Cardinality: 1, Offset: 1, SizeInBytes: 34})
	if err != nil {
		refused(t, err)
		return
	}
	again, err := ParseDescriptor(raw)
	if err != nil || again.Path() != d.Path() {
		t.Fatalf("%q became %q, %v", d.Path(), raw, err)
	}
}

func FuzzInlineDecode(f *testing.F) {
	for _, g := range goldenInlines(f) {
		f.Add([]byte(g.Text), g.Size, g.Cardinality)
		f.Add([]byte(g.Text), Unknown, dv.Unknown)
	}
	for _, h := range golden.Load(f).Hostile {
		for _, run := range h.Runs {
			if run.Kind == "inline" {
				f.Add([]byte(run.Text), int32(*run.Size), *run.Card)
			}
		}
	}
	f.Add([]byte(obsolete), int32(40), int64(6))
	f.Fuzz(func(t *testing.T, text []byte, size int32, cardinality int64) {
		v, err := DecodeInline(text, size, cardinality)
		if err != nil {
			refused(t, err)
			return
		}
		if cardinality != dv.Unknown && v.Cardinality() != cardinality {
			t.Fatalf("%d positions, expected %d", v.Cardinality(), cardinality)
		}
		if size == Unknown && len(text) > 0 {
			// One of four sizes says the same.
			n := 0
			for padding := range int32(4) {
				same, err := DecodeInline(text, int32(len(text)/5*4)-padding, cardinality)
				if err == nil && same.Equals(v) {
					n++
				}
			}
			if n != 1 {
				t.Fatalf("%d sizes for one text", n)
			}
		}
		again, n, err := EncodeInline(v)
		if err != nil {
			t.Fatal(err)
		}
		same, err := DecodeInline(again, n, v.Cardinality())
		if err != nil || !same.Equals(v) {
			t.Fatalf("%q became %q: %v", text, again, err)
		}
	})
}

func FuzzRead(f *testing.F) {
	for _, file := range goldenFiles(f) {
		data := golden.Read(f, file.File)
		if len(data) > 2000 {
			continue
		}
		for _, r := range file.Records {
			f.Add(data, r.Offset, r.SizeInBytes, r.Cardinality)
			f.Add(data, r.Offset, Unknown, dv.Unknown)
		}
	}
	for _, h := range golden.Load(f).Hostile {
		for _, run := range h.Runs {
			if run.Kind != "delta" {
				continue
			}
			if data := golden.Read(f, run.File); len(data) < 2000 {
				f.Add(data, int32(*run.Offset), int32(min(*run.Size, math.MaxInt32)), *run.Card)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, offset, size int32, cardinality int64) {
		spy := newSpy(data)
		v, err := Read(spy, offset, size, cardinality)
		if len(spy.requests) > 3 {
			t.Fatalf("requests: %v", spy.requests)
		}
		blob, count, blobErr := ReadBlob(storage.Memory(data), offset, size, cardinality)
		if err != nil {
			refused(t, err)
			refused(t, blobErr)
			return
		}
		if cardinality != dv.Unknown && v.Cardinality() != cardinality {
			t.Fatalf("%d positions, expected %d", v.Cardinality(), cardinality)
		}
		file, results := write(t, v)
		again, err := Read(storage.Memory(file), results[0].Offset, results[0].SizeInBytes, results[0].Cardinality)
		if err != nil || !again.Equals(v) {
			t.Fatalf("%v", err)
		}
		if blobErr != nil { // padded
			refused(t, blobErr)
			return
		}
		if !bytes.Contains(data, blob) || count != v.Cardinality() {
			t.Fatalf("a blob of %d positions that is not there", count)
		}
	})
}
