package puffin

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/pierrec/lz4/v4"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/storage"
)

const named = `"referenced-data-file":"f","cardinality":"1"`

// valid is a file of one vector, {1}.
func valid() []byte { return build(oneBlob, footerJSON(entryJSON(4, len(oneBlob), named))) }

func TestJSONThatIsAccepted(t *testing.T) {
	entry := entryJSON(4, 42, named)
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	for what, payload := range map[string]string{
		"as written":                 footerJSON(entry),
		"white space around":         " \t\r\n" + footerJSON(entry) + "\n\r\t ",
		"white space within":         strings.NewReplacer(`:`, " :\n", `,`, " ,\t").Replace(footerJSON(entry)),
		"unknown members":            `{"x":{"blobs":1,"y":[null]},` + footerJSON(`{"z":1e400,` + entry[1:])[1:],
		"unknown members twice":      `{"x":1,"x":2,` + footerJSON(`{"z":1,"z":"2",` + entry[1:])[1:],
		"unknown properties twice":   footerJSON(entryJSON(4, 42, named+`,"p":"1","p":"2"`)),
		"escaped member names":       strings.NewReplacer(`"offset"`, `"off\u0073et"`, `"blobs"`, `"\u0062lobs"`).Replace(footerJSON(entry)),
		"other case beside":          footerJSON(`{"OFFSET":9,"Length":0,` + entry[1:]),
		"file properties":            strings.TrimSuffix(footerJSON(entry), "}") + `,"properties":{"created-by":"x","":""}}`,
		"no fields":                  strings.Replace(footerJSON(entry), "[2147483645]", "[]", 1),
		"several fields":             strings.Replace(footerJSON(entry), "[2147483645]", "[1,-2, 3]", 1),
		"deep nesting in an unknown": `{"x":` + deep + `,` + footerJSON(entry)[1:],
		"minus zero":                 strings.Replace(footerJSON(entry), `"snapshot-id":-1`, `"snapshot-id":-0`, 1),
		"largest sequence number":    strings.Replace(footerJSON(entry), `"sequence-number":-1`, `"sequence-number":9223372036854775807`, 1),
		"leading zeros":              footerJSON(entryJSON(4, 42, `"referenced-data-file":"f","cardinality":"000000000000000000000001"`)),
		"members in another order": footerJSON(`{"properties":{` + named + `},"length":42,"offset":4,"sequence-number":-1,` +
			`"snapshot-id":-1,"fields":[],"type":"deletion-vector-v1"}`),
	} {
		vectors, err := openAndReadAll(storage.Memory(build(oneBlob, payload)))
		if err != nil || vectors != 1 {
			t.Errorf("%s: %d vectors, %v", what, vectors, err)
		}
	}
}

func TestJSONThatIsRefused(t *testing.T) {
	entry := entryJSON(4, 42, named)
	replace := func(old, new string) string {
		out := strings.Replace(footerJSON(entry), old, new, 1)
		if out == footerJSON(entry) {
			panic("nothing replaced: " + old)
		}
		return out
	}
	cases := map[string]struct{ payload, says string }{
		"empty":                    {"", "byte 50: payload size 0"},
		"white space alone":        {" \n ", "the JSON ends here"},
		"byte order mark":          {"\ufeff" + footerJSON(entry), "byte 50"},
		"two objects":              {footerJSON(entry) + footerJSON(entry), "expected its end"},
		"NUL after":                {footerJSON(entry) + "\x00", "expected its end"},
		"comma after":              {footerJSON(entry) + ",", "expected its end"},
		"cut short":                {footerJSON(entry)[:60], "invalid JSON"},
		"deep nesting":             {`{"x":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `,` + footerJSON(entry)[1:], "depth"},
		"deep nesting, never back": {strings.Repeat(`{"x":`, 200000), "depth"},
		"fraction":                 {replace(`"offset":4`, `"offset":4.0`), "found 4.0, expected an integer"},
		"exponent":                 {replace(`"offset":4`, `"offset":4e0`), "found 4e0"},
		"string for a number":      {replace(`"offset":4`, `"offset":"4"`), `the string "4"`},
		"leading zero":             {replace(`"offset":4`, `"offset":04`), "invalid JSON"},
		"plus":                     {replace(`"offset":4`, `"offset":+4`), "invalid JSON"},
		"hexadecimal":              {replace(`"offset":4`, `"offset":0x4`), "invalid JSON"},
		"2^63":                     {replace(`"snapshot-id":-1`, `"snapshot-id":9223372036854775808`), "64 bits"},
		"long number":              {replace(`"snapshot-id":-1`, `"snapshot-id":1`+strings.Repeat("0", 100000)), "64 bits"},
		"field of 2^31":            {replace(`2147483645`, `2147483648`), "32 bits"},
		"field 1.5":                {replace(`2147483645`, `1.5`), "32 bits"},
		"fields null":              {replace(`[2147483645]`, `null`), "expected an array"},
		"true":                     {replace(`"length":42`, `"length":true`), "found true"},
		"codec null":               {replace(`"offset"`, `"compression-codec":null,"offset"`), "expected a string"},
		"codec a number":           {replace(`"offset"`, `"compression-codec":1,"offset"`), "expected a string"},
		"codec twice":              {replace(`"offset"`, `"compression-codec":"","compression-codec":"","offset"`), "stands twice"},
		"codec with NUL":           {replace(`"offset"`, `"compression-codec":"\u0000","offset"`), "U+0000"},
		"type with NUL":            {replace(`deletion-vector-v1`, `deletion-vector-v1\u0000`), "U+0000"},
		"name with NUL":            {replace(`:"f"`, `:"f\u0000"`), "U+0000"},
		"properties null":          {replace(`{`+named+`}`, `null`), "expected an object"},
		"properties an array":      {replace(`{`+named+`}`, `[]`), "expected an object"},
		"property a number":        {replace(`"cardinality":"1"`, `"cardinality":1`), "expected a string"},
		"unknown property null":    {replace(named, named+`,"x":null`), "expected a string"},
		"file property a number":   {strings.TrimSuffix(footerJSON(entry), "}") + `,"properties":{"x":1}}`, "expected a string"},
		"file properties twice":    {strings.TrimSuffix(footerJSON(entry), "}") + `,"properties":{},"properties":{}}`, "stands twice"},
		"blobs twice":              {`{"blobs":[],` + footerJSON(entry)[1:], "stands twice"},
		"blobs twice, escaped":     {`{"blob\u0073":[],` + footerJSON(entry)[1:], "stands twice"},
		"offset twice, escaped":    {replace(`"offset":4`, `"offset":4,"o\u0066fset":4`), "stands twice"},
		"type twice":               {replace(`"fields"`, `"type":"deletion-vector-v1","fields"`), "stands twice"},
		"fields twice":             {replace(`"fields"`, `"fields":[],"fields"`), "stands twice"},
		"length twice":             {replace(`"length"`, `"length":42,"length"`), "stands twice"},
		"snapshot twice":           {replace(`"snapshot-id"`, `"snapshot-id":1,"snapshot-id"`), "stands twice"},
		"sequence twice":           {replace(`"sequence-number"`, `"sequence-number":1,"sequence-number"`), "stands twice"},
		"properties twice":         {replace(`"properties"`, `"properties":{},"properties"`), "stands twice"},
		"name twice":               {replace(named, named+`,"referenced-data-file":"f"`), "stands twice"},
		"cardinality twice":        {replace(named, named+`,"cardinality":"1"`), "stands twice"},
		"invalid UTF-8 unknown":    {replace(`{"blobs"`, "{\"x\":\"\xff\",\"blobs\""), "UTF-8"},
		"overlong UTF-8":           {replace(`:"f"`, ":\"\xc0\xaf\""), "UTF-8"},
		"UTF-8 surrogate":          {replace(`:"f"`, ":\"\xed\xa0\x80\""), "UTF-8"},
		"lone low surrogate":       {replace(`:"f"`, `:"\udc00"`), "surrogate"},
		"lone surrogate in a name": {replace(`{"blobs"`, `{"\ud800":1,"blobs"`), "surrogate"},
		"blob null":                {footerJSON("null"), "expected an object"},
		"blob in a blob":           {footerJSON("[" + entry + "]"), "expected an object"},
		"trailing comma":           {footerJSON(entry, ""), "invalid JSON"},
		"no colon":                 {`{"blobs"[]}`, "invalid JSON"},
		"number as a name":         {`{1:2}`, "invalid JSON"},
		"NaN":                      {replace(`"offset":4`, `"offset":NaN`), "invalid JSON"},
		"offset 3":                 {footerJSON(entryJSON(3, 42, named)), "offset 3 and length 42, expected a range within [4, 46)"},
		"length -1":                {footerJSON(entryJSON(4, -1, named)), "length -1"},
		"empty in the footer":      {footerJSON(entryJSON(47, 0, named)), "offset 47"},
		"overflow":                 {replace(`"length":42`, `"length":9223372036854775807`), "range within"},
		"opaque blob out of place": {footerJSON(entry, strings.Replace(entryJSON(5, 42, ""), DeletionVector, "x", 1)), "blob 1"},
	}
	for _, name := range blobMembers {
		cases["no "+name] = struct{ payload, says string }{replace(`"`+name+`"`, `"`+name+`x"`), fmt.Sprintf("lacks the member %q", name)}
	}
	for what, c := range cases {
		t.Run(what, func(t *testing.T) {
			f, err := Open(storage.Memory(build(oneBlob, c.payload)))
			wantKind(t, err, fault.ErrCorrupt, "Puffin footer", "byte ", c.says)
			if f != nil {
				t.Fatal("a file came with the error")
			}
		})
	}
}

func TestAnEmptyBlobMayLieAtTheFooter(t *testing.T) {
	entry := strings.Replace(entryJSON(46, 0, ""), DeletionVector, "opaque", 1)
	f, err := Open(storage.Memory(build(oneBlob, footerJSON(entry))))
	if err != nil || len(f.Blobs()) != 1 {
		t.Fatal(err)
	}
}

func TestFlags(t *testing.T) {
	for bit := range 32 {
		raw := valid()
		raw[len(raw)-8+bit/8] |= 1 << (bit % 8)
		_, err := Open(storage.Memory(raw))
		if bit == 0 {
			wantKind(t, err, fault.ErrCorrupt, "LZ4 frame")
			continue
		}
		wantKind(t, err, fault.ErrUnsupported, fmt.Sprintf("byte %d: flags", len(raw)-8))
	}
}

func TestCompressedFooters(t *testing.T) {
	payload := footerJSON(entryJSON(4, 42, named))
	long := payload + strings.Repeat(" ", 300_000)
	for what, frame := range map[string]string{
		"plain":           deflate(t, payload),
		"size":            deflate(t, payload, lz4.SizeOption(uint64(len(payload)))),
		"block checksums": deflate(t, payload, lz4.BlockChecksumOption(true)),
		"no checksum":     deflate(t, payload, lz4.ChecksumOption(false)),
		"several blocks":  deflate(t, long, lz4.BlockSizeOption(lz4.Block64Kb)),
		"linked blocks":   deflate(t, long, lz4.BlockSizeOption(lz4.Block64Kb), lz4.SizeOption(uint64(len(long)))),
		"high":            deflate(t, long, lz4.CompressionLevelOption(lz4.Level9)),
	} {
		vectors, err := openAndReadAll(storage.Memory(build(oneBlob, frame, 1)))
		if err != nil || vectors != 1 {
			t.Errorf("%s: %d vectors, %v", what, vectors, err)
		}
	}
}

func TestCompressedFootersThatAreRefused(t *testing.T) {
	payload := footerJSON(entryJSON(4, 42, named))
	size := lz4.SizeOption(uint64(len(payload)))
	frame := deflate(t, payload, size)
	skippable := "\x50\x2a\x4d\x18\x00\x00\x00\x00"
	edit := func(at int, b byte) string { out := []byte(frame); out[at] = b; return string(out) }
	for what, bad := range map[string]string{
		"nothing":              "",
		"plain JSON":           payload,
		"two frames":           frame + frame,
		"an empty frame after": frame + deflate(t, ""),
		"skippable after":      frame + skippable,
		"skippable before":     skippable + frame,
		"legacy":               "\x02\x21\x4c\x18" + frame[4:],
		"a byte after":         frame + "\x00",
		"four bytes after":     frame + "\x00\x00\x00\x00",
		"version 2":            edit(4, 0x80|frame[4]&0x3f),
		"reserved flag":        edit(4, frame[4]|2),
		"block size 0":         edit(5, 0),
		"wrong header sum":     edit(14, frame[14]^1),
		"huge block":           frame[:15] + "\xff\xff\xff\x7f" + frame[19:],
		"short content size":   resize(frame, -1),
		"long content size":    resize(frame, 1),
		"absurd content size":  resize(frame, 1<<62),
		"content of garbage":   deflate(t, "garbage", lz4.SizeOption(7)),
		"content of nothing":   deflate(t, ""),
	} {
		t.Run(what, func(t *testing.T) {
			_, err := Open(storage.Memory(build(oneBlob, bad, 1)))
			wantKind(t, err, fault.ErrCorrupt, "Puffin footer", "byte ")
		})
	}
	for n := range len(frame) {
		if _, err := Open(storage.Memory(build(oneBlob, frame[:n], 1))); fault.Kind(err) != fault.ErrCorrupt {
			t.Errorf("the first %d bytes of a frame: %v", n, err)
		}
	}
}

// resize changes the content size of a frame that states one, and its header checksum.
func resize(frame string, by int64) string {
	out := []byte(frame)
	size := out[6:14]
	binary.LittleEndian.PutUint64(size, binary.LittleEndian.Uint64(size)+uint64(by))
	for sum := range 256 {
		out[14] = byte(sum)
		if _, err := lz4.NewReader(bytes.NewReader(out)).Read(make([]byte, 1)); err == nil || !strings.Contains(err.Error(), "header checksum") {
			return string(out)
		}
	}
	panic("no header checksum fits")
}

func TestAnLZ4BombIsNotInflated(t *testing.T) {
	bomb := strings.Repeat(" ", 64<<20) + footerJSON()
	claimed := deflate(t, bomb, lz4.SizeOption(uint64(len(bomb))))
	_, err := Open(storage.Memory(build(nil, claimed, 1)))
	wantKind(t, err, fault.ErrLimit, fmt.Sprintf("content size %d", len(bomb)))
	silent := deflate(t, bomb)
	_, err = Open(storage.Memory(build(nil, silent, 1)))
	wantKind(t, err, fault.ErrLimit, "inflates to more than")
	under := deflate(t, strings.Repeat(" ", 8<<20)+footerJSON())
	if _, err := Open(storage.Memory(build(nil, under, 1))); err != nil {
		t.Fatalf("within the bound: %v", err)
	}
}

func TestOffsetsInMessagesAreThoseOfTheFile(t *testing.T) {
	payload := footerJSON(entryJSON(4, 42, named), "17")
	raw := build(oneBlob, payload)
	_, err := Open(storage.Memory(raw))
	at := 4 + 42 + 4 + strings.Index(payload, "17")
	wantKind(t, err, fault.ErrCorrupt, fmt.Sprintf("blob 1: byte %d: found 17", at))
	_, err = Open(storage.Memory(build(oneBlob, deflate(t, payload), 1)))
	wantKind(t, err, fault.ErrCorrupt, fmt.Sprintf("blob 1: byte %d of the inflated payload: found 17", strings.Index(payload, "17")))
}

// TestAnOpenedFileKeepsNothingOfItsSource overwrites the memory that a file was opened from.
func TestAnOpenedFileKeepsNothingOfItsSource(t *testing.T) {
	payload := footerJSON(entryJSON(4, 42, named), strings.Replace(entryJSON(4, 42, ""), DeletionVector, "another-type", 1))
	for what, raw := range map[string][]byte{
		"plain":      build(oneBlob, payload),
		"escapes":    build(oneBlob, strings.Replace(payload, `"f"`, `"\u0066"`, 1)),
		"compressed": build(oneBlob, deflate(t, payload), 1),
	} {
		f, err := Open(storage.Memory(raw))
		ok(t, err)
		for i := range raw {
			raw[i] = 'x'
		}
		b := f.Blobs()
		if len(b) != 2 || b[0].DataFile != "f" || b[0].Type != DeletionVector || b[1].Type != "another-type" {
			t.Errorf("%s: %+v", what, b)
		}
		if !strings.Contains(string(f.FooterJSON()), "another-type") {
			t.Errorf("%s: %s", what, f.FooterJSON())
		}
	}
}
