package puffin

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/golden"
	"github.com/libdv/libdv/internal/storage"
)

// readers are the two ways from an entry to its vector.
var readers = map[string]func(src storage.Source, e Entry) (*dv.Vector, uint32, error){
	"in one go": ReadEntry,
	"opened": func(src storage.Source, e Entry) (*dv.Vector, uint32, error) {
		f, err := Open(src)
		if err != nil {
			return nil, 0, err
		}
		return f.ReadEntry(src, e)
	},
}

// eachReader runs a test both ways.
func eachReader(t *testing.T, test func(t *testing.T, read func(src storage.Source, e Entry) (*dv.Vector, uint32, error))) {
	for name, read := range readers {
		t.Run(name, func(t *testing.T) { test(t, read) })
	}
}

func TestEntriesAreCheckedAgainstTheFooter(t *testing.T) {
	const twice = `"referenced-data-file":"g","cardinality":"1"`
	theta := strings.Replace(entryJSON(88, 42, named), DeletionVector, "theta", 1)
	zstd := strings.Replace(entryJSON(130, 42, named), `"properties"`, `"compression-codec":"zstd","properties"`, 1)
	noCodec := strings.Replace(entryJSON(172, 42, named), `"properties"`, `"compression-codec":"","properties"`, 1)
	file := build([]byte(strings.Repeat(string(oneBlob), 10)), footerJSON(
		entryJSON(4, 42, named),
		entryJSON(46, 42, `"referenced-data-file":"f"`),
		theta, zstd, noCodec,
		entryJSON(214, 42, `"cardinality":"1"`),
		entryJSON(256, 42, `"referenced-data-file":"","cardinality":"1"`),
		entryJSON(298, 42, `"referenced-data-file":"f","cardinality":"one"`),
		entryJSON(340, 42, `"referenced-data-file":"f","cardinality":"2"`),
		entryJSON(382, 42, named), entryJSON(382, 42, twice), entryJSON(382, 20, `"referenced-data-file":"h"`),
		strings.Replace(entryJSON(382, 42, `"referenced-data-file":"t"`), DeletionVector, "theta", 1),
	))
	const card = `property "cardinality"`
	cases := []struct {
		entry    Entry
		kind     error
		says     string
		warnings uint32
	}{
		{Entry{4, 42, 1, "f"}, nil, "", 0},
		{Entry{46, 42, 1, "f"}, nil, "", WarnNoCardinality},
		{Entry{382, 42, 1, "f"}, nil, "", 0},
		{Entry{382, 42, 1, "g"}, nil, "", 0},
		{Entry{4, 42, 2, "f"}, fault.ErrMismatch, "record count 2", 0},
		{Entry{4, 42, 0, "f"}, fault.ErrMismatch, "record count 0", 0},
		{Entry{46, 42, 2, "f"}, fault.ErrMismatch, "expected a cardinality of 2", 0},
		{Entry{340, 42, 2, "f"}, fault.ErrMismatch, "expected a cardinality of 2", 0},
		{Entry{340, 42, 1, "f"}, fault.ErrMismatch, card + " is 2", 0},
		{Entry{4, 42, 1, "F"}, fault.ErrMismatch, `its data file is "f"`, 0},
		{Entry{382, 42, 1, "h"}, fault.ErrMismatch, "data file is", 0},
		{Entry{4, 41, 1, "f"}, fault.ErrMismatch, "content size 41", 0},
		{Entry{4, 84, 1, "f"}, fault.ErrMismatch, "content size 84", 0},
		{Entry{5, 42, 1, "f"}, fault.ErrMismatch, "none of its 13 blobs starts at offset 5", 0},
		{Entry{1 << 40, 42, 1, "f"}, fault.ErrMismatch, "none of its 13 blobs", 0},
		{Entry{1<<63 - 1, 1<<63 - 1, 1, "f"}, fault.ErrMismatch, "none of its 13 blobs", 0},
		{Entry{88, 42, 1, "f"}, fault.ErrMismatch, `type is "theta"`, 0},
		{Entry{382, 42, 1, "t"}, fault.ErrMismatch, "data file", 0},
		{Entry{130, 42, 1, "f"}, fault.ErrUnsupported, `codec is "zstd"`, 0},
		{Entry{172, 42, 1, "f"}, fault.ErrUnsupported, `codec is ""`, 0},
		{Entry{214, 42, 1, "f"}, fault.ErrCorrupt, "missing or empty", 0},
		{Entry{256, 42, 1, "f"}, fault.ErrCorrupt, "missing or empty", 0},
		{Entry{298, 42, 1, "f"}, fault.ErrCorrupt, card + " is no decimal number", 0},
		{Entry{-1, 42, 1, "f"}, fault.ErrInvalidArgument, "-1", 0},
		{Entry{4, -1, 1, "f"}, fault.ErrInvalidArgument, "-1", 0},
		{Entry{4, 42, -1, "f"}, fault.ErrInvalidArgument, "-1", 0},
		{Entry{4, 42, 1, ""}, fault.ErrInvalidArgument, "empty", 0},
		{Entry{214, 42, 1, ""}, fault.ErrInvalidArgument, "empty", 0},
		{Entry{4, 42, 1, "f\xff"}, fault.ErrInvalidArgument, "UTF-8", 0},
		{Entry{4, 42, 1, "f\x00"}, fault.ErrInvalidArgument, "NUL", 0},
	}
	eachReader(t, func(t *testing.T, read func(src storage.Source, e Entry) (*dv.Vector, uint32, error)) {
		for _, c := range cases {
			t.Run(fmt.Sprint(c.entry), func(t *testing.T) {
				v, warnings, err := read(storage.Memory(file), c.entry)
				if warnings != c.warnings {
					t.Fatalf("warnings %d, want %d", warnings, c.warnings)
				}
				if c.kind != nil {
					wantKind(t, err, c.kind, c.says)
					if v != nil {
						t.Fatal("a vector came with the error")
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if got := positionsOf(t, v); len(got) != 1 || got[0] != 1 {
					t.Fatalf("positions %v", got)
				}
			})
		}
	})
}

// TestOfTwoVectorsOverOneRangeTheNamedOneCounts reads the manifest's own case.
func TestOfTwoVectorsOverOneRangeTheNamedOneCounts(t *testing.T) {
	src := storage.Memory(golden.Read(t, "hostile/puffin/overlap_identical.puffin"))
	f, err := Open(src)
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range f.Blobs() {
		if b != f.Blobs()[i] || b.Offset != f.Blobs()[0].Offset || b.DataFile == f.Blobs()[1-i].DataFile {
			t.Fatalf("the file is not what this test knows: %+v", f.Blobs())
		}
		eachReader(t, func(t *testing.T, read func(src storage.Source, e Entry) (*dv.Vector, uint32, error)) {
			if _, _, err := read(src, Entry{b.Offset, b.Length, b.Cardinality, b.DataFile}); err != nil {
				t.Fatal(err)
			}
			_, _, err := read(src, Entry{b.Offset, b.Length, b.Cardinality, b.DataFile + "?"})
			wantKind(t, err, fault.ErrMismatch)
		})
	}
}

func TestDamagedBlobs(t *testing.T) {
	damaged := append([]byte(nil), oneBlob...)
	damaged[len(damaged)-1] ^= 1
	src := storage.Memory(build(damaged, footerJSON(entryJSON(4, 42, named))))
	eachReader(t, func(t *testing.T, read func(src storage.Source, e Entry) (*dv.Vector, uint32, error)) {
		_, _, err := read(src, Entry{4, 42, 1, "f"})
		wantKind(t, err, fault.ErrCorrupt, "blob at offset 4", "CRC-32")
	})
}

func TestVectorsOwnTheirBytes(t *testing.T) {
	eachReader(t, func(t *testing.T, read func(src storage.Source, e Entry) (*dv.Vector, uint32, error)) {
		file := valid()
		v, _, err := read(storage.Memory(file), Entry{4, 42, 1, "f"})
		if err != nil {
			t.Fatal(err)
		}
		clear(file)
		if got := positionsOf(t, v); len(got) != 1 || got[0] != 1 {
			t.Fatalf("positions %v", got)
		}
	})
}

func TestFilesThatAreNoPuffinFiles(t *testing.T) {
	bare := strings.Repeat("x", 100_000)
	deltaFile := "\x01" + string(oneBlob)
	for what, c := range map[string]struct {
		file   string
		offset int64
		says   []string
	}{
		"bare blob":          {string(oneBlob), 0, []string{"bytes at offset 0 start a bare", "dv_read_range", "dv_deserialize"}},
		"Delta file":         {deltaFile, 1, []string{"bytes at offset 1 start a bare", "dv_read_range", "dv_deserialize"}},
		"bare, far from end": {string(oneBlob) + bare, 0, []string{"bytes at offset 0 start a bare", "dv_read_range"}},
		"Parquet":            {"PAR1" + bare + "PAR1", 4, []string{"magic 50415231 at its end", "no bare deletion vector", "dv_read_range"}},
		"beyond the end":     {bare, 1 << 50, []string{"no bare deletion vector", "dv_read_range"}},
		"empty":              {"", 0, []string{"0 bytes", "dv_read_range"}},
	} {
		t.Run(what, func(t *testing.T) {
			src := record([]byte(c.file))
			_, _, err := ReadEntry(src, Entry{c.offset, 42, 1, "f"})
			wantKind(t, err, fault.ErrCorrupt, append(c.says, "not a Puffin file")...)
			if len(src.requests) > 3 {
				t.Fatalf("%d requests", len(src.requests))
			}
		})
	}
}

// TestLookingUpManyEntriesIsNotQuadratic would take minutes if each were searched for.
func TestLookingUpManyEntriesIsNotQuadratic(t *testing.T) {
	const n = 100_000
	entries := make([]string, n)
	for i := range entries {
		entries[n-1-i] = entryJSON(4, 42, fmt.Sprintf(`"referenced-data-file":"f%d","cardinality":"1"`, i))
	}
	src := storage.Memory(build(oneBlob, footerJSON(entries...)))
	f, err := Open(src)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if _, _, err := f.ReadEntry(src, Entry{4, 42, 1, fmt.Sprint("f", i)}); err != nil {
			t.Fatal(err)
		}
	}
	_, _, err = f.ReadEntry(src, Entry{4, 42, 1, "f"})
	wantKind(t, err, fault.ErrMismatch)
}

func TestReadChecksTheIndex(t *testing.T) {
	src := storage.Memory(valid())
	f, err := Open(src)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{-1, 1, 1 << 40, -1 << 63} {
		_, err := f.Read(src, i)
		wantKind(t, err, fault.ErrInvalidArgument, "has 1")
	}
}

func TestAFailingSourceIsIO(t *testing.T) {
	broken := errors.New("connection reset")
	file := sparse(t, 200_000, 100_000, 100_000)
	for n := 1; n <= 3; n++ {
		src := &recorder{Source: storage.Memory(file.bytes), failAt: n, failure: fault.IO(broken, "read")}
		_, _, err := ReadEntry(src, file.entry)
		wantKind(t, err, fault.ErrIO, "connection reset")
		if !errors.Is(err, broken) {
			t.Fatalf("request %d: %v lost its cause", n, err)
		}
	}
}

// TestThreadsShareAFile is for the race detector: the order to search in is made on first use.
func TestThreadsShareAFile(t *testing.T) {
	src := storage.Memory(golden.Read(t, "iceberg/multi_3_files.puffin"))
	f, err := Open(src)
	if err != nil {
		t.Fatal(err)
	}
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() {
			for i, b := range f.Blobs() {
				v, _, err := f.ReadEntry(src, Entry{b.Offset, b.Length, b.Cardinality, b.DataFile})
				again, errAgain := f.Read(src, i)
				if err != nil || errAgain != nil || !v.Equals(again) {
					t.Errorf("blob %d: %v, %v", i, err, errAgain)
				}
			}
		})
	}
	readers.Wait()
}
