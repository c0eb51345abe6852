package puffin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/storage"
	"github.com/libdv/libdv/internal/version"
)

const dayAndBucket = `[
  {"spec-id": 0, "fields": []},
  {"spec-id": 3, "fields": [
    {"source-id": 4, "field-id": 1000, "transform": "day", "name": "d"},
    {"source-id": 1, "field-id": 1001, "transform": "bucket[16]", "name": "b"},
    {"source-ids": [1, 2], "field-id": 1007, "transform": "void", "name": "v"}]}
]`

func newWriter(t testing.TB, specs string) *Writer {
	t.Helper()
	var json []byte
	if specs != "" {
		json = []byte(specs)
	}
	w, err := NewWriter(json)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// flush writes to memory.
func flush(t testing.TB, w *Writer, location string) (file []byte, entries string) {
	t.Helper()
	sink := storage.NewMemorySink()
	json, err := w.Flush(sink, location)
	if err != nil {
		t.Fatal(err)
	}
	if file, err = sink.Take(); err != nil {
		t.Fatal(err)
	}
	return file, string(json)
}

func vectorOf(t testing.TB, positions ...int64) *dv.Vector {
	t.Helper()
	v := dv.New()
	if err := v.SetMany(positions); err != nil {
		t.Fatal(err)
	}
	return v
}

func ok(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// TestAFileByteForByte writes the example of the format.
func TestAFileByteForByte(t *testing.T) {
	w := newWriter(t, "")
	ok(t, w.Add("s3://b/a.parquet", []int64{1}, 0, nil))
	file, entries := flush(t, w, "s3://b/dv.puffin")
	payload := `{"blobs":[{"type":"deletion-vector-v1","fields":[2147483645],"snapshot-id":-1,"sequence-number":-1,` +
		`"offset":4,"length":42,"properties":{"referenced-data-file":"s3://b/a.parquet","cardinality":"1"}}],` +
		`"properties":{"created-by":"libdv ` + version.Version + `"}}`
	if want := build(oneBlob, payload); !bytes.Equal(file, want) {
		t.Errorf("file %q\nwant %q", file, want)
	}
	want := fmt.Sprintf(`[{"spec-id":0,"content":"position-deletes","file-path":"s3://b/dv.puffin","file-format":"puffin",`+
		`"partition":[],"file-size-in-bytes":%d,"record-count":1,"referenced-data-file":"s3://b/a.parquet",`+
		`"content-offset":4,"content-size-in-bytes":42}]`, len(file))
	if entries != want {
		t.Errorf("entries %s\nwant    %s", entries, want)
	}
}

// contentFile is an entry as a reader sees it.
type contentFile struct {
	SpecID    int32             `json:"spec-id"`
	Path      string            `json:"file-path"`
	Partition []json.RawMessage `json:"partition"`
	Size      int64             `json:"file-size-in-bytes"`
	Count     int64             `json:"record-count"`
	DataFile  string            `json:"referenced-data-file"`
	Offset    int64             `json:"content-offset"`
	Length    int64             `json:"content-size-in-bytes"`
}

func parseEntries(t *testing.T, entries string) (files []contentFile) {
	t.Helper()
	if err := json.Unmarshal([]byte(entries), &files); err != nil {
		t.Fatalf("%v in %s", err, entries)
	}
	return files
}

// readBack reads every entry of a file through ReadEntry.
func readBack(t *testing.T, file []byte, entries string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, e := range parseEntries(t, entries) {
		if e.Size != int64(len(file)) {
			t.Errorf("file size %d, want %d", e.Size, len(file))
		}
		v, warnings, err := ReadEntry(storage.Memory(file), Entry{e.Offset, e.Length, e.Count, e.DataFile})
		if err != nil || warnings != 0 {
			t.Fatalf("%s: warnings %d, %v", e.DataFile, warnings, err)
		}
		out[e.DataFile] = fmt.Sprint(positionsOf(t, v))
	}
	return out
}

func TestAddsAndLoadsAreMergedInOrderOfFirstAdd(t *testing.T) {
	w := newWriter(t, "")
	existing := vectorOf(t, 5, 1<<40)
	empty := dv.New()
	ok(t,
		w.Add("z", []int64{9, 3, 9}, 0, nil),
		w.Load("a", existing, 0, nil),
		w.Add("m", nil, 0, nil),
		w.Add("z", []int64{0}, 0, nil),
		w.Load("e", empty, 0, nil),
		w.Load("z", existing, 0, nil),
		w.Add("a", []int64{6}, 0, nil),
		w.Add("k", []int64{1}, 0, nil),
		existing.Set(77), // afterwards: the writer does not keep it
	)
	file, entries := flush(t, w, "loc")
	got := readBack(t, file, entries)
	want := map[string]string{"z": "[0 3 5 9 1099511627776]", "a": "[5 6 1099511627776]", "k": "[1]"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	var order []string
	next := int64(4)
	for _, e := range parseEntries(t, entries) {
		order = append(order, e.DataFile)
		if e.Offset != next {
			t.Errorf("%s starts at %d, want %d", e.DataFile, e.Offset, next)
		}
		next += e.Length
	}
	if fmt.Sprint(order) != "[z a k]" {
		t.Errorf("order %v", order)
	}
	if got := positionsOf(t, existing); fmt.Sprint(got) != "[5 77 1099511627776]" {
		t.Errorf("the loaded vector became %v", got)
	}
}

func TestTheFirstAddFixesSpecAndPartition(t *testing.T) {
	w := newWriter(t, dayAndBucket)
	ok(t,
		w.Add("a", []int64{1}, 3, []byte(`["2022-01-08", 7, null]`)),
		w.Add("a", []int64{2}, 99, []byte(`nonsense`)), // not looked at
		w.Load("a", vectorOf(t, 3), 99, nil),
		w.Load("b", vectorOf(t, 3), 0, nil),
		w.Add("b", []int64{4}, 3, nil),
		w.Add("c", nil, 99, []byte(`nonsense`)), // no positions: nothing happens
		w.Load("c", dv.New(), 99, []byte(`nonsense`)),
	)
	_, entries := flush(t, w, "loc")
	files := parseEntries(t, entries)
	if len(files) != 2 || files[0].SpecID != 3 || files[1].SpecID != 0 || files[0].Count != 3 || files[1].Count != 2 {
		t.Fatalf("%s", entries)
	}
	if !strings.Contains(entries, `"partition":["2022-01-08",7,null],`) || !strings.Contains(entries, `"partition":[],`) {
		t.Fatalf("%s", entries)
	}
}

// TestARefusedCallAddsNothing compares with a writer that never saw the call.
func TestARefusedCallAddsNothing(t *testing.T) {
	good := []byte(`{"1000":"2022-01-08","1001":7,"1007":null}`)
	fill := func(w *Writer) *Writer {
		ok(t, w.Add("a", []int64{1, 2}, 3, good))
		return w
	}
	w := fill(newWriter(t, dayAndBucket))
	for what, err := range map[string]error{
		"negative":                w.Add("a", []int64{5, -1}, 3, good),
		"too large":               w.Add("a", []int64{5, dv.MaxPosition + 1}, 3, good),
		"negative, new file":      w.Add("b", []int64{5, -1}, 3, good),
		"too large, new file":     w.Add("b", []int64{math.MaxInt64}, 3, good),
		"unknown spec":            w.Add("b", []int64{5}, 1, good),
		"negative spec":           w.Add("b", []int64{5}, -1, good),
		"partition missing":       w.Add("b", []int64{5}, 3, nil),
		"partition for none":      w.Add("b", []int64{5}, 0, good),
		"load, unknown spec":      w.Load("b", vectorOf(t, 5), 1, good),
		"load, partition missing": w.Load("b", vectorOf(t, 5), 3, []byte(`{}`)),
		"load, no vector":         w.Load("b", nil, 3, good),
		"empty name":              w.Add("", []int64{5}, 3, good),
		"empty name, no-op":       w.Add("", nil, 3, good),
		"NUL in the name":         w.Add("a\x00", []int64{5}, 3, good),
		"no UTF-8":                w.Load("a\xff", vectorOf(t, 5), 3, good),
	} {
		t.Run(what, func(t *testing.T) { wantKind(t, err, fault.ErrInvalidArgument) })
	}
	got, gotEntries := flush(t, w, "loc")
	want, wantEntries := flush(t, fill(newWriter(t, dayAndBucket)), "loc")
	if !bytes.Equal(got, want) || gotEntries != wantEntries {
		t.Fatalf("%s, want %s", gotEntries, wantEntries)
	}
}

func TestNamesAreWrittenAsTheyAre(t *testing.T) {
	names := []string{
		"a b%20c", "quote \" backslash \\ slash /", "\x01\x1f\b\t\n\f\r\x7f", "é \u2028 \ufeff 🐧 \ufffd", `\u0041`, " ", "<&>",
		strings.Repeat("long", 20_000),
	}
	w := newWriter(t, "")
	for i, name := range names {
		ok(t, w.Add(name, []int64{int64(i)}, 0, nil))
	}
	const location = "s3://b/\"dv\" é.puffin"
	file, entries := flush(t, w, location)
	f, err := Open(storage.Memory(file))
	ok(t, err)
	got := readBack(t, file, entries)
	for i, name := range names {
		if f.Blobs()[i].DataFile != name || got[name] != fmt.Sprintf("[%d]", i) {
			t.Errorf("%q became %q with %s", name, f.Blobs()[i].DataFile, got[name])
		}
	}
	if parseEntries(t, entries)[0].Path != location {
		t.Error("another location")
	}
	// Jackson, with which Iceberg Java writes, has upper-case digits and no escape for 7f.
	if !bytes.Contains(file, []byte(`"\u0001\u001F\b\t\n\f\r`+"\x7f"+`"`)) {
		t.Error("control characters are not written as Java writes them")
	}
}

func TestAWriterCanBeUsedAgain(t *testing.T) {
	w := newWriter(t, "")
	var first, firstEntries = []byte(nil), ""
	for range 3 {
		ok(t, w.Add("a", []int64{1}, 0, nil), w.Add("b", []int64{2}, 0, nil))
		file, entries := flush(t, w, "loc")
		if first == nil {
			first, firstEntries = file, entries
		}
		if !bytes.Equal(file, first) || entries != firstEntries {
			t.Fatalf("%s, want %s", entries, firstEntries)
		}
	}
}

func TestFlushOfNothing(t *testing.T) {
	w := newWriter(t, "")
	ok(t, w.Add("a", nil, 0, nil))
	var finishes []bool
	sink := storage.NewFuncSink(func([]byte) error { t.Error("something was written"); return nil },
		func(success bool) error { finishes = append(finishes, success); return nil })
	entries, err := w.Flush(sink, "loc")
	if err != nil || string(entries) != "[]" || fmt.Sprint(finishes) != "[false]" {
		t.Fatalf("%s, %v, finish %v", entries, err, finishes)
	}
}

func TestFlushChecksItsLocation(t *testing.T) {
	for _, location := range []string{"", "a\xff", "a\x00b"} {
		w := newWriter(t, "")
		ok(t, w.Add("a", []int64{1}, 0, nil))
		sink := storage.NewMemorySink()
		_, err := w.Flush(sink, location)
		wantKind(t, err, fault.ErrInvalidArgument, "location")
		wantKind(t, sink.Commit(), fault.ErrState, "dropped")
		if _, entries := flush(t, w, "loc"); len(parseEntries(t, entries)) != 1 {
			t.Fatal("the writer lost what it held")
		}
	}
}

// TestEachCallOfTheSinkFailsInTurn flushes after every failure: nothing may be lost.
func TestEachCallOfTheSinkFailsInTurn(t *testing.T) {
	broken := errors.New("quota exceeded")
	fill := func(w *Writer) {
		for i := range 5 {
			v := dv.New()
			ok(t, v.SetMany([]int64{int64(i), 1 << 33}))
			for j := range int64(30) { // big enough for a write of its own
				ok(t, v.SetRange(j<<16, j<<16+1))
			}
			for j := int64(0); j < 600_000; j += 2 {
				ok(t, v.Set(j*3+int64(i)))
			}
			ok(t, w.Load(fmt.Sprint("f", i), v, 0, nil))
		}
	}
	w := newWriter(t, "")
	fill(w)
	reference := newWriter(t, "")
	fill(reference)
	want, wantEntries := flush(t, reference, "loc")
	for failing := 1; ; failing++ {
		calls, finished := 0, []bool(nil)
		var file []byte
		fail := func() error {
			if calls++; calls == failing {
				return broken
			}
			return nil
		}
		sink := storage.NewFuncSink(func(p []byte) error { file = append(file, p...); return fail() },
			func(success bool) error {
				finished = append(finished, success)
				if success {
					return fail()
				}
				return nil
			})
		entries, err := w.Flush(sink, "loc")
		if len(finished) != 1 {
			t.Fatalf("finish was called %d times", len(finished))
		}
		if err == nil {
			if failing < 7 {
				t.Fatalf("only %d calls", failing-1)
			}
			if !finished[0] || !bytes.Equal(file, want) || string(entries) != wantEntries {
				t.Fatal("the file is not what it would have been without failures")
			}
			return
		}
		wantKind(t, err, fault.ErrIO, "quota exceeded")
		if !errors.Is(err, broken) || entries != nil {
			t.Fatalf("%v, entries %q", err, entries)
		}
	}
}

func TestFlushToAFinishedSink(t *testing.T) {
	w := newWriter(t, "")
	ok(t, w.Add("a", []int64{1}, 0, nil))
	sink := storage.NewMemorySink()
	ok(t, sink.Commit())
	_, err := w.Flush(sink, "loc")
	wantKind(t, err, fault.ErrState)
	if file, err := sink.Take(); err != nil || len(file) != 0 {
		t.Fatalf("the finished sink now holds %d bytes, %v", len(file), err)
	}
	if _, entries := flush(t, w, "loc"); len(parseEntries(t, entries)) != 1 {
		t.Fatal("the writer lost what it held")
	}
}

// TestManyDataFiles is what the bench calls T7.
func TestManyDataFiles(t *testing.T) {
	const n = 1000
	w := newWriter(t, "")
	for i := range n {
		ok(t, w.Add(fmt.Sprintf("s3://bucket/data/%06d.parquet", i), []int64{int64(i), int64(i) + 100_000}, 0, nil))
	}
	file, entries := flush(t, w, "loc")
	src := storage.Memory(file)
	f, err := Open(src)
	ok(t, err)
	for i, e := range parseEntries(t, entries) {
		v, err := f.Read(src, i)
		ok(t, err)
		if got := positionsOf(t, v); fmt.Sprint(got) != fmt.Sprint([]int{i, i + 100_000}) {
			t.Fatalf("%s: %v", e.DataFile, got)
		}
	}
}
