package puffin

import (
	"encoding/json"
	"testing"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/golden"
	"github.com/libdv/libdv/internal/storage"
)

// seed adds every small golden and hostile Puffin file.
func seed(f *testing.F, add func(file []byte)) {
	f.Helper()
	const most = 2000
	for name := range puffins(f) {
		if raw := golden.Read(f, name); len(raw) <= most {
			add(raw)
		}
	}
	for _, h := range golden.Load(f).Hostile {
		if h.Format != "puffin" {
			continue
		}
		if raw := golden.Read(f, h.Runs[0].File); len(raw) <= most {
			add(raw)
		}
	}
	add(build(oneBlob, deflate(f, footerJSON(entryJSON(4, 42, named))), 1))
}

// known fails on an error without a kind, and on one that no input should cause.
func known(t *testing.T, err error) {
	t.Helper()
	switch fault.Kind(err) {
	case fault.ErrCorrupt, fault.ErrMismatch, fault.ErrUnsupported, fault.ErrLimit:
	default:
		t.Fatalf("%v is %v", err, fault.Kind(err))
	}
}

// FuzzOpen opens any bytes, and holds what it accepts against encoding/json.
func FuzzOpen(f *testing.F) {
	seed(f, func(file []byte) { f.Add(file) })
	f.Fuzz(func(t *testing.T, file []byte) {
		src := storage.Memory(file)
		p, err := Open(src)
		if err != nil {
			known(t, err)
			return
		}
		var footer struct {
			Blobs []struct {
				Type           string
				Offset, Length int64
			}
		}
		agrees(t, p.payload, p.about.Offset)
		if err := json.Unmarshal(p.FooterJSON(), &footer); err != nil || len(footer.Blobs) != len(p.Blobs()) {
			t.Fatalf("encoding/json: %d blobs, want %d, %v", len(footer.Blobs), len(p.Blobs()), err)
		}
		for i, b := range p.Blobs() {
			if b.Offset < 4 || b.Length < 0 || b.Offset+b.Length > int64(len(file)-20) {
				t.Fatalf("blob %d lies at [%d, +%d) of %d", i, b.Offset, b.Length, len(file))
			}
			if _, err := p.Read(src, i); err != nil {
				known(t, err)
			}
		}
	})
}

// FuzzReadEntry reads any entry of any bytes both ways, which must agree but where the file as
// a whole is at fault, and holds the vector against the range alone.
func FuzzReadEntry(f *testing.F) {
	seed(f, func(file []byte) { f.Add(file, int64(4), int64(42), int64(1), "s3://bucket/t/a.parquet") })
	f.Add(oneBlob, int64(0), int64(42), int64(1), "f")
	f.Add(valid(), int64(4), int64(42), int64(1), "f")
	f.Fuzz(func(t *testing.T, file []byte, offset, size, count int64, name string) {
		entry := Entry{offset, size, count, name}
		src := record(file)
		v, warnings, err := ReadEntry(src, entry)
		if len(src.requests) > mostRequests || len(file) <= tailSize && len(src.requests) > 1 {
			t.Fatalf("%d requests", len(src.requests))
		}
		opened, openedWarnings, openedErr := readers["opened"](src, entry)
		if (err == nil) != (openedErr == nil) || warnings != openedWarnings {
			t.Fatalf("in one go %d, %v; opened %d, %v", warnings, err, openedWarnings, openedErr)
		}
		if err != nil {
			if entry.check() == nil {
				known(t, err)
			}
			return
		}
		bare, err := dv.ReadRange(src, offset, size, count)
		if err != nil || !v.Equals(bare) || !v.Equals(opened) || v.Cardinality() != count {
			t.Fatalf("other vectors, or %v", err)
		}
	})
}

// FuzzPartitionSpecs adds to a writer with any specs and any partition, and holds what it
// accepts against encoding/json.
func FuzzPartitionSpecs(f *testing.F) {
	f.Add([]byte(dayAndBucket), int32(3), []byte(`{"1000":"2022-01-08","1001":7,"1007":null}`))
	f.Add([]byte(dayAndBucket), int32(3), []byte(`["2022-01-08",7,null]`))
	f.Add([]byte(dayAndBucket), int32(0), []byte(`[]`))
	f.Add([]byte(`[{"spec-id":0,"fields":[{"field-id":1}]}]`), int32(0), []byte(`[1.10]`))
	f.Add([]byte(`[]`), int32(0), []byte(`{}`))
	f.Fuzz(func(t *testing.T, specs []byte, id int32, partition []byte) {
		w, err := NewWriter(specs)
		if err == nil {
			err = w.Add("f", []int64{1}, id, partition)
		}
		if err != nil {
			if fault.Kind(err) != fault.ErrInvalidArgument {
				t.Fatalf("%v is %v", err, fault.Kind(err))
			}
			return
		}
		file, entries := flush(t, w, "loc")
		files := parseEntries(t, entries)
		spec, err := w.specs.find(id)
		if err != nil || len(files) != 1 || len(files[0].Partition) != len(spec.fields) || files[0].SpecID != id {
			t.Fatalf("%s for %s, %v", entries, specs, err)
		}
		if _, err := Open(storage.Memory(file)); err != nil {
			t.Fatal(err)
		}
	})
}
