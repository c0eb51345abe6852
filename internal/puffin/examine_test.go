package puffin

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/golden"
	"github.com/libdv/libdv/internal/storage"
)

var fileChecks = []string{CheckEnd, CheckFooter, CheckJSON, CheckHead}

func TestExamineNamesTheChecksThatWerePassed(t *testing.T) {
	sound := build(oneBlob, footerJSON(entryJSON(4, len(oneBlob), `"referenced-data-file":"a","cardinality":"1"`)))
	edit := func(at int, b byte) []byte {
		out := append([]byte(nil), sound...)
		out[(at+len(out))%len(out)] = b
		return out
	}
	payload := 4 + len(oneBlob) + 4
	for _, c := range []struct {
		name   string
		data   []byte
		passed int
		kind   error
		opens  bool // the footer is read
	}{
		{"sound", sound, 4, nil, true},
		{"nothing", nil, 0, fault.ErrCorrupt, false},
		{"the last byte", edit(-1, 'x'), 0, fault.ErrCorrupt, false},
		{"flags", edit(-8, 2), 1, fault.ErrUnsupported, false},
		{"payload size", edit(-12, 0), 1, fault.ErrCorrupt, false},
		{"compressed, it says", edit(-8, 1), 1, fault.ErrCorrupt, false},
		{"JSON", edit(payload, '['), 2, fault.ErrCorrupt, false},
		{"the first byte", edit(0, 'x'), 3, fault.ErrCorrupt, true},
	} {
		f, passed, err := Examine(storage.Memory(c.data))
		if fault.Kind(err) != c.kind || (f != nil) != c.opens {
			t.Errorf("%s: %v, %v", c.name, f, err)
		}
		if diff := cmp.Diff(fileChecks[:c.passed], append([]string{}, passed...)); diff != "" {
			t.Errorf("%s: checks %s", c.name, diff)
		}
		if _, err := Open(storage.Memory(c.data)); fault.Kind(err) != c.kind {
			t.Errorf("%s: Open says %v", c.name, err)
		}
	}
}

// A payload of fewer bytes than {} is refused by its size, before anything is looked for where it would be.
func TestPayloadSize(t *testing.T) {
	for size := int32(-1); size <= 3; size++ {
		data := build(oneBlob, "{}")
		binary.LittleEndian.PutUint32(data[len(data)-12:], uint32(size))
		_, err := Open(storage.Memory(data))
		named := err != nil && strings.Contains(err.Error(), fmt.Sprintf("payload size %d, expected 2 to", size))
		if fault.Kind(err) != fault.ErrCorrupt || named != (size < 2) {
			t.Errorf("%d: %v", size, err)
		}
	}
}

func TestFooter(t *testing.T) {
	const created = `"properties":{"a":"b","created-by":"somebody é"}}`
	payload := `{"blobs":[],` + created
	plain := build(nil, payload)
	packed := build(nil, deflate(t, payload), 1)
	for _, c := range []struct {
		name string
		data []byte
		want Footer
	}{
		{"plain", plain, Footer{Offset: 4, Size: int64(len(plain)) - 4, CreatedBy: "somebody é"}},
		{"compressed", packed, Footer{Offset: 4, Size: int64(len(packed)) - 4, CreatedBy: "somebody é", Compressed: true}},
		{"anonymous", build(oneBlob, footerJSON()), Footer{Offset: 4 + int64(len(oneBlob)), Size: 4 + int64(len(footerJSON())) + 12}},
	} {
		f, err := Open(storage.Memory(c.data))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if diff := cmp.Diff(c.want, f.Footer()); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	f, err := Open(storage.Memory(golden.Read(t, "iceberg/pos5.puffin")))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := f.Footer().CreatedBy, "Apache Iceberg 1.12.0 (commit 212aa894e919ff9fdf89160da4aadcbe6858ac01)"; got != want {
		t.Errorf("created by %q, expected %q", got, want)
	}
}

// TestCheckVector agrees with Read on everything that the footer alone can tell.
func TestCheckVector(t *testing.T) {
	for _, c := range []struct {
		properties string
		kind       error
	}{
		{`"referenced-data-file":"a","cardinality":"1"`, nil},
		{`"referenced-data-file":"a"`, nil},
		{`"cardinality":"1"`, fault.ErrCorrupt},
		{`"referenced-data-file":"a","cardinality":"one"`, fault.ErrCorrupt},
	} {
		src := storage.Memory(build(oneBlob, footerJSON(entryJSON(4, len(oneBlob), c.properties))))
		f, err := Open(src)
		if err != nil {
			t.Fatal(err)
		}
		_, read := f.Read(src, 0)
		if err := f.Blobs()[0].CheckVector(); fault.Kind(err) != c.kind || fault.Kind(read) != c.kind {
			t.Errorf("%s: %v, Read says %v; expected %v", c.properties, err, read, fmt.Sprint(c.kind))
		}
	}
}
