package hostile

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

func (t *table) delta(name string, file []byte, offset, size, expected int64) {
	t.add(Case{Name: "delta/" + name, How: Delta, Status: judgeDelta(file, offset, size, expected),
		Offset: offset, Size: size, Cardinality: expected, Data: file})
}

// fits32 are the arguments that an int32 parameter can have.
func fits32(n int64) bool { return n == int64(int32(n)) }

// deltas breaks vector files.
func (t *table) deltas() {
	first, second := frame(one), frame(runs)
	file := deltaFile(first, second)
	t.delta("first", file, 1, 34, 1)
	t.delta("second", file, 43, int64(len(second)-8), 16)
	t.delta("nothing-known", file, Unknown, Unknown, Unknown)
	alone := deltaFile(first)
	for name, size := range inOrder(map[string]int64{"known": 34, "unknown": Unknown}) {
		cuts(alone, func(change string, data []byte) { t.delta(name+"/"+change, data, 1, size, 1) })
		flips(alone, func(change string, data []byte) { t.delta(name+"/"+change, data, 1, size, 1) })
		for _, n := range extremes32 {
			t.delta(fmt.Sprintf("%s/size-field-%x", name, n), put(alone, 1, be32(n)...), 1, size, 1)
		}
	}
	for _, n := range extremes32 {
		if int32(n) >= 0 {
			t.delta(fmt.Sprintf("agreed-size-%x", n), put(alone, 1, be32(n)...), 1, int64(n), 1)
		}
	}
	for _, n := range slices.DeleteFunc(slices.Clone(arguments), func(n int64) bool { return !fits32(n) }) {
		t.delta(fmt.Sprintf("offset-%d", n), file, n, 34, 1)
		t.delta(fmt.Sprintf("offset-%d-size-unknown", n), file, n, Unknown, Unknown)
		t.delta(fmt.Sprintf("size-%d", n), file, 1, n, 1)
	}
	for _, n := range arguments {
		t.delta(fmt.Sprintf("cardinality-%d", n), file, 1, 34, n)
	}
	for _, padding := range []string{"\x00", "\x00\x00\x00", strings.Repeat("\x00", 99), "\x01", "\x00\x01", "\x00\x00\xff\x00"} {
		record := frame(append(slices.Clone(one), padding...))
		t.delta(fmt.Sprintf("padded-%x", padding), deltaFile(record), 1, int64(len(record)-8), 1)
	}
	for _, m := range [][]byte{nativeMagic, nativeBigEndian, {0x64, 0x39, 0xd3, 0xd1}, {0, 0, 0, 0}} {
		t.delta(fmt.Sprintf("magic-%x", m), deltaFile(frameAs(m, one)), 1, 34, 1)
		t.delta(fmt.Sprintf("magic-%x-alone", m), deltaFile(frameAs(m, nil)), 1, 4, Unknown)
	}
	t.delta("version-alone", []byte{1}, Unknown, Unknown, Unknown)
	t.delta("puffin-file", puffinFile(first, payload, 0), 4, 34, 1)
}

func (t *table) inline(name, text string, size, expected int64) {
	t.add(Case{Name: "inline/" + name, How: Inline, Status: judgeInline([]byte(text), size, expected),
		Offset: Unknown, Size: size, Cardinality: expected, Data: []byte(text)})
}

// inlines breaks inline vectors.
func (t *table) inlines() {
	text, size := inlineText(append(slices.Clone(magic), one...))
	t.inline("whole", text, size, 1)
	t.inline("empty", "", 0, 0)
	t.inline("empty-cardinality-1", "", 0, 1)
	t.inline("empty-size-1", "", 1, 0)
	cuts([]byte(text), func(change string, data []byte) {
		if len(data) > 0 {
			t.inline(change, string(data), size, 1)
		}
	})
	flips([]byte(text), func(change string, data []byte) { t.inline(change, string(data), size, 1) })
	for _, n := range arguments {
		if fits32(n) && n >= 0 {
			t.inline(fmt.Sprintf("size-%d", n), text, n, 1)
		}
		t.inline(fmt.Sprintf("cardinality-%d", n), text, size, n)
	}
	for _, foreign := range []string{" ", "\n", "\x00", "~", "|", "_", "`", "'", `"`, ",", ";", `\`, "\x7f", "\x80", "\xff", "é"} {
		t.inline("foreign-"+token(foreign), foreign+text[len(foreign):], size, 1)
		t.inline("foreign-end-"+token(foreign), text[:len(text)-len(foreign)]+foreign, size, 1)
	}
	for _, group := range []string{"%nSc0", "%nSc1", "#####", "@####"} { // the first is 2^32 - 1
		t.inline("group-"+token(group), group+text[5:], size, 1)
		t.inline("group-end-"+token(group), text[:len(text)-5]+group, size, 1)
	}
	for n := range 6 { // zero bytes that the size counts
		padded, counted := inlineText(append(slices.Concat(magic, one), make([]byte, n+1)...))
		t.inline(fmt.Sprintf("padded-%d", n+1), padded, counted, 1)
	}
	for _, m := range [][]byte{nativeMagic, nativeBigEndian, {0x64, 0x39, 0xd3, 0xd1}} {
		other, size := inlineText(slices.Concat(m, one))
		t.inline(fmt.Sprintf("magic-%x", m), other, size, 1)
	}
	framed, counted := inlineText(frame(one))
	t.inline("framed", framed, counted, 1)
	bomb := slices.Concat(magic, binary.LittleEndian.AppendUint64(nil, 1<<40))
	huge, counted := inlineText(bomb)
	t.inline("count-2-40", huge, counted, Unknown)
}

// uuidDescriptor points at the first record of a file; every value in it that a case replaces stands once.
const uuidDescriptor = `{"storageType":"u","pathOrInlineDv":"ab^-aqEH.-t@S}K{vb[*k^","offset":1,"sizeInBytes":34,"cardinality":1}`

func (t *table) descriptor(name, status, json string) {
	t.add(Case{Name: "descriptor/" + name, How: Descriptor, Status: status,
		Offset: Unknown, Size: Unknown, Cardinality: Unknown, Data: []byte(json)})
}

// descriptors breaks descriptors: what the caller hands over is an argument, whatever is wrong with it.
func (t *table) descriptors() {
	t.descriptor("whole", OK, uuidDescriptor)
	cuts([]byte(uuidDescriptor), func(change string, data []byte) { t.descriptor(change, Invalid, string(data)) })
	change := func(name, status, old, new string) {
		if strings.Count(uuidDescriptor, old) != 1 {
			panic(old + " does not stand once in the descriptor")
		}
		t.descriptor(name, status, strings.Replace(uuidDescriptor, old, new, 1))
	}
	for at := range len(uuidDescriptor) {
		t.descriptor(fmt.Sprintf("flip-%03d.7", at), Invalid, string(put([]byte(uuidDescriptor), at, uuidDescriptor[at]|0x80)))
	}
	for _, kind := range []string{`""`, `"U"`, `"x"`, `"uu"`, `"ü"`, `"\u0000"`} {
		change("type-"+token(kind), Unsupported, `"u"`, kind)
	}
	for _, kind := range []string{"null", "1", `["u"]`} {
		change("type-"+token(kind), Invalid, `"u"`, kind)
	}
	const path = `"ab^-aqEH.-t@S}K{vb[*k^"`
	for _, text := range []string{`""`, `"a"`, `"^-aqEH.-t@S}K{vb[*k"`, `"~-aqEH.-t@S}K{vb[*k^"`, `"#####H.-t@S}K{vb[*k^"`, `"\u0000^-aqEH.-t@S}K{vb[*k^"`,
		`"/ab^-aqEH.-t@S}K{vb[*k^"`, "null", "1", `"\ud800^-aqEH.-t@S}K{vb[*k^"`} {
		change("path-"+token(text), Invalid, path, text)
	}
	numbers := func(member, was string, status string, values ...string) {
		for _, value := range values {
			change(member+"-"+token(value), status, `"`+member+`":`+was, `"`+member+`":`+value)
		}
	}
	bad := []string{"-1", "-2147483649", "1.0", "1e0", "01", "+1", `"1"`, "true", "[]", "{}", "", "9223372036854775808", "99999999999999999999999"}
	numbers("offset", "1", OK, "0", "2147483647", "null")
	numbers("sizeInBytes", "34", OK, "0", "2147483647")
	numbers("cardinality", "1", OK, "0", "9223372036854775807")
	numbers("offset", "1", Invalid, append(bad, "2147483648")...)
	numbers("sizeInBytes", "34", Invalid, append(bad, "2147483648", "null")...)
	numbers("cardinality", "1", Invalid, append(bad, "null")...)
	change("offset-missing", OK, `"offset":1,`, "")
	change("offset-twice", Invalid, `"offset":1,`, `"offset":1,"offset":1,`)
	change("size-missing", Invalid, `"sizeInBytes":34,`, "")
	change("size-twice", Invalid, `"sizeInBytes":34,`, `"sizeInBytes":34,"sizeInBytes":34,`)
	change("size-capital", Invalid, `"sizeInBytes"`, `"SizeInBytes"`)
	change("cardinality-missing", Invalid, `,"cardinality":1`, "")
	change("unknown-member", OK, `"offset":1,`, `"offset":1,"x":{"offset":2,"y":[1,{}]},`)
	for _, tail := range []string{"x", "{}", ",", "}"} {
		t.descriptor("behind-"+token(tail), Invalid, uuidDescriptor+tail)
	}
	for _, json := range []string{"", " ", "null", "[]", "1", `""`, "{}", "{", "\ufeff{}"} {
		t.descriptor("no-"+token(json), Invalid, json)
	}
	change("deep", Invalid, `"offset":1,`, `"x":`+strings.Repeat("[", 10100)+strings.Repeat("]", 10100)+",")
	t.descriptor("inline-with-offset", Invalid, `{"storageType":"i","pathOrInlineDv":"","offset":1,"sizeInBytes":0,"cardinality":0}`)
	t.descriptor("relative-absolute", Invalid, `{"storageType":"r","pathOrInlineDv":"s3://b/x","offset":1,"sizeInBytes":34,"cardinality":1}`)
	t.descriptor("absolute-relative", Invalid, `{"storageType":"p","pathOrInlineDv":"b/x","offset":1,"sizeInBytes":34,"cardinality":1}`)
	t.descriptorReads()
}

// descriptorReads reads what descriptors point at.
func (t *table) descriptorReads() {
	read := func(name, status, json string, file []byte) {
		t.add(Case{Name: "descriptor-read/" + name, How: DescriptorRead, Status: status,
			Offset: Unknown, Size: Unknown, Cardinality: Unknown, Text: json, Data: file})
	}
	file := deltaFile(frame(one))
	of := func(offset, size, cardinality int64) string {
		return fmt.Sprintf(`{"storageType":"r","pathOrInlineDv":"x","offset":%d,"sizeInBytes":%d,"cardinality":%d}`, offset, size, cardinality)
	}
	for _, n := range arguments {
		if n >= 0 && fits32(n) {
			read(fmt.Sprintf("offset-%d", n), judgeDelta(file, n, 34, 1), of(n, 34, 1), file)
			read(fmt.Sprintf("size-%d", n), judgeDelta(file, 1, n, 1), of(1, n, 1), file)
		}
		if n >= 0 {
			read(fmt.Sprintf("cardinality-%d", n), judgeDelta(file, 1, 34, n), of(1, 34, n), file)
		}
	}
	cuts(file, func(change string, data []byte) { read(change, Corrupt, of(1, 34, 1), data) })
	text, size := inlineText(slices.Concat(magic, one))
	for _, c := range []struct {
		name, text        string
		size, cardinality int64
	}{
		{"inline", text, size, 1}, {"inline-size", text, size + 1, 1}, {"inline-cardinality", text, size, 2}, {"inline-cut", text[:40], size - 4, 1},
		{"inline-foreign", "~" + text[1:], size, 1}, {"inline-empty", "", 0, 0}, {"inline-lost", "", 34, 1},
	} {
		json := fmt.Sprintf(`{"storageType":"i","pathOrInlineDv":"%s","sizeInBytes":%d,"cardinality":%d}`, c.text, c.size, c.cardinality)
		read(c.name, judgeInline([]byte(c.text), c.size, c.cardinality), json, nil)
	}
}
