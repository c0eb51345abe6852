package hostile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// payload is the footer of a file whose one blob, at 4, is the vector {1} of the data file "a". Every string in it that a
// case replaces stands once.
const payload = `{"blobs":[{"type":"deletion-vector-v1","fields":[2147483645],"snapshot-id":-1,"sequence-number":-1,` +
	`"offset":4,"length":42,"properties":{"referenced-data-file":"a","cardinality":"1"}}],"properties":{"created-by":"x"}}`

func (t *table) puffin(name, status string, file []byte) {
	t.add(Case{Name: "puffin/" + name, How: Puffin, Status: status,
		Offset: Unknown, Size: Unknown, Cardinality: Unknown, Data: file})
}

// puffins breaks the frame of a file.
func (t *table) puffins() {
	file := puffinFile(frame(one), payload, 0)
	footer := 4 + len(frame(one))
	trailer := len(file) - 12
	t.puffin("whole", OK, file)
	t.puffin("trailing-0", Corrupt, append(put(file, 0), 0))
	cuts(file, func(change string, data []byte) { t.puffin(change, Corrupt, data) })
	flips(file, func(change string, data []byte) {
		at := 0
		fmt.Sscanf(change, "flip-%d", &at)
		bit := change[len(change)-1] - '0'
		switch {
		case at == 8 && bit == 0: // the blob's magic becomes Delta's older one
			t.puffin(change, Unsupported, data)
		case at >= trailer+4 && at < trailer+8 && (at > trailer+4 || bit > 0): // an unknown flag
			t.puffin(change, Unsupported, data)
		case at >= 10 && at < footer: // like the first bytes of the blob: blobs has them
		case at < footer+4, at >= trailer: // magics, the blob, the payload's size, its compression
			t.puffin(change, Corrupt, data)
		case bit == 7 && at%4 == 0: // a lone byte beyond ASCII is no UTF-8
			t.puffin(change, Corrupt, data)
		}
	})
	for _, n := range append(extremes32, uint32(len(payload)-1), uint32(len(payload)+1), uint32(len(file))) {
		t.puffin(fmt.Sprintf("payload-size-%x", n), Corrupt, put(file, trailer, le32(n)...))
	}
	t.puffin("gap-before-blob", OK, puffinFile(append(make([]byte, 5), frame(one)...), strings.Replace(payload, `"offset":4`, `"offset":9`, 1), 0))
	t.puffin("bare-blob", Corrupt, frame(one))
	t.puffin("delta-file", Corrupt, deltaFile(frame(one)))
	t.compressed()
}

// compressed breaks footers that are LZ4 frames.
func (t *table) compressed() {
	const independent, sized = 0x60, 0x68 // version 1, independent blocks
	file := func(frames ...[]byte) []byte { return puffinFile(frame(one), string(bytes.Join(frames, nil)), 1) }
	header := func(flags byte, parts ...[]byte) []byte {
		return append([]byte{flags, 0x40}, bytes.Join(parts, nil)...)
	}
	length := uint64(len(payload))
	good := lz4Frame(header(sized, le64(length)), []byte(payload), true)
	spaces := payload + strings.Repeat(" ", 1000)

	t.puffin("lz4/whole", OK, file(good))
	t.puffin("lz4/no-content-size", OK, file(lz4Frame(header(independent), []byte(payload), true)))
	t.puffin("lz4/trailing-0", Corrupt, file(good, []byte{0}))
	t.puffin("lz4/two-frames", Corrupt, file(good, good))
	t.puffin("lz4/legacy", Corrupt, file(put(good, 0, 0x02, 0x21, 0x4c, 0x18)))
	t.puffin("lz4/skippable", Corrupt, file([]byte{0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4}))
	t.puffin("lz4/not-compressed", Corrupt, puffinFile(frame(one), payload, 1))
	t.puffin("lz4/not-announced", Corrupt, puffinFile(frame(one), string(good), 0))
	t.puffin("lz4/header-checksum", Corrupt, file(put(good, 14, good[14]^1)))
	t.puffin("lz4/only-white-space", Corrupt, file(lz4Frame(header(independent), lz4Run(' ', 4000), false)))
	t.puffin("lz4/distance-0", Corrupt, file(lz4Frame(header(independent), put(lz4Run(' ', 300), 2, 0, 0), false)))
	t.puffin("lz4/distance-2", Corrupt, file(lz4Frame(header(independent), put(lz4Run(' ', 300), 2, 2, 0), false)))
	t.puffin("lz4/padded", OK, file(lz4Frame(header(sized, le64(uint64(len(spaces)))), []byte(spaces), true)))
	for _, claim := range append(extremes64, length-1, length+1) {
		frame := lz4Frame(header(sized, le64(claim)), []byte(payload), true)
		t.puffin(fmt.Sprintf("lz4/content-size-%x", claim), Corrupt, file(frame))
	}
	for _, n := range append(extremes32, uint32(length)) { // of the block; the top bit says that it is stored
		if n != uint32(length)|1<<31 {
			t.puffin(fmt.Sprintf("lz4/block-size-%x", n), Corrupt, file(put(good, 15, le32(n)...)))
		}
	}
	for n := 0; n < len(good); n += 5 {
		t.puffin(fmt.Sprintf("lz4/cut-%03d", n), Corrupt, file(good[:n]))
	}
}

// footers changes the footer's JSON: old becomes new.
func (t *table) footers() {
	change := func(name, status, old, new string) {
		if strings.Count(payload, old) != 1 {
			panic(old + " does not stand once in the footer")
		}
		t.puffin("footer/"+name, status, puffinFile(frame(one), strings.Replace(payload, old, new, 1), 0))
	}
	numbers := func(member, was, status string, values ...string) {
		for _, value := range values {
			change(member+"-"+token(value), status, `"`+member+`":`+was, `"`+member+`":`+value)
		}
	}
	noNumbers := []string{
		"4.0", "4e0", "0x4", "04", "+4", "4.", ".4", `"4"`, "null", "true", "[]", "[4]", "{}", "NaN", "", "9223372036854775808",
		"-9223372036854775809", "99999999999999999999999999",
	}
	numbers("offset", "4,", Corrupt, "-9223372036854775808,", "-1,", "-0,", "0,", "3,", "5,", "46,", "1000,",
		"2147483647,", "4294967300,", "9223372036854775807,")
	numbers("length", "42,", Corrupt, "-9223372036854775808,", "-42,", "-1,", "0,", "1,", "19,", "20,", "41,", "43,", "46,",
		"2147483647,", "4294967338,", "9223372036854775803,", "9223372036854775807,")
	numbers("snapshot-id", "-1,", OK, "0,", "5,", "9223372036854775807,", "-9223372036854775808,")
	numbers("sequence-number", "-1,", OK, "0,", "5,", "9223372036854775807,")
	for _, value := range noNumbers {
		for _, member := range []string{`offset":4,`, `length":42,`, `snapshot-id":-1,`, `sequence-number":-1,`} {
			name, _, _ := strings.Cut(member, `"`)
			change(name+"-no-"+token(value), Corrupt, member, name+`":`+value+",")
		}
	}
	numbers("fields", "[2147483645]", OK, "[]", "[1]", "[1,2147483645,-1]")
	numbers("fields", "[2147483645]", Corrupt, "[1.5]", `["1"]`, "null", "{}", "[null]", "[[1]]", "1", "[1,]", "[2147483648]")
	numbers("cardinality", `"1"`, OK, `"01"`, `"00000000000000000001"`, `"\u0031"`)
	numbers("cardinality", `"1"`, Mismatch, `"0"`, `"2"`, `"9223372036854775807"`)
	numbers("cardinality", `"1"`, Corrupt, `""`, `"+1"`, `"-1"`, `" 1"`, `"1 "`, `"1.0"`, `"1e0"`, `"0x1"`, `"9223372036854775808"`,
		`"99999999999999999999999"`, `"abc"`, `"١"`, "1", "null", "true", "{}", `["1"]`)
	numbers("referenced-data-file", `"a"`, OK, `"\u00e9"`, `"é"`, `"\ud83d\ude00"`, `"%20\\\/"`)
	numbers("referenced-data-file", `"a"`, Corrupt, `""`, `"\u0000"`, `"a\u0000b"`, `"\ud800"`, `"\ude00\ud83d"`, `"\x61"`, `"\u12"`,
		"\"\xff\"", "\"\xc0\x80\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "\"\xe2\x82\"", "\"\n\"", "\"\x00\"", `'a'`, "null", "1", `["a"]`)
	numbers("type", `"deletion-vector-v1"`, OK, `"x"`, `"deletion-vector-v2"`, `"Deletion-Vector-v1"`, `"apache-datasketches-theta-v1"`)
	numbers("type", `"deletion-vector-v1"`, Corrupt, `""`, "null", "1", `"\u0000"`)
	for member, value := range inOrder(map[string]string{
		"type": `"deletion-vector-v1"`, "fields": "[2147483645]", "snapshot-id": "-1", "sequence-number": "-1", "offset": "4", "length": "42",
	}) {
		entry := `"` + member + `":` + value + ","
		change(member+"-missing", Corrupt, entry, "")
		change(member+"-twice", Corrupt, entry, entry+entry)
		change(member+"-capital", Corrupt, entry, strings.ToUpper(entry[:2])+entry[2:])
		change(member+"-capital-too", OK, entry, entry+strings.ToUpper(entry[:3])+entry[3:]) // another name: unknown
	}
	t.properties(change)
	t.documents()
}

// properties changes what is said of properties and codecs.
func (t *table) properties(change func(name, status, old, new string)) {
	change("cardinality-missing", OK, `,"cardinality":"1"`, "")
	change("cardinality-twice", Corrupt, `,"cardinality":"1"`, `,"cardinality":"1","cardinality":"1"`)
	change("data-file-missing", Corrupt, `"referenced-data-file":"a",`, "")
	change("data-file-twice", Corrupt, `"referenced-data-file":"a",`, `"referenced-data-file":"a","referenced-data-file":"a",`)
	change("other-property", OK, `"referenced-data-file":"a",`, `"referenced-data-file":"a","x":"y",`)
	change("other-property-no-string", Corrupt, `"referenced-data-file":"a",`, `"referenced-data-file":"a","x":1,`)
	change("properties-twice", Corrupt, `"properties":{"ref`, `"properties":{"referenced-data-file":"a"},"properties":{"ref`)
	change("file-properties-null", Corrupt, `"properties":{"created-by":"x"}`, `"properties":null`)
	change("file-properties-list", Corrupt, `"properties":{"created-by":"x"}`, `"properties":[]`)
	change("file-properties-twice", Corrupt, `"properties":{"created-by":"x"}`, `"properties":{},"properties":{}`)
	change("file-properties-missing", OK, `,"properties":{"created-by":"x"}`, "")
	for _, codec := range []string{`"lz4"`, `"zstd"`, `"LZ4"`, `""`, `"none"`, `"uncompressed"`} {
		change("codec-"+token(codec), Unsupported, `"offset":4`, `"offset":4,"compression-codec":`+codec)
	}
	for _, codec := range []string{"null", "1", "{}", `["lz4"]`} {
		change("codec-"+token(codec), Corrupt, `"offset":4`, `"offset":4,"compression-codec":`+codec)
	}
}

// documents puts other texts where the footer's JSON is.
func (t *table) documents() {
	document := func(name, status, text string) {
		t.puffin("footer/document-"+name, status, puffinFile(frame(one), text, 0))
	}
	for _, text := range []string{
		"", " ", "null", "true", "1", `"x"`, "[]", "[{}]", "{", "}", "{}{}", "{]", `{"blobs"}`, `{"blobs":}`, `{"blobs":[]`, `{"blobs":[}`,
		`{"blobs":null}`, `{"blobs":{}}`, `{"blobs":[null]}`, `{"blobs":[[]]}`, `{"blobs":[1]}`, `{"blobs":[{}]}`, `{"Blobs":[]}`,
		`{"blobs":[],}`, `{,"blobs":[]}`, `{"blobs":[],"blobs":[]}`, `{'blobs':[]}`, `{blobs:[]}`, `{"blobs":[]}x`, `{"blobs":[]},`,
		`{"blobs":[]}{"blobs":[]}`, "{\"blobs\":[]}\x00", "\ufeff{\"blobs\":[]}", "/**/{\"blobs\":[]}", "{\"blobs\":[]}//", `{"x":[]}`, "{}",
	} {
		document("no-"+token(text), Corrupt, text)
	}
	for _, text := range []string{
		`{"blobs":[]}`, " \t\r\n{\"blobs\" : [ ] } \n", `{"x":{"blobs":1},"blobs":[]}`, `{"x":1,"x":2,"blobs":[]}`, `{"\u0062lobs":[]}`,
	} {
		document(token(text), OK, text)
	}
	document("deep-arrays", Corrupt, `{"blobs":[],"x":`+strings.Repeat("[", 10100)+strings.Repeat("]", 10100)+"}")
	document("deep-objects-cut", Corrupt, `{"blobs":[],"x":`+strings.Repeat(`{"":`, 3000))
}

// entries asks for the vector of an entry.
func (t *table) entries() {
	blob := frame(one)
	file := puffinFile(blob, payload, 0)
	add := func(name, status string, data []byte, offset, size, count int64, dataFile string) {
		t.add(Case{Name: "entry/" + name, How: Entry, Status: status, Offset: offset, Size: size, Cardinality: count,
			Text: dataFile, Data: data})
	}
	add("whole", OK, file, 4, 42, 1, "a")
	for _, dataFile := range []string{"b", "A", "aa", "a ", "é", "%61"} {
		add("data-file-"+token(dataFile), Mismatch, file, 4, 42, 1, dataFile)
	}
	add("data-file-", Invalid, file, 4, 42, 1, "")
	add("data-file-no-text", Invalid, file, 4, 42, 1, "\xff")
	for _, n := range arguments {
		status := Mismatch
		if n < 0 {
			status = Invalid
		}
		if n != 4 {
			add(fmt.Sprintf("offset-%d", n), status, file, n, 42, 1, "a")
		}
		add(fmt.Sprintf("size-%d", n), status, file, 4, n, 1, "a")
		if n != 1 {
			add(fmt.Sprintf("count-%d", n), status, file, 4, 42, n, "a")
		}
	}
	without := puffinFile(blob, strings.Replace(payload, `,"cardinality":"1"`, "", 1), 0)
	add("no-cardinality", OK, without, 4, 42, 1, "a")
	add("no-cardinality-other-count", Mismatch, without, 4, 42, 2, "a")
	add("no-cardinality-count-0", Mismatch, without, 4, 42, 0, "a")
	add("malformed-cardinality", Corrupt, puffinFile(blob, strings.Replace(payload, `"1"`, `"x"`, 1), 0), 4, 42, 1, "a")
	add("other-type", Mismatch, puffinFile(blob, strings.Replace(payload, "vector-v1", "vector-v2", 1), 0), 4, 42, 1, "a")
	add("codec", Unsupported, puffinFile(blob, strings.Replace(payload, `"offset"`, `"compression-codec":"lz4","offset"`, 1), 0), 4, 42, 1, "a")
	add("bare-blob", Corrupt, blob, 0, 42, 1, "a")
	add("delta-file", Corrupt, deltaFile(blob), 1, 42, 1, "a")
	add("crc", Corrupt, puffinFile(put(blob, 41, blob[41]^1), payload, 0), 4, 42, 1, "a")
	add("lying-count", Mismatch, puffinFile(blob, strings.Replace(payload, `"1"`, `"2"`, 1), 0), 4, 42, 2, "a")
	for n := 0; n < len(file); n += 7 {
		add(fmt.Sprintf("cut-%03d", n), Corrupt, file[:n], 4, 42, 1, "a")
	}
	long := frame(bytes.Repeat([]byte{0xff}, 64))
	binary.BigEndian.PutUint32(long, 0xFFFFFFFF)
	add("length-field", Corrupt, puffinFile(long, strings.Replace(payload, ":42", fmt.Sprintf(":%d", len(long)), 1), 0), 4, int64(len(long)), 1, "a")
}

// token makes a name of any text.
func token(text string) string {
	var out strings.Builder
	for _, b := range []byte(strings.TrimSuffix(text, ",")) {
		switch {
		case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b >= '0' && b <= '9', b == '-', b == '+', b == '.':
			out.WriteByte(b)
		default:
			fmt.Fprintf(&out, "_%02x", b)
		}
	}
	return out.String()
}
