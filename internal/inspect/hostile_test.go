package inspect

import (
	"strings"
	"testing"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/golden"
)

var kindFormats = map[string]Format{"blob": Blob, "roaring64": Roaring, "puffin": Puffin, "delta": Delta, "mumbling": Mumbling}

// wantAsReader holds a report against the format's readers: the same verdict, of the same kind.
func wantAsReader(t *testing.T, what string, data []byte, format Format) *object {
	t.Helper()
	o, err := look(t, data, format), read(data, format)
	if (err == nil) != (o.Fault == nil) {
		t.Fatalf("%s as %s: fault %v, the reader says %v", what, format, o.Fault, err)
	}
	if err == nil {
		return o
	}
	status := ""
	for _, s := range statuses {
		if fault.Kind(err) == s.kind {
			status = s.name
		}
	}
	if format == Delta && len(data) < 5 {
		status = o.Fault.Status // the reader asks for version and size field at once, so it misses the latter first
	}
	if o.Fault.Status != status || strings.ContainsAny(o.Fault.Message, "\n\r") {
		t.Fatalf("%s as %s: fault %v, the reader says %v", what, format, o.Fault, err)
	}
	return o
}

// What the manifest expects only where a descriptor or an entry says something else than the bytes: those are sound.
var soundBytes = map[string]bool{
	"cardinality_declared_0": true, "descriptor_size_plus_1": true, "descriptor_size_max": true, "descriptor_size_3": true,
	"offset_0": true, "offset_2": true, "offset_beyond_eof": true, "offset_at_eof": true, "offset_max": true,
	"cardinality_2": true, "cardinality_0": true,
}

func TestHostileFiles(t *testing.T) {
	verdicts := map[string]int{}
	for _, h := range golden.Load(t).Hostile {
		for _, run := range h.Runs {
			format, ok := kindFormats[run.Kind]
			if !ok {
				continue // texts, no files
			}
			data := golden.Read(t, run.File)
			for _, other := range readable {
				wantAsReader(t, h.Name, data, other)
			}
			look(t, data, Unknown)
			o := look(t, data, format)
			expected := h.Expected
			if soundBytes[h.Name] && run.Kind != "puffin" {
				expected = "accept"
			}
			verdicts[expected]++
			if expected == "accept" && o.Fault != nil || expected == "reject" && o.Fault == nil {
				t.Errorf("%s (%s) as %s: fault %v, expected: %s", h.Name, h.Wrong, format, o.Fault, expected)
			}
		}
	}
	if verdicts["reject"] < 200 || verdicts["accept"] < 40 {
		t.Errorf("%v: the manifest is not what this test knows", verdicts)
	}
}

// TestEveryCutAndEveryFlippedBit damages one file of each format in every way.
func TestEveryCutAndEveryFlippedBit(t *testing.T) {
	for name, format := range map[string]Format{
		"iceberg/pos5.puffin":              Puffin,
		"iceberg/keys_gap_0_2.dv":          Blob,
		"hostile/delta/two_dvs_second.bin": Delta,
		"iceberg/pyroaring/pos5.roaring64": Roaring,
		"mumbling/gap_middle.bin":          Mumbling,
	} {
		data := golden.Read(t, name)
		for n := range data {
			look(t, data[:n], Unknown)
			wantAsReader(t, name, data[:n], format)
		}
		damaged := append([]byte(nil), data...)
		for bit := range 8 * len(data) {
			damaged[bit/8] ^= 1 << (bit % 8)
			look(t, damaged, Unknown)
			wantAsReader(t, name, damaged, format)
			damaged[bit/8] ^= 1 << (bit % 8)
		}
	}
}

func FuzzInspect(f *testing.F) {
	m := golden.Load(f)
	for _, g := range m.Files {
		if data := golden.Read(f, g.File); len(data) < 5000 {
			f.Add(data)
		}
	}
	for _, h := range m.Hostile {
		for _, run := range h.Runs {
			if run.File == "" {
				continue
			}
			if data := golden.Read(f, run.File); len(data) < 5000 {
				f.Add(data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		guessed := look(t, data, Unknown)
		for _, format := range readable {
			o := wantAsReader(t, "fuzzed", data, format)
			if guessed.Format == string(format) && (guessed.Fault == nil) != (o.Fault == nil) {
				t.Fatalf("guessed %s: fault %v; told so: %v", format, guessed.Fault, o.Fault)
			}
		}
	})
}
