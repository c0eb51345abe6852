package puffin

import (
	"testing"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/golden"
	"github.com/libdv/libdv/internal/storage"
)

// openAndReadAll is what "reject" means: opening the file fails, or reading one of its vectors.
func openAndReadAll(src storage.Source) (vectors int, err error) {
	f, err := Open(src)
	if err != nil {
		return 0, err
	}
	for i, b := range f.Blobs() {
		if b.Type != DeletionVector {
			continue
		}
		if _, err := f.Read(src, i); err != nil {
			return vectors, err
		}
		vectors++
	}
	return vectors, nil
}

// decided are the files for which the format leaves the choice: nil accepts, as doc.go says.
var decided = map[string]error{
	"footer_lz4_no_content_size": nil,
	"json_properties_null":       fault.ErrCorrupt,
	"json_lone_surrogate":        fault.ErrCorrupt,
	"json_nul_in_path":           fault.ErrCorrupt,
	"json_dup_offset":            fault.ErrCorrupt,
	"json_dup_blobs":             fault.ErrCorrupt,
	"json_deep_nesting_900":      nil,
	"cardinality_plus1":          fault.ErrCorrupt,
	"cardinality_01":             nil,
	"fields_other":               nil,
	"overlap_identical":          nil,
	"overlap_partial":            nil,
	"codec_empty":                fault.ErrUnsupported,
	"codec_zstd_bomb_1g":         nil,
}

// otherKinds are the files whose fault is not that their bytes are corrupt.
var otherKinds = map[string]error{
	"flags_byte1":        fault.ErrUnsupported,
	"flags_byte3":        fault.ErrUnsupported,
	"codec_lz4":          fault.ErrUnsupported,
	"codec_zstd":         fault.ErrUnsupported,
	"codec_gzip":         fault.ErrUnsupported,
	"codec_ZSTD":         fault.ErrUnsupported,
	"codec_zstd_corrupt": fault.ErrUnsupported,
	"cardinality_0":      fault.ErrMismatch,
}

// withoutVectors are the files that hold none.
var withoutVectors = map[string]bool{
	"codec_zstd_bomb_1g": true, "json_deep_nesting_900": true, "json_huge_footer_1m": true,
}

func TestHostileFiles(t *testing.T) {
	accepted, rejected, either := 0, 0, 0
	for _, h := range golden.Load(t).Hostile {
		if h.Format != "puffin" {
			continue
		}
		kind := fault.ErrCorrupt
		switch h.Expected {
		case "accept":
			kind = nil
			accepted++
		case "reject":
			if other, ok := otherKinds[h.Name]; ok {
				kind = other
			}
			rejected++
		case "either":
			choice, ok := decided[h.Name]
			if !ok {
				t.Errorf("%s (%s): no choice is documented", h.Name, h.Wrong)
			}
			kind = choice
			either++
		}
		for _, run := range h.Runs {
			raw := golden.Read(t, run.File)
			vectors, err := openAndReadAll(storage.Memory(raw))
			switch {
			case kind == nil && err != nil:
				t.Errorf("%s (%s): %v", h.Name, h.Wrong, err)
			case kind == nil && vectors == 0 && !withoutVectors[h.Name]:
				t.Errorf("%s: no vector was read", h.Name)
			case kind != nil && err == nil:
				t.Errorf("%s (%s): accepted", h.Name, h.Wrong)
			case kind != nil:
				t.Run(h.Name, func(t *testing.T) { wantKind(t, err, kind) })
			}
		}
	}
	if accepted < 5 || rejected < 60 || either != len(decided) {
		t.Fatalf("%d to accept, %d to reject, %d of %d choices: the manifest is not what this test knows",
			accepted, rejected, either, len(decided))
	}
}

// TestEveryTruncationAndEveryFlippedBit proves that no damage to a file passes as a file with
// other vectors: what is still read holds the same positions.
func TestEveryTruncationAndEveryFlippedBit(t *testing.T) {
	raw := golden.Read(t, "iceberg/pos5.puffin")
	for n := range raw {
		if _, err := openAndReadAll(storage.Memory(raw[:n])); err == nil {
			t.Errorf("the first %d bytes pass", n)
		} else if fault.Kind(err) != fault.ErrCorrupt {
			t.Errorf("the first %d bytes: %v", n, err)
		}
	}
	damaged := make([]byte, len(raw))
	for bit := range 8 * len(raw) {
		copy(damaged, raw)
		damaged[bit/8] ^= 1 << (bit % 8)
		src := storage.Memory(damaged)
		f, err := Open(src)
		if err != nil {
			continue
		}
		for i := range f.Blobs() {
			v, err := f.Read(src, i)
			if err != nil {
				continue
			}
			if got := positionsOf(t, v); len(got) != 1 || got[0] != 5 {
				t.Errorf("bit %d flipped: positions %v", bit, got)
			}
		}
	}
}
