package mumbling

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/golden"
)

// formats.md decides where the manifest leaves the choice.
var decided = map[string]string{
	"dense_31_bits":              "reject", // by Validate alone
	"pfor_b2_over_no_exceptions": "accept",
	"pfor_b2_set_no_exceptions":  "accept",
	"pfor_e_with_b2_0":           "accept",
	"pfor_padding_bits_set":      "accept",
}

func TestHostile(t *testing.T) {
	seen := 0
	for _, h := range golden.Load(t).Hostile {
		if h.Format != "mumbling" {
			continue
		}
		seen++
		expected := h.Expected
		if expected == "either" {
			expected = decided[h.Name]
		}
		for _, run := range h.Runs {
			data := golden.Read(t, run.File)
			check(t, data)
			b, err := Read(data)
			if err == nil {
				err = b.Validate()
			}
			kind := fault.Kind(err)
			refused := kind == fault.ErrCorrupt || kind == fault.ErrUnsupported
			if expected == "accept" && err != nil || expected == "reject" && !refused || expected == "" {
				t.Errorf("%s (%s): %v, expected: %q", h.Name, h.Wrong, err, expected)
			}
		}
	}
	if seen != 44 {
		t.Errorf("%d hostile inputs, expected 36", seen)
	}
}

// control is the bitmap that the hostile ones vary: sparse 0, 34, 255; dense 256 to 287;
// sparse 521.
const control = "0124000003000600000e00400022ffffffffff0000000000000000000000000000000000000000000000000000000009"

// Which call says what of one fault each: opens is Read's kind, reads that of the calls that
// need the directory, counts that of Positions and ToVector, mask that of a whole KeepMask. The
// text is in Validate's message (or Read's) and holds the offset of the fault.
func TestFaults(t *testing.T) {
	corrupt := fault.ErrCorrupt
	dense31 := "011f0000010006000080fffffffe" + strings.Repeat("00", 28)
	tests := []struct {
		name, data                        string
		opens, reads, mask, counts, valid error
		text                              string
	}{
		{"empty input", "", corrupt, nil, nil, nil, nil, "0 bytes, expected a header of 6"},
		{"header cut", "0101000001", corrupt, nil, nil, nil, nil, "5 bytes, expected a header of 6"},
		{"version 0", "000000000000", fault.ErrUnsupported, nil, nil, nil, nil, "version 0 at byte 0, expected 1"},
		{"version 2", "020000000000", fault.ErrUnsupported, nil, nil, nil, nil, "version 2 at byte 0, expected 1"},
		{"cardinality over the limit", "010100200000", corrupt, nil, nil, nil, nil, "cardinality 2097153 at byte 1, expected at most 2097152"},
		{"containers over the limit", "010000000120" + strings.Repeat("00", 99), corrupt, nil, nil, nil, nil, "8193 containers at byte 4, expected at most 8192"},
		{"no descriptors", "0101000003000000", corrupt, nil, nil, nil, nil, "2 bytes after the header at byte 6, expected at least 3 for 3 descriptors"},
		{"one chunk of two", "010000000101000000", corrupt, nil, nil, nil, nil, "3 bytes after the header at byte 6, expected at least 6 for 257 descriptors"},

		{"first chunk cut", "010100000100060000", nil, corrupt, corrupt, corrupt, corrupt, "PFOR chunk 0 at byte 6: 3 bytes left, expected 4"},
		{"second chunk's values cut", "010000000101000000080000", nil, corrupt, corrupt, corrupt, corrupt, "PFOR chunk 1 at byte 9: 3 bytes left, expected 4"},
		{"reserved bits", "010000000300" + "080000" + "004001", nil, corrupt, corrupt, corrupt, corrupt, "descriptor 1 (in the PFOR chunk at byte 6) is 0x40"},
		{"reserved bits of the last", "010000000900" + "000080", nil, corrupt, corrupt, corrupt, corrupt, "descriptor 0 (in the PFOR chunk at byte 6) is 0x80"},
		{"reserved bits in the second chunk", "010000000201" + "000000" + "080000" + "00e0", nil, corrupt, corrupt, corrupt, corrupt, "descriptor 257 (in the PFOR chunk at byte 9) is 0xe0"},
		{"sparse container cut", "010300000100" + "000003" + "0102", nil, corrupt, corrupt, corrupt, corrupt, "container 0 at byte 9: 2 bytes left, expected 3"},
		{"dense container cut", "012000000200" + "080000" + "0020" + strings.Repeat("ff", 31), nil, corrupt, corrupt, corrupt, corrupt, "container 1 at byte 11: 31 bytes left, expected 32"},

		{"sparse descends", "010300000100" + "000003" + "050103", nil, nil, corrupt, corrupt, corrupt, "container 0: place 1 at byte 10, expected more than 5"},
		{"sparse repeats", "010300000200" + "080000" + "0003" + "010505", nil, nil, corrupt, corrupt, corrupt, "container 1: place 5 at byte 13, expected more than 5"},
		{"sparse repeats, cardinality of the set", "010200000100" + "000003" + "010505", nil, nil, corrupt, corrupt, corrupt, "container 0: place 5 at byte 11"},
		{"dense of 31", dense31, nil, nil, nil, nil, corrupt, "container 0 at byte 10: dense with 31 places, expected at least 32"},
		{"dense of none", "010000000100" + "000020" + strings.Repeat("00", 32), nil, nil, nil, nil, corrupt, "container 0 at byte 9: dense with 0 places"},
		{"cardinality too large", strings.Replace(control, "0124", "0125", 1), nil, nil, nil, corrupt, corrupt, "cardinality 37 at byte 1, expected 36"},
		{"trailing byte", "010100000100" + "000001" + "0500", nil, nil, nil, nil, corrupt, "1 bytes behind the last container at byte 10, expected none"},
		{"trailing byte, no container", "01000000000000", nil, nil, nil, nil, corrupt, "1 bytes behind the last container at byte 6, expected none"},
		{"positions without a container", "010500000000", nil, nil, nil, corrupt, corrupt, "cardinality 5 at byte 1, expected 0"},
		{"first fault first", "010900000200" + "080000" + "0220" + "0500" + strings.Repeat("00", 33), nil, nil, corrupt, corrupt, corrupt, "place 0 at byte 12"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			data := unhex(t, c.data)
			check(t, data)
			b, err := Read(data)
			if fault.Kind(err) != c.opens {
				t.Fatalf("read: %v, expected %v", err, c.opens)
			}
			if err == nil {
				_, isSet := b.IsSet(1)
				isSetMany := b.IsSetMany([]int32{1, 300}, make([]byte, 2))
				_, counts := b.Positions(make([]int32, 300))
				_, vector := b.ToVector()
				mask := b.KeepMask(0, 1000, make([]byte, 125))
				err = b.Validate()
				got := []error{fault.Kind(isSet), fault.Kind(isSetMany), fault.Kind(mask), fault.Kind(counts), fault.Kind(vector), fault.Kind(err)}
				want := []error{c.reads, c.reads, c.mask, c.counts, c.counts, c.valid}
				if !slices.Equal(got, want) {
					t.Errorf("is set, many, mask, positions, vector, validate: %v, expected %v", got, want)
				}
			}
			if message := fmt.Sprint(err); !strings.Contains(message, c.text) || strings.Contains(message, "\n") {
				t.Errorf("message %q, expected one line with %q", message, c.text)
			}
		})
	}
}

// What is unusual and yet right.
func TestUnusual(t *testing.T) {
	dense := "fffffffff" + strings.Repeat("0", 55)
	tests := []struct{ name, data string }{
		{"control", control},
		{"empty containers at the end", "010100000300" + "020000" + "4007"},
		{"nothing but empty containers", "010000000002" + "000000000000"},
		{"dense, low bits of the descriptor set", "012400000100" + "00003f" + dense},
		{"dense, one low bit of the descriptor set", "012400000100" + "000021" + dense},
	}
	for _, c := range tests {
		data := unhex(t, c.data)
		check(t, data)
		if err := open(t, data).Validate(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// small gives bitmaps that are small enough to be broken at every place.
func small(t testing.TB) map[string][]byte {
	t.Helper()
	files := map[string][]byte{"control": unhex(t, control)}
	for _, name := range []string{
		"spec_sparse3", "spec_desc_6_34_8_7", "spec_dense_even", "gap_first", "gap_middle",
		"sparse31_spread", "dense33_run", "full_container_second", "containers_2",
	} {
		files[name] = golden.Read(t, "mumbling/"+name+".bin")
	}
	return files
}

// A cut bitmap is refused by all but Read, and by Read where the header is not whole.
func TestTruncated(t *testing.T) {
	files := small(t)
	files["spec_51_of_5"] = golden.Read(t, "mumbling/spec_51_of_5.bin")
	files["max_position"] = golden.Read(t, "mumbling/max_position.bin")
	files["random_1pct_50k"] = golden.Read(t, "mumbling/random_1pct_50k.bin")
	for name, data := range files {
		for n := range data {
			check(t, data[:n])
			b, err := Read(data[:n])
			if err == nil {
				_, err = b.IsSet(0)
			}
			if fault.Kind(err) != fault.ErrCorrupt {
				t.Errorf("%s cut to %d bytes: %v, expected %v", name, n, err, fault.ErrCorrupt)
			}
		}
	}
}

func TestBitFlips(t *testing.T) {
	for name, data := range small(t) {
		for i := range 8 * len(data) {
			flipped := slices.Clone(data)
			flipped[i/8] ^= 1 << (i % 8)
			check(t, flipped)
			if i >= 32 {
				continue
			}
			b, err := Read(flipped) // of another version or cardinality
			if err == nil {
				err = b.Validate()
			}
			if err == nil {
				t.Errorf("%s: bit %d of the header is of no consequence", name, i)
			}
		}
	}
}

// Extreme numbers in the header and in a chunk's header, over bytes that back none of them.
func TestExtremes(t *testing.T) {
	extremes := []byte{0, 1, 2, 0x1F, 0x20, 0x3F, 0x7F, 0x80, 0xFE, 0xFF}
	for name, data := range small(t) {
		if len(data) > 50 {
			continue
		}
		for at := 1; at < 9; at++ {
			for _, a := range extremes {
				for _, b := range extremes {
					broken := slices.Clone(data)
					broken[at], broken[at+1] = a, b
					check(t, broken)
				}
			}
		}
		if t.Failed() {
			t.Fatal(name)
		}
	}
}
