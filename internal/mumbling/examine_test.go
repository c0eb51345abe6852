package mumbling

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/golden"
)

var allChecks = []string{CheckHeader, CheckDescriptors, CheckStructure, CheckEnd, CheckCardinality}

// checkExamined holds an examination against Read, Validate, ToVector and FromVector.
func checkExamined(t *testing.T, data []byte) {
	t.Helper()
	e := Examine(data, 0)
	b, err := Read(data)
	if err == nil {
		err = b.Validate()
	}
	if fault.Kind(err) != fault.Kind(e.Fault) || err != nil && err.Error() != e.Fault.Error() {
		t.Fatalf("%x: the reader says %v, the examination %v", data, err, e.Fault)
	}
	if passed := cmp.Equal(allChecks, e.Checks); passed != (err == nil) {
		t.Fatalf("%x: checks %v of a bitmap whose reader says %v", data, e.Checks, err)
	}
	if err != nil {
		return
	}
	v, err := b.ToVector()
	if err != nil {
		t.Fatal(err)
	}
	positions := make([]int64, v.Cardinality())
	if _, err := v.Positions(0, MaxCardinality, positions); err != nil {
		t.Fatal(err)
	}
	c := e.Census
	first, last := int64(0), int64(0)
	if len(positions) > 0 {
		first, last = positions[0], positions[len(positions)-1]
	}
	if !c.Complete || c.Cardinality != v.Cardinality() || c.First != first || c.Last != last || e.Stated != b.Cardinality() {
		t.Fatalf("%x: %+v, expected %d positions from %d to %d", data, c, v.Cardinality(), first, last)
	}
	if n := c.Sparse.Count + c.Dense.Count + c.Empty; n != int64(b.containers) {
		t.Fatalf("%x: %d containers, expected %d", data, n, b.containers)
	}
	if c.Dense.Bytes != denseSize*c.Dense.Count || b.containers > 0 && int64(b.octets[0].start)+c.Sparse.Bytes+c.Dense.Bytes != int64(b.end) {
		t.Fatalf("%x: %+v, expected bytes from %d to %d", data, c, b.octets[0].start, b.end)
	}
	ours, err := FromVector(v)
	if err != nil {
		t.Fatal(err)
	}
	if c.Canonical != bytes.Equal(ours, data) || c.CanonicalSize != int64(len(ours)) {
		t.Fatalf("%x: canonical: %v, %d bytes; ours are %x", data, c.Canonical, c.CanonicalSize, ours)
	}
}

func TestExamineSaysWhatTheReaderSays(t *testing.T) {
	m := golden.Load(t)
	for _, f := range m.Files {
		if f.Format != "mumbling-v1" {
			continue
		}
		data := golden.Read(t, f.File)
		checkExamined(t, data)
		c := Examine(data, 0).Census
		if n := c.Sparse.Count + c.Dense.Count + c.Empty; n != f.Containers || c.Cardinality != f.Cardinality {
			t.Errorf("%s: %+v, expected %d containers and %d positions", f.File, c, f.Containers, f.Cardinality)
		}
	}
	for _, h := range m.Hostile {
		if h.Format == "mumbling" {
			for _, run := range h.Runs {
				checkExamined(t, golden.Read(t, run.File))
			}
		}
	}
	for _, data := range small(t) {
		for n := range data {
			checkExamined(t, data[:n])
		}
	}
}

// TestExamineGoesOn has one fault each, which must not hide what is sound.
func TestExamineGoesOn(t *testing.T) {
	edit := func(at int, b byte) []byte {
		out := unhex(t, control)
		out[at] = b
		return out
	}
	for _, c := range []struct {
		name   string
		data   []byte
		checks []string
		card   int64 // counted; -1: no census
	}{
		{"sound", edit(0, 1), allChecks, 36},
		{"version", edit(0, 2), nil, -1},
		{"reserved bits", edit(6, 0x08), allChecks[:1], -1},
		{"a place out of order in the first container", edit(14, 0), allChecks[:2], 0},
		{"dense with 31 places", edit(16, 0xFE), allChecks[:2], 3},
		{"cardinality", edit(1, 35), allChecks[:4], 36},
		{"a byte too many", append(edit(0, 1), 0), []string{CheckHeader, CheckDescriptors, CheckStructure, CheckCardinality}, 36},
	} {
		e := Examine(c.data, 0)
		checkExamined(t, c.data)
		if diff := cmp.Diff(c.checks, e.Checks); diff != "" {
			t.Errorf("%s: %v; checks %s", c.name, e.Fault, diff)
		}
		card := int64(-1)
		if e.Census != nil {
			card = e.Census.Cardinality
		}
		if card != c.card {
			t.Errorf("%s: %d positions counted, expected %d", c.name, card, c.card)
		}
	}
}

// TestExamineTheFrontOfALongSource has the bytes behind the bitmap counted, though not at hand.
func TestExamineTheFrontOfALongSource(t *testing.T) {
	if most := headerSize + EstimatePFOR(MaxContainers) + MaxContainers*denseSize; most > MaxSize/2 {
		t.Errorf("a bitmap may have %d bytes", most)
	}
	data := unhex(t, control)
	front := append(bytes.Clone(data), make([]byte, MaxSize-len(data))...)
	e := Examine(front, 1<<40)
	want := fmt.Sprintf("%d bytes behind the last container at byte %d", 1<<40+MaxSize-len(data), len(data))
	if e.Fault == nil || !strings.Contains(e.Fault.Error(), want) || !e.Census.Complete || e.Census.Canonical {
		t.Errorf("%v, %+v; expected %q", e.Fault, e.Census, want)
	}
}

func FuzzExamine(f *testing.F) {
	for _, data := range small(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkExamined(t, data) })
}
