package dv

import (
	"bytes"
	"encoding/hex"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/golden"
)

// reader is what reads a form.
func reader(form Form, data []byte, expected int64) (*Vector, error) {
	switch form {
	case BlobForm:
		return ParseBlob(data, expected)
	case RecordForm:
		return ParseRecord(data, expected)
	default:
		return ParseBitmap(data)
	}
}

// checkExamined holds an examination against the form's reader.
func checkExamined(t *testing.T, form Form, data []byte, expected int64) {
	t.Helper()
	if form == BitmapForm {
		expected = Unknown
	}
	v, err := reader(form, data, expected)
	e := Examine(data, form, expected, 4)
	if fault.Kind(err) != fault.Kind(e.Fault) {
		t.Fatalf("form %d: the reader says %v, the examination %v", form, err, e.Fault)
	}
	want := []string{CheckLength, CheckMagic, CheckCRC, CheckStructure, CheckEnd, CheckCardinality}
	if form == BitmapForm {
		want = want[3:]
	}
	if expected == Unknown {
		want = want[:len(want)-1]
	}
	if passed := cmp.Equal(want, e.Checks); passed != (err == nil) {
		t.Fatalf("form %d: checks %v of a vector whose reader says %v", form, e.Checks, err)
	}
	if err == nil {
		checkCensus(t, form, data, v, e.Census)
	}
}

// checkCensus holds the census of a sound vector against the vector.
func checkCensus(t *testing.T, form Form, data []byte, v *Vector, c *Census) {
	t.Helper()
	var want Kinds
	for i := range v.refs {
		held := v.refAt(i)
		tally := want.of(held.kind)
		tally.Count++
		tally.Bytes += int64(len(held.data))
		if held.kind == runKind {
			tally.Bytes += 2
		}
	}
	if !c.Complete || c.Cardinality != v.Cardinality() || c.Kinds != want {
		t.Fatalf("%d positions in %+v, expected %d in %+v", c.Cardinality, c.Kinds, v.Cardinality(), want)
	}
	if ends := [2]int64{c.First, c.Last}; ends != bounds(t, v) {
		t.Fatalf("bounds %v, expected %v", ends, bounds(t, v))
	}
	ours := blobOf(t, v)
	if form == BitmapForm {
		ours = ours[frameHead : len(ours)-4]
	}
	if c.CanonicalSize != int64(len(ours)) || c.Canonical != bytes.Equal(data, ours) {
		t.Fatalf("canonical: %v, %d bytes; we write %d bytes, the same: %v", c.Canonical, c.CanonicalSize, len(ours), bytes.Equal(data, ours))
	}
	encoded := v.Clone()
	encoded.RunLengthEncode()
	if smallest := !encoded.changed && c.EmptyBitmaps == 0; c.Smallest != smallest {
		t.Fatalf("smallest: %v, expected %v", c.Smallest, smallest)
	}
	listed := Kinds{}
	for i := range c.Listed {
		listed.add(&c.Listed[i].Kinds)
	}
	if n := int64(len(c.Listed)); n != min(c.Bitmaps, 4) || n == c.Bitmaps && listed != c.Kinds {
		t.Fatalf("%d of %d bitmaps listed, with %+v of %+v", n, c.Bitmaps, listed, c.Kinds)
	}
}

func bounds(t *testing.T, v *Vector) [2]int64 {
	t.Helper()
	var out [1]int64
	if _, err := v.Positions(0, MaxPosition+1, out[:]); err != nil {
		t.Fatal(err)
	}
	if v.IsEmpty() {
		return [2]int64{}
	}
	last := v.at(v.containers() - 1)
	return [2]int64{out[0], last.base() + int64(last.last())}
}

func TestExamineSaysWhatTheReaderSays(t *testing.T) {
	forms := map[string]Form{"blob": BlobForm, "roaring64": BitmapForm, "iceberg-dv-blob": BlobForm, "roaring64-portable": BitmapForm}
	tried := 0
	for _, f := range golden.Load(t).Files {
		if form, ok := forms[f.Format]; ok {
			tried++
			checkExamined(t, form, golden.Read(t, f.File), f.Cardinality)
		}
	}
	for _, h := range golden.Load(t).Hostile {
		for _, r := range h.Runs {
			form, ok := forms[r.Kind]
			if !ok {
				continue
			}
			tried++
			data, expected := golden.Read(t, r.File), Unknown
			if r.Card != nil {
				expected = *r.Card
			}
			checkExamined(t, form, data, expected)
			if form == BlobForm {
				checkExamined(t, RecordForm, data, Unknown)
			}
		}
	}
	if tried < 180 {
		t.Errorf("%d inputs, expected 180 or more", tried)
	}
}

func TestExamineEveryCutAndEveryFlippedBit(t *testing.T) {
	for _, name := range []string{"iceberg/keys_gap_0_2.dv", "hostile/roaring/control_run4.dv"} {
		blob := golden.Read(t, name)
		bitmap := blob[frameHead : len(blob)-4]
		for n := range blob {
			checkExamined(t, BlobForm, blob[:n], Unknown)
		}
		for n := range bitmap {
			checkExamined(t, BitmapForm, bitmap[:n], Unknown)
			checkExamined(t, RecordForm, frame(bitmap[:n]), Unknown)
		}
		for bit := range 8 * len(bitmap) {
			damaged := bytes.Clone(bitmap)
			damaged[bit/8] ^= 1 << (bit % 8)
			checkExamined(t, BitmapForm, damaged, Unknown)
			checkExamined(t, BlobForm, frame(damaged), Unknown)
		}
	}
}

// TestExamineGoesOn has one fault each, which must not hide what is sound.
func TestExamineGoesOn(t *testing.T) {
	sound := blobOf(t, of(t, []int64{3, 4, 5, 1 << 20, 1 << 33}))
	damage := func(at int) []byte {
		out := bytes.Clone(sound)
		out[at] ^= 0x80
		return out
	}
	all := []string{CheckLength, CheckMagic, CheckCRC, CheckStructure, CheckEnd, CheckCardinality}
	without := func(names ...string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return slices.Contains(names, s) })
	}
	padded := frame(append(bytes.Clone(sound[frameHead:len(sound)-4]), 0, 0, 0))
	for _, c := range []struct {
		name     string
		data     []byte
		form     Form
		expected int64
		kind     error
		checks   []string
		card     int64 // counted; -1: no census
		complete bool
	}{
		{"sound", sound, BlobForm, 5, nil, all, 5, true},
		{"crc", damage(len(sound) - 1), BlobForm, 5, fault.ErrCorrupt, without(CheckCRC), 5, true},
		{"magic", damage(4), BlobForm, 5, fault.ErrCorrupt, []string{CheckLength}, -1, false},
		{"length", damage(3), BlobForm, 5, fault.ErrCorrupt, without(CheckLength, CheckCRC, CheckEnd), 5, true},
		{"cut in the last container", sound[:len(sound)-5], BlobForm, 5, fault.ErrCorrupt, []string{CheckMagic}, 4, false},
		{"cut in the length", sound[:7], BlobForm, 5, fault.ErrCorrupt, nil, -1, false},
		{"cardinality", sound, BlobForm, 6, fault.ErrMismatch, without(CheckCardinality), 5, true},
		{"padding in a blob", padded, BlobForm, 5, fault.ErrCorrupt, without(CheckEnd), 5, true},
		{"padding in a record", padded, RecordForm, 5, nil, all, 5, true},
		{"nothing", nil, BitmapForm, Unknown, fault.ErrCorrupt, nil, 0, false},
	} {
		e := Examine(c.data, c.form, c.expected, 9)
		if (c.kind == nil) != (e.Fault == nil) || c.kind != nil && !errors.Is(e.Fault, c.kind) {
			t.Errorf("%s: %v, expected %v", c.name, e.Fault, c.kind)
		}
		if diff := cmp.Diff(c.checks, e.Checks); diff != "" {
			t.Errorf("%s: checks %s", c.name, diff)
		}
		if e.Census == nil {
			e.Census = &Census{Cardinality: -1}
		}
		if e.Census.Cardinality != c.card || e.Census.Complete != c.complete || e.Census.Canonical != (c.name == "sound" || c.name == "cardinality") {
			t.Errorf("%s: %+v", c.name, e.Census)
		}
		if e.Census.Padding != 0 != (c.name == "padding in a record") {
			t.Errorf("%s: padding %d", c.name, e.Census.Padding)
		}
	}
}

// TestCensusOfOddForms has bitmaps that are read though no encoder of ours writes them.
func TestCensusOfOddForms(t *testing.T) {
	// A head of one bitmap under key 0, then what is said.
	const head = "0100000000000000" + "00000000"
	for _, c := range []struct {
		name, hex string
		smallest  bool
		size      int64 // of ours
	}{
		{"cookie for runs without a run", head + "3b300000" + "00" + "00000100" + "01000200", true, 8 + 4 + 16 + 4},
		{"a run flag beyond the containers", head + "3b300000" + "03" + "00000400" + "0100" + "01000400", true, 8 + 4 + 9 + 6},
		{"a run of three, as large as an array", head + "3b300000" + "01" + "00000200" + "0100" + "01000200", false, 8 + 4 + 16 + 6},
		{"two runs that touch", head + "3b300000" + "01" + "00000500" + "0200" + "01000200" + "04000200", false, 8 + 4 + 9 + 6},
		{"an empty bitmap", head + "3a300000" + "00000000", false, 8},
	} {
		data, err := hex.DecodeString(c.hex)
		if err != nil {
			t.Fatal(err)
		}
		checkExamined(t, BitmapForm, data, Unknown)
		e := Examine(data, BitmapForm, Unknown, 1)
		if e.Fault != nil || e.Census.Smallest != c.smallest || e.Census.Canonical || e.Census.CanonicalSize != c.size {
			t.Errorf("%s: %v, %+v", c.name, e.Fault, e.Census)
		}
	}
}

// TestExamineLongerThanAnyVector needs no vector as long: the size alone is refused.
func TestExamineLongerThanAnyVector(t *testing.T) {
	for _, c := range []struct {
		form Form
		most int64
		kind error
	}{{BlobForm, 1<<31 - 1, fault.ErrCorrupt}, {RecordForm, 1<<31 - 1, fault.ErrCorrupt}, {BitmapForm, 1<<32 - 1, fault.ErrLimit}} {
		if err := c.form.CheckSize(c.most); err != nil {
			t.Errorf("form %d: %v", c.form, err)
		}
		if err := c.form.CheckSize(c.most + 1); !errors.Is(err, c.kind) {
			t.Errorf("form %d: %v, expected %v", c.form, err, c.kind)
		}
	}
}

func FuzzExamine(f *testing.F) {
	seeds(f, "iceberg-dv-blob")
	seeds(f, "roaring64-portable")
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, form := range []Form{BlobForm, RecordForm, BitmapForm} {
			checkExamined(t, form, data, Unknown)
			checkExamined(t, form, frame(data), 3)
		}
	})
}
