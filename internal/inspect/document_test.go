package inspect

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/golden"
	"github.com/libdv/libdv/internal/storage"
)

func document(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// block gives the first fenced block of a language.
func block(t *testing.T, text, language string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, "```"+language+"\n")
	code, _, end := strings.Cut(rest, "```")
	if !ok || !end {
		t.Fatalf("no block of %s", language)
	}
	return code
}

// TestTheDocumentsExample is what a user compares with.
func TestTheDocumentsExample(t *testing.T) {
	text := document(t, "../../docs/inspect.md")
	data, err := hex.DecodeString(strings.Join(strings.Fields(block(t, text, "hex")), ""))
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := json.Compact(&want, []byte(block(t, text, "json"))); err != nil {
		t.Fatal(err)
	}
	got, err := Inspect(storage.Memory(data), Unknown)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.String(), string(got)); diff != "" {
		t.Errorf("the document says something else: %s", diff)
	}
}

// members lists the names of an object and of the objects in it, in their order.
func members(t *testing.T, raw []byte) (names []string) {
	t.Helper()
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	for {
		token, err := d.ReadToken()
		if err != nil {
			return names
		}
		if kind, n := d.StackIndex(d.StackDepth()); kind == '{' && n%2 == 1 && token.Kind() == '"' {
			names = append(names, token.String())
		}
	}
}

// TestMembersAndTheirOrder holds what was promised of the object.
func TestMembersAndTheirOrder(t *testing.T) {
	const top = "format guessed size version checks fault footer"
	const vectorHead = "index offset size size_in_bytes referenced_data_file declared_cardinality checks fault complete cardinality bounds"
	const bitmaps = "bitmap_count empty_bitmaps bitmaps"
	const aBitmap = "key cookie offset size cardinality containers array bitmap run offset_header"
	const vectorEnd = "padding smallest canonical canonical_size"
	const end = "vector_count vectors_omitted vectors_faulty vectors_unexamined other_blobs"
	const kinds = "array count bytes bitmap count bytes run count bytes"
	for name, want := range map[string]string{
		"iceberg/theta_only.puffin": top + " offset size compressed created_by vectors " + end +
			" index type compression_codec offset size other_blobs_omitted rest",
		"iceberg/pos5.dv": top + " vectors " + vectorHead + " first last " + bitmaps + " " + aBitmap + " bitmaps_omitted containers " + kinds +
			" " + vectorEnd + " " + end + " other_blobs_omitted rest",
		"mumbling/pos5.bin": top + " vectors " + vectorHead + " first last " + bitmaps +
			" bitmaps_omitted containers sparse count bytes dense count bytes empty count bytes " + vectorEnd + " " + end + " other_blobs_omitted rest",
		"hostile/iceberg/magic_zero.dv": top[:len(top)-len(" footer")] + " status message footer vectors " + vectorHead[:len(vectorHead)-len(" complete cardinality bounds")] +
			" status message complete cardinality bounds " + bitmaps + " bitmaps_omitted containers " + vectorEnd + " " + end + " other_blobs_omitted rest",
	} {
		raw, err := Inspect(storage.Memory(golden.Read(t, name)), Unknown)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Fields(want), members(t, raw)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestEveryMemberIsDocumented, both for users and beside the code.
func TestEveryMemberIsDocumented(t *testing.T) {
	user, code := document(t, "../../docs/inspect.md"), document(t, "doc.go")
	seen := map[string]bool{}
	for _, name := range []string{
		"iceberg/theta_only.puffin", "iceberg/pos5.dv", "mumbling/pos5.bin", "delta/spark_native.bin", "hostile/iceberg/magic_zero.dv",
	} {
		raw, err := Inspect(storage.Memory(golden.Read(t, name)), Unknown)
		if err != nil {
			t.Fatal(err)
		}
		for _, member := range members(t, raw) {
			seen[member] = true
			if !strings.Contains(user, "`"+member+"`") {
				t.Errorf("docs/inspect.md does not explain %s", member)
			}
			if !strings.Contains(code, member) {
				t.Errorf("doc.go does not explain %s", member)
			}
		}
	}
	if len(seen) != 51 {
		t.Errorf("%d different members, expected 51: %v", len(seen), seen)
	}
}

// TestFaultsAreAboutBytes knows which kinds of error fail the call.
func TestFaultsAreAboutBytes(t *testing.T) {
	want := map[error]string{
		fault.ErrCorrupt: "DV_CORRUPT", fault.ErrMismatch: "DV_MISMATCH", fault.ErrUnsupported: "DV_UNSUPPORTED", fault.ErrLimit: "DV_LIMIT",
	}
	for _, kind := range fault.Kinds() {
		f, err := faultOf(fault.In(kind, "at\xff"))
		if name, ok := want[kind]; ok != (err == nil) || ok && (f.Status != name || f.Message != "at?: "+kind.Error()) {
			t.Errorf("%v: %+v, %v", kind, f, err)
		}
	}
}
