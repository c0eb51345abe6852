package hostile

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// manifest is what the table needs of testdata/golden/manifest.json.
type manifest struct {
	Hostile []struct {
		Name, Format, Expected string
		Runs                   []struct {
			Kind, File, Text   string
			Card, Offset, Size *int64
		}
	}
}

// otherStatus says what the manifest's inputs end with whose fault is not that their bytes are corrupt, and which of
// those that the manifest leaves open are read ("either"): by the rules that the formats' documents give.
var otherStatus = map[string]string{
	"iceberg-blob/cardinality_declared_0": Mismatch, // 0 is an expectation

	"puffin/footer_lz4_no_content_size": OK,
	"puffin/json_deep_nesting_900":      OK, // an unknown member is skipped
	"puffin/cardinality_01":             OK, // digits only
	"puffin/fields_other":               OK,
	"puffin/overlap_identical":          OK,
	"puffin/overlap_partial":            OK,
	"puffin/codec_zstd_bomb_1g":         OK, // listed, never inflated
	"puffin/flags_byte1":                Unsupported,
	"puffin/flags_byte3":                Unsupported,
	"puffin/codec_lz4":                  Unsupported,
	"puffin/codec_zstd":                 Unsupported,
	"puffin/codec_gzip":                 Unsupported,
	"puffin/codec_ZSTD":                 Unsupported,
	"puffin/codec_empty":                Unsupported, // an empty codec is one too
	"puffin/codec_zstd_corrupt":         Unsupported,
	"puffin/cardinality_0":              Mismatch,

	"delta-file/version_0":                  Unsupported,
	"delta-file/version_2":                  Unsupported,
	"delta-file/version_255":                Unsupported,
	"delta-file/magic_native_portable_data": Unsupported,
	"delta-file/descriptor_size_plus_1":     Mismatch,
	"delta-file/descriptor_size_max":        Mismatch,
	"delta-file/descriptor_size_3":          Mismatch,
	"delta-file/file_size_plus_1":           Mismatch,
	"delta-file/offset_0":                   Invalid,  // the version byte
	"delta-file/offset_2":                   Mismatch, // the four bytes there are another size
	"delta-file/cardinality_2":              Mismatch,
	"delta-file/cardinality_0":              Mismatch,

	"delta-inline/inline_empty_string_card1": Mismatch,
	"delta-inline/inline_size_zero":          Mismatch, // 36 bytes are there
	"delta-inline/inline_magic_native":       Unsupported,
	"delta-inline/inline_cardinality_2":      Mismatch,

	"mumbling/version_0":                  Unsupported,
	"mumbling/version_2":                  Unsupported,
	"mumbling/version_255":                Unsupported,
	"mumbling/pfor_b2_over_no_exceptions": OK,
	"mumbling/pfor_b2_set_no_exceptions":  OK,
	"mumbling/pfor_e_with_b2_0":           OK,
	"mumbling/pfor_padding_bits_set":      OK,
}

// kinds are the manifest's words for how an input is read.
var kinds = map[string]string{
	"blob": Blob, "roaring64": Bitmap, "puffin": Puffin, "delta": Delta, "inline": Inline, "mumbling": Mumbling,
}

// goldenCases are the inputs of testdata/golden/hostile, which real implementations judged.
func goldenCases() ([]Case, error) {
	raw, err := os.ReadFile(filepath.Join(testdata(), "golden", "manifest.json"))
	if err != nil {
		return nil, err
	}
	var m manifest
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, err
	}
	met := map[string]bool{}
	var cases []Case
	for _, h := range m.Hostile {
		name := h.Format + "/" + h.Name
		status := Corrupt
		if other, ok := otherStatus[name]; ok {
			status = other
			met[name] = true
		}
		if h.Expected == "accept" {
			status = OK
		}
		for _, run := range h.Runs {
			how := kinds[run.Kind]
			if how == "" {
				return nil, fmt.Errorf("%s: no way to read a %q", name, run.Kind)
			}
			c := Case{
				Name: "golden/" + how + "/" + h.Name, How: how, Status: status, File: run.File,
				Offset: number(run.Offset), Size: number(run.Size), Cardinality: number(run.Card),
			}
			if run.File == "" {
				c.Data = []byte(run.Text)
			}
			cases = append(cases, c)
		}
	}
	for name := range otherStatus {
		if !met[name] {
			return nil, fmt.Errorf("%s is not in the manifest", name)
		}
	}
	return cases, nil
}

func number(n *int64) int64 {
	if n == nil {
		return Unknown
	}
	return *n
}
