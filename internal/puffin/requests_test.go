package puffin

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/pierrec/lz4/v4"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/storage"
)

// sparseFile is a file with one vector somewhere in it, and its entry.
type sparseFile struct {
	bytes     []byte
	entry     Entry
	positions []int64
}

// sparse makes a file whose vector lies at offset, of size bytes or a little more, followed by
// gap bytes; its footer is padded to footer bytes or a little more.
func sparse(t testing.TB, offset, gap, footer int) sparseFile {
	t.Helper()
	v := dv.New()
	positions := []int64{7, 70_000, 1 << 33}
	if err := v.SetMany(positions); err != nil {
		t.Fatal(err)
	}
	e, err := v.EncodeBlob()
	if err != nil {
		t.Fatal(err)
	}
	blobs := make([]byte, offset-magicSize, offset+e.Size()+gap)
	blobs = append(append(blobs, e.Bytes()...), make([]byte, gap)...)
	json := footerJSON(entryJSON(offset, e.Size(), `"referenced-data-file":"f","cardinality":"3"`))
	json += strings.Repeat(" ", max(0, footer-len(json)))
	return sparseFile{build(blobs, json), Entry{int64(offset), int64(e.Size()), 3, "f"}, positions}
}

func TestRequests(t *testing.T) {
	const kib = 1 << 10
	cases := []struct {
		what                string
		offset, gap, footer int
		open, entry         int  // how many requests Open and ReadEntry make
		head                bool // ReadEntry checks the head magic
	}{
		{"small file", 4, 0, 0, 1, 1, true},
		{"64 KiB with the blob at the end", 60 * kib, 3 * kib, 0, 1, 1, true},
		{"blob in the tail", 200 * kib, 0, 0, 2, 2, true},
		{"blob at the head", 4, 200 * kib, 0, 2, 2, true},
		{"blob at 64 KiB", 64 * kib, 200 * kib, 0, 2, 2, true},
		{"blob beyond 64 KiB", 64*kib + 1, 200 * kib, 0, 2, 3, true},
		{"long footer, blob at the head", 4, 0, 100 * kib, 3, 3, true},
		{"long footer, blob at 64 KiB", 64 * kib, 200 * kib, 100 * kib, 3, 3, true},
		{"long footer, blob beyond 64 KiB", 100 * kib, 0, 100 * kib, 3, 3, false},
		{"footer as long as the tail, blob before it", 100 * kib, 0, 64*kib - 16, 2, 3, true},
	}
	for _, c := range cases {
		t.Run(c.what, func(t *testing.T) {
			file := sparse(t, c.offset, c.gap, c.footer)
			src := record(file.bytes)
			f, err := Open(src)
			if err != nil || len(src.requests) != c.open {
				t.Fatalf("Open: %d requests, want %d: %v, %v", len(src.requests), c.open, src.requests, err)
			}
			src.requests = nil
			if _, _, err := f.ReadEntry(src, file.entry); err != nil || len(src.requests) != 1 {
				t.Fatalf("File.ReadEntry: %d requests, want 1: %v", len(src.requests), err)
			}
			src.requests = nil
			v, _, err := ReadEntry(src, file.entry)
			if err != nil || len(src.requests) != c.entry {
				t.Fatalf("ReadEntry: %d requests, want %d: %v, %v", len(src.requests), c.entry, src.requests, err)
			}
			if got := positionsOf(t, v); fmt.Sprint(got) != fmt.Sprint(file.positions) {
				t.Fatalf("positions %v", got)
			}
			checkHeadIsSeen(t, file, c.head)
		})
	}
}

// checkHeadIsSeen damages the head magic.
func checkHeadIsSeen(t *testing.T, file sparseFile, seen bool) {
	t.Helper()
	file.bytes[3] = '2'
	_, err := Open(record(file.bytes))
	wantKind(t, err, fault.ErrCorrupt, "byte 0: magic 50464132 at its start")
	_, _, err = ReadEntry(record(file.bytes), file.entry)
	if seen {
		wantKind(t, err, fault.ErrCorrupt, "byte 0: magic 50464132 at its start")
	} else if err != nil {
		t.Fatal(err)
	}
}

// TestTheFirstRequestIsTheTail keeps a remote reader's cost in bytes where it was promised.
func TestTheFirstRequestIsTheTail(t *testing.T) {
	file := sparse(t, 200_000, 1_000_000, 0)
	src := record(file.bytes)
	if _, err := Open(src); err != nil {
		t.Fatal(err)
	}
	size := int64(len(file.bytes))
	want := [][2]int64{{size - 65536, 65536}, {0, 4}}
	if fmt.Sprint(src.requests) != fmt.Sprint(want) {
		t.Fatalf("requests %v, want %v", src.requests, want)
	}
}

// TestAFooterCostsMemoryInProportion opens footers that are all blobs, all names and all
// white space.
func TestAFooterCostsMemoryInProportion(t *testing.T) {
	const smallest = `{"type":"x","fields":[],"snapshot-id":0,"sequence-number":0,"offset":4,"length":0}`
	const n = 100_000
	for what, payload := range map[string]string{
		"blobs":        footerJSON(strings.Repeat(smallest+",", n) + smallest),
		"names":        footerJSON(entryJSON(4, 0, `"referenced-data-file":"`+strings.Repeat("n", 9_000_000)+`"`)),
		"white space":  footerJSON() + strings.Repeat(" ", 9_000_000),
		"many offsets": `{"x":"` + strings.Repeat(`\"offset\"`, 800_000) + `",` + footerJSON()[1:],
		"offsets":      `{"x":[` + strings.Repeat(`"offset",`, 800_000) + `0],` + footerJSON()[1:],
	} {
		for form, file := range map[string][]byte{
			"plain":      build(nil, payload),
			"compressed": build(nil, deflate(t, payload, lz4.BlockSizeOption(lz4.Block64Kb)), 1),
		} {
			src := storage.Memory(file)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Open(src)
			runtime.ReadMemStats(&after)
			if err != nil && fault.Kind(err) != fault.ErrLimit {
				t.Errorf("%s, %s: %v", what, form, err)
			}
			allocated, allowed := int(after.TotalAlloc-before.TotalAlloc), 64<<20+4*len(file)
			if allocated > allowed {
				t.Errorf("%s, %s: %d bytes allocated for a file of %d", what, form, allocated, len(file))
			}
		}
	}
}

// TestALyingSizeIsIO reads a source that has less than it claims.
func TestALyingSizeIsIO(t *testing.T) {
	file := valid()
	for _, size := range []int64{int64(len(file)) + 1, 1 << 40, 1<<63 - 1} {
		src := storage.NewFuncSource(size, func(p []byte, off int64) (int, error) {
			if off >= int64(len(file)) {
				return 0, nil
			}
			return copy(p, file[off:]), nil
		})
		_, err := Open(src)
		wantKind(t, err, fault.ErrIO, "ended at offset")
	}
	endless := storage.NewFuncSource(1<<50, func(p []byte, off int64) (int, error) {
		clear(p)
		tail := file[len(file)-12:]
		if off+int64(len(p)) == 1<<50 {
			copy(p[len(p)-12:], tail)
		}
		return len(p), nil
	})
	_, err := Open(endless)
	wantKind(t, err, fault.ErrCorrupt, "before the footer payload")
}
