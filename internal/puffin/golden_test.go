package puffin

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/golden"
	"github.com/libdv/libdv/internal/storage"
)

// wantKind fails unless err is of one kind and one line, and says every part.
func wantKind(t *testing.T, err, kind error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %v saying %q", kind, parts)
	}
	if fault.Kind(err) != kind {
		t.Fatalf("error %q is %v, want %v", err, fault.Kind(err), kind)
	}
	if strings.Contains(err.Error(), "\n") || len(err.Error()) > 600 {
		t.Fatalf("error %q is not one short line", err)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Fatalf("error %q does not say %q", err, part)
		}
	}
}

// positionsOf lists a vector.
func positionsOf(t *testing.T, v *dv.Vector) []int64 {
	t.Helper()
	out := make([]int64, v.Cardinality())
	n, err := v.Positions(0, 1<<63-1, out)
	if err != nil || n != len(out) {
		t.Fatalf("%d positions of %d: %v", n, len(out), err)
	}
	return out
}

// puffins are the golden Puffin files, by name.
func puffins(t testing.TB) map[string]golden.File {
	t.Helper()
	files := map[string]golden.File{}
	for _, f := range golden.Load(t).Files {
		if f.Format == "puffin" {
			files[f.File] = f
		}
	}
	if len(files) < 40 {
		t.Fatalf("only %d golden Puffin files", len(files))
	}
	return files
}

func TestGoldenFilesAreReadAsTheirWritersMeantThem(t *testing.T) {
	for name, want := range puffins(t) {
		src := storage.Memory(golden.Read(t, name))
		f, err := Open(src)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(f.Blobs()) != len(want.Blobs) {
			t.Errorf("%s: %d blobs, want %d", name, len(f.Blobs()), len(want.Blobs))
			continue
		}
		for i, b := range want.Blobs {
			checkGoldenBlob(t, fmt.Sprintf("%s, blob %d", name, i), f, src, i, b)
		}
	}
}

func checkGoldenBlob(t *testing.T, what string, f *File, src storage.Source, i int, want golden.Blob) {
	t.Helper()
	dataFile, hasDataFile := want.Properties["referenced-data-file"]
	expect := Blob{
		Type: want.Type, Offset: want.Offset, Length: want.Length, SnapshotID: want.SnapshotID,
		SequenceNumber: want.SequenceNumber, DataFile: dataFile, HasDataFile: hasDataFile,
		HasCodec: want.CompressionCodec != nil, Cardinality: -1,
	}
	if expect.HasCodec {
		expect.Codec = *want.CompressionCodec
	}
	text, hasCardinality := want.Properties["cardinality"]
	if hasCardinality {
		if _, err := fmt.Sscan(text, &expect.Cardinality); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(expect, f.Blobs()[i], cmp.AllowUnexported(Blob{})); diff != "" {
		t.Errorf("%s: %s", what, diff)
	}
	entry := Entry{want.Offset, want.Length, want.Cardinality, dataFile}
	if want.Type != DeletionVector || expect.HasCodec {
		kind := fault.ErrMismatch
		if want.Type == DeletionVector {
			kind = fault.ErrUnsupported
		}
		_, err := f.Read(src, i)
		wantKind(t, err, kind)
		return
	}
	positions := want.Positions.All(t)
	warnings := uint32(0)
	if !hasCardinality {
		warnings = WarnNoCardinality
	}
	for way, read := range map[string]func() (*dv.Vector, uint32, error){
		"Read":           func() (*dv.Vector, uint32, error) { v, err := f.Read(src, i); return v, warnings, err },
		"File.ReadEntry": func() (*dv.Vector, uint32, error) { return f.ReadEntry(src, entry) },
		"ReadEntry":      func() (*dv.Vector, uint32, error) { return ReadEntry(src, entry) },
	} {
		v, got, err := read()
		if err != nil || got != warnings {
			t.Errorf("%s, %s: warnings %d, want %d, %v", what, way, got, warnings, err)
			continue
		}
		if !slices.Equal(positions, positionsOf(t, v)) {
			t.Errorf("%s, %s: other positions", what, way)
		}
	}
}

func TestFooterJSONIsThePayload(t *testing.T) {
	raw := golden.Read(t, "iceberg/pos5.puffin")
	length := int(binary.LittleEndian.Uint32(raw[len(raw)-12:]))
	f, err := Open(storage.Memory(raw))
	if err != nil {
		t.Fatal(err)
	}
	want := raw[len(raw)-12-length : len(raw)-12]
	if got := f.FooterJSON(); !bytes.Equal(got, want) {
		t.Fatalf("%s, want %s", got, want)
	}
	f.FooterJSON()[0] = 'x'
	if got := f.FooterJSON(); !bytes.Equal(got, want) {
		t.Fatal("a caller changed the payload")
	}
}

// asJava gives a file of ours the created-by property of a golden file.
func asJava(t *testing.T, ours, java []byte) []byte {
	t.Helper()
	const property = `"created-by":"`
	value := func(b []byte) []byte {
		from := bytes.LastIndex(b, []byte(property)) + len(property)
		return b[from : from+bytes.IndexByte(b[from:], '"')]
	}
	mine, theirs := bytes.Clone(value(ours)), value(java)
	out := bytes.Replace(bytes.Clone(ours), mine, theirs, 1)
	size := out[len(out)-12:]
	binary.LittleEndian.PutUint32(size, binary.LittleEndian.Uint32(size)+uint32(len(theirs)-len(mine)))
	return out
}

// TestWhatWeWriteIsWhatIcebergJavaWrites adds the positions of every file that Java's writer
// made in the form that does not depend on how they were added.
func TestWhatWeWriteIsWhatIcebergJavaWrites(t *testing.T) {
	singly := map[string]bool{} // sets that Java writes otherwise when they are added singly
	gaps := map[string]bool{}   // sets for which Java writes empty bitmaps
	for _, f := range golden.Load(t).Files {
		if strings.HasSuffix(f.File, ".onebyone.dv") {
			singly[f.Set] = true
		}
	}
	for _, set := range []string{"keys_gap_0_2", "keys_gap_3_7", "key_1000_only"} {
		gaps[set] = true
	}
	compared := 0
	for name, want := range puffins(t) {
		java := golden.Read(t, name)
		if !bytes.Contains(java, []byte(`"created-by":"Apache Iceberg`)) || !writable(want, singly, gaps) {
			continue
		}
		ours, _ := writeGolden(t, want)
		if got := asJava(t, ours, java); !bytes.Equal(got, java) {
			t.Errorf("%s: %d bytes differ from Java's %d", name, len(got), len(java))
		}
		compared++
	}
	if compared < 20 {
		t.Fatalf("only %d files were compared", compared)
	}
}

// TestSeveralBlobsAsIcebergJavaWritesThem compares a file of which Java's first blob holds an
// empty bitmap for a gap, so that only what it moves differs.
func TestSeveralBlobsAsIcebergJavaWritesThem(t *testing.T) {
	const name = "iceberg/multi_3_files.puffin"
	java := golden.Read(t, name)
	want := puffins(t)[name]
	ours, _ := writeGolden(t, want)
	ranges := regexp.MustCompile(`"offset":\d+,"length":\d+`)
	footer := func(b []byte) string {
		f, err := Open(storage.Memory(b))
		if err != nil {
			t.Fatal(err)
		}
		return ranges.ReplaceAllString(string(f.FooterJSON()), "")
	}
	if got, want := footer(asJava(t, ours, java)), footer(java); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	f, err := Open(storage.Memory(ours))
	if err != nil {
		t.Fatal(err)
	}
	next := int64(4)
	for i, b := range f.Blobs() {
		if b.Offset != next {
			t.Errorf("blob %d starts at %d, want %d", i, b.Offset, next)
		}
		next += b.Length
		theirs := java[want.Blobs[i].Offset:][:want.Blobs[i].Length]
		if i > 0 && !bytes.Equal(ours[b.Offset:next], theirs) {
			t.Errorf("blob %d differs from Java's", i)
		}
	}
}

func writable(f golden.File, singly, gaps map[string]bool) bool {
	for _, b := range f.Blobs {
		set := b.Set
		if b.Type != DeletionVector || b.Cardinality == 0 || b.CompressionCodec != nil || singly[set] || gaps[set] {
			return false
		}
	}
	return len(f.Blobs) > 0
}

// writeGolden writes the vectors of a golden file with our writer.
func writeGolden(t *testing.T, f golden.File) (file, entries []byte) {
	t.Helper()
	w, err := NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range f.Blobs {
		if err := w.Add(b.Properties["referenced-data-file"], b.Positions.All(t), 0, nil); err != nil {
			t.Fatal(err)
		}
	}
	sink := storage.NewMemorySink()
	entries, err = w.Flush(sink, "s3://bucket/dv.puffin")
	if err != nil {
		t.Fatal(err)
	}
	file, err = sink.Take()
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(entries) {
		t.Fatalf("entries are no JSON: %s", entries)
	}
	return file, entries
}
