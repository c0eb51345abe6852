package delta

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/storage"
)

const uuidName = "deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin" // ^-aqEH.-t@S}K{vb[*k^

type goldenDescriptor struct {
	Label       string
	StorageType string  `json:"storageType"`
	Text        string  `json:"pathOrInlineDv"`
	Offset      *int32  `json:"offset"`
	SizeInBytes int32   `json:"sizeInBytes"`
	Cardinality int64   `json:"cardinality"`
	Table       string  `json:"table"`
	Kernel      verdict `json:"delta_kernel"`
	Spark       verdict `json:"delta-spark"`
}

type verdict struct {
	UniqueID     string `json:"uniqueId"`
	AbsolutePath string `json:"absolutePath"`
	Error        string `json:"error"`
}

func goldenDescriptors(t testing.TB) []goldenDescriptor {
	var file struct{ Descriptors []goldenDescriptor }
	goldenJSON(t, "delta/descriptors.json", &file)
	return file.Descriptors
}

// log is the object as a writer puts it into the log: an absent offset is not there, or is null.
func (g goldenDescriptor) log(t testing.TB, null bool) []byte {
	t.Helper()
	object := map[string]any{
		"storageType": g.StorageType, "pathOrInlineDv": g.Text, "sizeInBytes": g.SizeInBytes, "cardinality": g.Cardinality,
	}
	if g.Offset != nil || null {
		object["offset"] = g.Offset
	}
	raw, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// Where delta_kernel refuses a descriptor, so do we; elsewhere its unique id and Spark's are ours, and the path below the
// table's root is the one that Spark, which writes these files, resolves to.
func TestGoldenDescriptors(t *testing.T) {
	accepted, refused := 0, 0
	for _, g := range goldenDescriptors(t) {
		t.Run(g.Label, func(t *testing.T) {
			for _, null := range []bool{false, true} {
				d, err := ParseDescriptor(g.log(t, null))
				if g.Kernel.Error != "" {
					refused++
					kind := fault.ErrInvalidArgument
					if g.Label == "unknown type" {
						kind = fault.ErrUnsupported
					}
					wantKind(t, err, kind)
					continue
				}
				accepted++
				if err != nil {
					t.Fatal(err)
				}
				if d.UniqueID() != g.Kernel.UniqueID || d.UniqueID() != g.Spark.UniqueID {
					t.Errorf("unique id %q, want %q", d.UniqueID(), g.Kernel.UniqueID)
				}
				want := g.Text
				if g.StorageType == "u" {
					below, found := strings.CutPrefix(g.Spark.AbsolutePath, g.Table+"/")
					if !found {
						t.Fatalf("%q is not below %q", g.Spark.AbsolutePath, g.Table)
					}
					want = below
				}
				if d.Path() != want {
					t.Errorf("path %q, want %q", d.Path(), want)
				}
			}
		})
	}
	if accepted < 30 || refused < 8 {
		t.Fatalf("%d accepted, %d refused", accepted, refused)
	}
}

// A new descriptor for the path of a golden one is that golden one.
func TestNewDescriptorGolden(t *testing.T) {
	n := 0
	for _, g := range goldenDescriptors(t) {
		if g.StorageType != "u" || g.Offset == nil || g.Kernel.Error != "" {
			continue
		}
		n++
		path := strings.TrimPrefix(g.Spark.AbsolutePath, g.Table+"/")
		raw, err := NewDescriptor(path, Result{Cardinality: g.Cardinality, Offset: *g.Offset, SizeInBytes: g.SizeInBytes})
		if err != nil {
			t.Fatal(err)
		}
		var got, want map[string]any
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		if err := json.Unmarshal(g.log(t, false), &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -golden +ours\n%s", g.Label, diff)
		}
		d, err := ParseDescriptor(raw)
		if err != nil || d.Path() != path {
			t.Errorf("%s resolves to %v, %v", raw, d, err)
		}
	}
	if n < 16 {
		t.Fatalf("%d descriptors", n)
	}
}

func TestNewDescriptorText(t *testing.T) {
	got, err := NewDescriptor("a \"b\\é/"+uuidName, Result{Cardinality: 6, Offset: 43, SizeInBytes: 44})
	want := `{"storageType":"u","pathOrInlineDv":"a \"b\\é^-aqEH.-t@S}K{vb[*k^","offset":43,"sizeInBytes":44,"cardinality":6}`
	if err != nil || string(got) != want {
		t.Fatalf("%s, %v", got, err)
	}
}

func TestNewDescriptorRefuses(t *testing.T) {
	good := Result{Cardinality: 1, Offset: 1, SizeInBytes: 34}
	for name, path := range map[string]string{
		"nothing":             "",
		"another name":        "ab/dv.bin",
		"no prefix":           "d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin",
		"no suffix":           "deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61",
		"a short UUID":        "deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff6.bin",
		"no UUID":             "deletion_vector_x2c639aa-8816-431a-aaf6-d3fe2512ff61.bin",
		"capitals":            "deletion_vector_D2C639AA-8816-431A-AAF6-D3FE2512FF61.bin",
		"UUID without marks":  "deletion_vector_d2c639aa8816431aaaf6d3fe2512ff61.bin",
		"UUID in braces":      "deletion_vector_{d2c639aa-8816-431a-aaf6-d3fe2512ff61}.bin",
		"absolute":            "/ab/" + uuidName,
		"a URL":               "s3://bucket/" + uuidName,
		"parent":              "../" + uuidName,
		"backslash":           `\ab/` + uuidName,
		"parent by backslash": `a\..\b/` + uuidName,
		"parent inside":       "a/../b/" + uuidName,
		"here":                "./" + uuidName,
		"empty segment":       "a//" + uuidName,
		"trailing slash":      "a/" + uuidName + "/",
		"U+0000":              "a\x00b/" + uuidName,
		"not UTF-8":           "a\xffb/" + uuidName,
	} {
		t.Run(name, func(t *testing.T) {
			raw, err := NewDescriptor(path, good)
			if err == nil {
				t.Fatalf("made %s", raw)
			}
			wantKind(t, err, fault.ErrInvalidArgument)
		})
	}
	for name, r := range map[string]Result{
		"offset 0":             {1, 0, 34},
		"offset negative":      {1, -1, 34},
		"size below any":       {1, 1, 11},
		"size negative":        {1, 1, -1},
		"size + 8 beyond":      {1, 1, 1<<31 - 8},
		"cardinality negative": {-1, 1, 34},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := NewDescriptor(uuidName, r)
			wantKind(t, err, fault.ErrInvalidArgument)
		})
	}
	if _, err := NewDescriptor(uuidName, Result{0, 1<<31 - 1, 1<<31 - 9}); err != nil {
		t.Errorf("the largest result: %v", err)
	}
}

func TestDescriptorPaths(t *testing.T) {
	for _, c := range []struct{ storageType, text, path string }{
		{"u", "^-aqEH.-t@S}K{vb[*k^", uuidName},
		{"u", "ab^-aqEH.-t@S}K{vb[*k^", "ab/" + uuidName},
		{"u", "ab/^-aqEH.-t@S}K{vb[*k^", "ab/" + uuidName},
		{"u", "zoë/ü^-aqEH.-t@S}K{vb[*k^", "zoë/ü/" + uuidName},
		{"p", "file:///t/dv%20.bin", "file:///t/dv%20.bin"},
		{"p", "abfss://c@a.dfs.core.windows.net/t/dv.bin", "abfss://c@a.dfs.core.windows.net/t/dv.bin"},
		{"p", "/t/dv.bin", "/t/dv.bin"},
		{"r", "some dir/x%20y.bin", "some dir/x%20y.bin"},
		{"r", "dv.bin", "dv.bin"},
		{"r", "..a/b../...", "..a/b../..."}, // dots that are names
		{"r", `a\b.bin`, `a\b.bin`},
		{"r", "a:b/dv.bin", "a:b/dv.bin"},
		{"r", "+a://b", "+a://b"}, // no scheme begins with a sign
		{"i", example, ""},
	} {
		raw := describe(t, c.storageType, c.text)
		d, err := ParseDescriptor(raw)
		if err != nil || d.Path() != c.path {
			t.Errorf("%s: %v, %v; want %q", raw, d, err, c.path)
		}
	}
	for _, c := range []struct{ storageType, text string }{
		{"u", ""},
		{"u", "-aqEH.-t@S}K{vb[*k^"},
		{"u", "~-aqEH.-t@S}K{vb[*k^"},
		{"u", "#####%nSc0%nSc0%nSc0"}, // above 2^32-1
		{"u", "^-aqEH.-t@S}K{vb[*kü"},
		{"u", "a\x00b^-aqEH.-t@S}K{vb[*k^"},
		{"u", "/^-aqEH.-t@S}K{vb[*k^"},
		{"u", "/ab^-aqEH.-t@S}K{vb[*k^"},
		{"u", "s3://b^-aqEH.-t@S}K{vb[*k^"},
		{"p", ""},
		{"p", "dir/dv.bin"},
		{"p", ":dv.bin"},
		{"p", "1a:dv.bin"},
		{"p", "s3://b/\x00"},
		{"r", ""},
		{"r", "/dv.bin"},
		{"r", "s3://b/dv.bin"},
		{"r", "dv\x00.bin"},
		{"r", ".."},
		{"r", "../dv.bin"},
		{"r", "a/../../dv.bin"},
		{"r", "a/./dv.bin"},
		{"r", "a/.."},
		{"r", `\dv.bin`},
		{"r", `\\host\share\dv.bin`},
		{"r", `a\..\..\dv.bin`},
		{"r", `a/..\dv.bin`},
		{"u", "..^-aqEH.-t@S}K{vb[*k^"},
		{"u", "../^-aqEH.-t@S}K{vb[*k^"},
		{"u", "a/../..^-aqEH.-t@S}K{vb[*k^"},
		{"u", ".^-aqEH.-t@S}K{vb[*k^"},
		{"u", `\a^-aqEH.-t@S}K{vb[*k^`},
		{"u", `a\..^-aqEH.-t@S}K{vb[*k^`},
	} {
		raw := describe(t, c.storageType, c.text)
		d, err := ParseDescriptor(raw)
		if err == nil {
			t.Errorf("%s resolves to %q", raw, d.Path())
			continue
		}
		wantKind(t, err, fault.ErrInvalidArgument)
	}
}

// describe makes the JSON of a descriptor without an offset.
func describe(t testing.TB, storageType, text string) []byte {
	t.Helper()
	return goldenDescriptor{StorageType: storageType, Text: text, SizeInBytes: exampleSize, Cardinality: 6}.log(t, false)
}

func TestDescriptorRead(t *testing.T) {
	five, pair := vector(t, 5), vector(t, 6, 1<<40)
	data, results := write(t, five, pair)
	src := storage.Memory(data)

	raw, err := NewDescriptor("ab/"+uuidName, results[1])
	if err != nil {
		t.Fatal(err)
	}
	d, err := ParseDescriptor(raw)
	if err != nil {
		t.Fatal(err)
	}
	v, err := d.Read(src)
	if err != nil || !v.Equals(pair) {
		t.Fatalf("%v", err)
	}
	if _, err := d.Read(nil); fault.Kind(err) != fault.ErrInvalidArgument {
		t.Errorf("without a source: %v", err)
	}

	for name, c := range map[string]struct {
		format string
		kind   error
	}{
		"p":                   {`{"storageType":"p","pathOrInlineDv":"s3://b/dv.bin","offset":1,"sizeInBytes":34,"cardinality":1}`, nil},
		"r":                   {`{"storageType":"r","pathOrInlineDv":"dv.bin","offset":1,"sizeInBytes":34,"cardinality":1}`, nil},
		"no offset":           {`{"storageType":"r","pathOrInlineDv":"dv.bin","sizeInBytes":34,"cardinality":1}`, nil},
		"null offset":         {`{"storageType":"r","pathOrInlineDv":"dv.bin","offset":null,"sizeInBytes":34,"cardinality":1}`, nil},
		"offset 0":            {`{"storageType":"r","pathOrInlineDv":"dv.bin","offset":0,"sizeInBytes":34,"cardinality":1}`, fault.ErrInvalidArgument},
		"another size":        {`{"storageType":"r","pathOrInlineDv":"dv.bin","offset":1,"sizeInBytes":33,"cardinality":1}`, fault.ErrMismatch},
		"another cardinality": {`{"storageType":"r","pathOrInlineDv":"dv.bin","offset":1,"sizeInBytes":34,"cardinality":0}`, fault.ErrMismatch},
		"no offset, size of the second": {
			fmt.Sprintf(`{"storageType":"r","pathOrInlineDv":"dv.bin","sizeInBytes":%d,"cardinality":2}`, results[1].SizeInBytes),
			fault.ErrMismatch},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := ParseDescriptor([]byte(c.format))
			if err != nil {
				t.Fatal(err)
			}
			v, err := d.Read(src)
			if c.kind != nil {
				wantKind(t, err, c.kind)
				return
			}
			if err != nil || !v.Equals(five) {
				t.Fatalf("%v", err)
			}
		})
	}
}

func TestInlineDescriptor(t *testing.T) {
	v := vector(t, 3, 4, 7, 11, 18, 29)
	raw, err := InlineDescriptor(v)
	want := `{"storageType":"i","pathOrInlineDv":"` + example + `","sizeInBytes":44,"cardinality":6}`
	if err != nil || string(raw) != want {
		t.Fatalf("%s, %v; want %s", raw, err, want)
	}
	d, err := ParseDescriptor(raw)
	if err != nil {
		t.Fatal(err)
	}
	if d.UniqueID() != "i"+example || d.Path() != "" {
		t.Errorf("unique id %q, path %q", d.UniqueID(), d.Path())
	}
	for _, src := range []storage.Source{nil, storage.Memory([]byte("not looked at"))} {
		got, err := d.Read(src)
		if err != nil || !got.Equals(v) {
			t.Fatalf("%v", err)
		}
	}
	// A text that is no vector is found when it is read.
	d, err = ParseDescriptor(describe(t, "i", "~"+example[1:]))
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Read(nil)
	wantKind(t, err, fault.ErrCorrupt)
}

// The golden inline vectors, as descriptors, have the unique id that Spark printed.
func TestGoldenInlineDescriptors(t *testing.T) {
	for _, g := range goldenInlines(t) {
		if g.Magic != "portable" {
			continue
		}
		want := g.Positions.All(t)
		raw, err := InlineDescriptor(vector(t, want...))
		if err != nil {
			t.Fatal(err)
		}
		d, err := ParseDescriptor(raw)
		if err != nil || d.UniqueID() != g.UniqueID {
			t.Errorf("%s: %v, %v; want %q", raw, d, err, g.UniqueID)
			continue
		}
		v, err := d.Read(nil)
		if err != nil {
			t.Fatal(err)
		}
		wantPositions(t, v, want)
	}
}
