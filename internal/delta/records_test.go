package delta

import (
	"bytes"
	"errors"
	"testing"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/golden"
	"github.com/libdv/libdv/internal/storage"
)

// walk reads all records of a file, up to the first fault.
func walk(data []byte) (records []Record, err error) {
	r, err := NewRecords(storage.Memory(data))
	if err != nil {
		return nil, err
	}
	for {
		if _, left := r.Rest(); left == 0 {
			return records, nil
		}
		record, err := r.Next()
		if err != nil {
			return append(records, record), err
		}
		records = append(records, record)
	}
}

func TestRecordsOfGoldenFiles(t *testing.T) {
	seen := 0
	for _, f := range golden.Load(t).Files {
		if f.Format != "delta-dv-file" || f.Magic != "portable" {
			continue
		}
		data := golden.Read(t, f.File)
		records, err := walk(data)
		if err != nil || len(records) != len(f.Records) {
			t.Fatalf("%s: %d records, %v; expected %d", f.File, len(records), err, len(f.Records))
		}
		for i, want := range f.Records {
			seen++
			got := records[i]
			end := int64(want.Offset) + int64(want.SizeInBytes) + 8
			if got.Offset != int64(want.Offset) || !bytes.Equal(got.Data, data[want.Offset:end]) {
				t.Errorf("%s: record %d at %d with %d bytes, expected %d bytes at %d", f.File, i, got.Offset, len(got.Data), want.SizeInBytes+8, want.Offset)
			}
			if v, err := dv.ParseRecord(got.Data, want.Cardinality); err != nil {
				t.Errorf("%s: record %d: %v, %v", f.File, i, v, err)
			}
		}
	}
	if seen < 30 {
		t.Errorf("%d records, expected 30 or more", seen)
	}
}

func TestRecordsUpToTheFirstFault(t *testing.T) {
	data := golden.Read(t, "hostile/delta/two_dvs_second.bin") // records [1, 43) and [43, 87)
	edit := func(at int, b byte) []byte {
		out := bytes.Clone(data)
		out[at] = b
		return out
	}
	for _, c := range []struct {
		name    string
		data    []byte
		kind    error
		records int
		last    int // bytes of the last one
		text    string
	}{
		{"sound", data, nil, 2, 44, ""},
		{"no record", data[:1], nil, 0, 0, ""},
		{"nothing", nil, fault.ErrCorrupt, 0, 0, "version byte"},
		{"version", edit(0, 9), fault.ErrUnsupported, 0, 0, "version byte is 9"},
		{"cut in a size field", data[:46], fault.ErrCorrupt, 2, 0, "record at 43: the record is cut short: 3 bytes are left"},
		{"cut after it", data[:47], fault.ErrCorrupt, 2, 4, "record at 43: the record is cut short: size field, 36 bytes and CRC end at byte 87, the file has 47"},
		{"cut in the CRC", data[:86], fault.ErrCorrupt, 2, 43, "end at byte 87, the file has 86"},
		{"a size below 0", edit(43, 0xFF), fault.ErrCorrupt, 2, 0, "record at 43: size field -"},
		{"an older form", edit(5, 0xD0), fault.ErrUnsupported, 1, 42, "record at 1: the vector has the magic 1681511376"},
		{"another magic", edit(5, 0xDD), nil, 2, 44, ""}, // not for this to say
	} {
		records, err := walk(c.data)
		if fault.Kind(err) != c.kind || len(records) != c.records {
			t.Errorf("%s: %d records, %v", c.name, len(records), err)
			continue
		}
		if err != nil && !bytes.Contains([]byte(err.Error()), []byte(c.text)) {
			t.Errorf("%s: %v, expected %q", c.name, err, c.text)
		}
		if n := len(records); n > 0 && len(records[n-1].Data) != c.last {
			t.Errorf("%s: %d bytes of the last record, expected %d", c.name, len(records[n-1].Data), c.last)
		}
	}
}

func TestRecordsOfAFailingSource(t *testing.T) {
	cause := errors.New("no route")
	data := golden.Read(t, "hostile/delta/two_dvs_second.bin")
	for _, from := range []int64{0, 1, 30, 43, 50} {
		src := storage.NewFuncSource(int64(len(data)), func(p []byte, off int64) (int, error) {
			if off+int64(len(p)) > from {
				return 0, cause
			}
			return copy(p, data[off:]), nil
		})
		r, err := NewRecords(src)
		for err == nil {
			_, err = r.Next()
		}
		if fault.Kind(err) != fault.ErrIO || !errors.Is(err, cause) {
			t.Errorf("failing from byte %d on: %v", from, err)
		}
	}
}
