package puffin

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/golden"
	"github.com/libdv/libdv/internal/storage"
)

// parsePlain parses a footer with the plain reader alone.
func parsePlain(payload []byte, end int64) (*footerParser, error) {
	p := &footerParser{reader: newPlainReader(payload), payload: payload, end: end}
	return p, p.all()
}

// agrees fails where the plain reader takes what the decoder refuses, or takes it in another sense.
// It tells whether the plain reader takes it.
func agrees(t *testing.T, payload []byte, end int64) bool {
	t.Helper()
	plain, err := parsePlain(payload, end)
	if err != nil {
		return false
	}
	full := &footerParser{reader: newReader(payload, fault.Corrupt, 0, ""), payload: payload, end: end}
	if err := full.all(); err != nil {
		t.Fatalf("the plain reader takes %q: %v", payload, err)
	}
	if !slices.Equal(plain.blobs, full.blobs) || plain.createdBy != full.createdBy {
		t.Fatalf("%q: %+v %q, want %+v %q", payload, plain.blobs, plain.createdBy, full.blobs, full.createdBy)
	}
	return true
}

// TestWhatWritersWriteIsPlain expects the fast way for every golden file whose footer has no escapes.
func TestWhatWritersWriteIsPlain(t *testing.T) {
	for name := range puffins(t) {
		src := storage.Memory(golden.Read(t, name))
		f, err := Open(src)
		ok(t, err)
		if agrees(t, f.payload, src.Size()) == bytes.Contains(f.payload, []byte(`\`)) {
			t.Errorf("%s: %s", name, f.payload)
		}
	}
}

// TestEveryChangeOfAFooter replaces, inserts and leaves out each byte in turn.
func TestEveryChangeOfAFooter(t *testing.T) {
	const ends = 1 << 20
	for _, payload := range []string{
		footerJSON(entryJSON(4, 42, named), entryJSON(46, 42, `"cardinality":"7","referenced-data-file":"\u00fc.parquet"`)),
		"{ \"blobs\" :\t[ ] ,\r\n\"properties\": { \"created-by\" : \"caf\u00e9\" } }",
		`{"properties":{"created-by":"some writer","created-by":"another one"},` + footerJSON(
			strings.Replace(entryJSON(4, 42, "\"x\":\"\u20ac\""), `"offset"`, `"compression-codec":"zstd","offset"`, 1))[1:],
	} {
		taken := 0
		try := func(before, between, after string) {
			if agrees(t, []byte(before+between+after), ends) {
				taken++
			}
		}
		for i := range payload {
			try(payload[:i], "", payload[i+1:])
			for c := range 256 {
				try(payload[:i], string([]byte{byte(c)}), payload[i:])
				try(payload[:i], string([]byte{byte(c)}), payload[i+1:])
			}
		}
		if taken == 0 {
			t.Errorf("the plain reader takes no change of %s", payload)
		}
	}
}

func TestIntegersThatArePlain(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "-0": 0, "7": 7, "-1": -1, "2147483647": 1<<31 - 1, "-2147483647": -1<<31 + 1,
		"999999999999999999": 999999999999999999, "-999999999999999999": -999999999999999999,
	} {
		p := plain{text: []byte(text + ",")}
		if n, err := p.integer(64); n != want || err != nil || p.at != len(text) {
			t.Errorf("%s: %d, %v", text, n, err)
		}
	}
	for _, text := range []string{
		"", "-", "+1", "00", "01", "-01", "--1", "a", "1000000000000000000", "9223372036854775808",
	} {
		p := plain{text: []byte(text)}
		if n, err := p.integer(64); err == nil {
			t.Errorf("%q: %d", text, n)
		}
	}
	p := plain{text: []byte("2147483648")}
	if n, err := p.integer(32); err == nil {
		t.Errorf("%d has 32 bits", n)
	}
}

// TestStringsOfEveryLength ends a string at each place of the words that it is read by.
func TestStringsOfEveryLength(t *testing.T) {
	for length := range 40 {
		text := strings.Repeat("x", length)
		p := plain{text: []byte(`"` + text + `"` + strings.Repeat("\x00", 16))}
		if s, err := p.string(); string(s) != text || err != nil || p.at != length+2 {
			t.Errorf("%d: %q, %v", length, s, err)
		}
		for _, odd := range []string{"\\", "\x00", "\x1f", "\n", "\xff", "\xc3", "\xed\xa0\x80"} {
			for _, after := range []string{"", "xxxxxxxx"} {
				p := plain{text: []byte(`"` + text + odd + after + `"`)}
				if s, err := p.string(); err == nil {
					t.Errorf("%q is taken", s)
				}
			}
		}
		p = plain{text: []byte(`"` + text + "\u00fc\u20ac\U0001F600\x7f " + text + `"`)}
		if s, err := p.string(); string(s) != text+"\u00fc\u20ac\U0001F600\x7f "+text || err != nil {
			t.Errorf("%d: %q, %v", length, s, err)
		}
		p = plain{text: []byte(`"` + text)}
		if s, err := p.string(); err == nil {
			t.Errorf("%q without an end is taken", s)
		}
	}
}
