package hostile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// Worst makes the inputs that cost a reader most memory for their size, about size bytes each, one after the other: they
// are large. What they end with is in the case like in the table.
func Worst(size int, yield func(Case)) {
	w := worst{size: size, yield: yield}
	w.vectors()
	w.footers()
	w.texts()
	w.mumblings()
	w.inflating()
}

type worst struct {
	size  int
	yield func(Case)
}

func (w *worst) add(c Case) { w.yield(c) }

func (w *worst) one(name, how, status string, data []byte) {
	w.add(Case{Name: name, How: how, Status: status, Offset: Unknown, Size: Unknown, Cardinality: Unknown, Data: data})
}

// single is a 32-bit bitmap of n containers of one value each, 10 bytes a container: the most containers that bytes with
// offsets can hold.
func single(n int) []byte {
	out := append(le32(12346), le32(uint32(n))...)
	for i := range n {
		out = append(out, byte(i), byte(i>>8), 0, 0)
	}
	for i := range n {
		out = append(out, le32(uint32(8+8*n+2*i))...)
	}
	return append(out, make([]byte, 2*n)...)
}

// three is a 32-bit bitmap of three containers of one value, 23 bytes: those of the run cookie have no offsets.
var three = unhex("3b300200" + "00" + "00000000" + "01000000" + "02000000" + "000000000000")

// bitmapOf repeats a 32-bit bitmap under ascending keys up to about size bytes.
func bitmapOf(bitmap32 []byte, size int) []byte {
	n := max(size/(4+len(bitmap32)), 1)
	out := make([]byte, 0, 8+n*(4+len(bitmap32)))
	out = binary.LittleEndian.AppendUint64(out, uint64(n))
	for key := range n {
		out = binary.LittleEndian.AppendUint32(out, uint32(key))
		out = append(out, bitmap32...)
	}
	return out
}

// vectors are bitmaps of the smallest containers, in every wrapping. A wrong last byte makes a reader do all its work for
// nothing.
func (w *worst) vectors() {
	bitmaps := map[string][]byte{
		"single": bitmapOf(single(min(1<<16, max(w.size/10, 1))), w.size),
		"three":  bitmapOf(three, w.size),
		"none":   bitmapOf(unhex("3a30000000000000"), w.size),
	}
	for name, b := range inOrder(bitmaps) {
		w.one("bitmap-"+name, Bitmap, OK, b)
		w.one("bitmap-trailing-"+name, Bitmap, Corrupt, append(bytes.Clone(b), 0))
		blob := frame(b)
		w.one("blob-"+name, Blob, OK, blob)
		w.one("view-"+name, View, OK, blob)
		w.add(Case{Name: "range-" + name, How: Range, Status: OK, Size: int64(len(blob)), Cardinality: Unknown, Data: blob})
		w.add(Case{Name: "delta-" + name, How: Delta, Status: OK, Offset: 1, Size: int64(len(blob) - 8), Cardinality: Unknown, Data: deltaFile(blob)})
		w.one("delta-nothing-known-"+name, Delta, OK, deltaFile(blob))
		text, counted := inlineText(blob[4 : len(blob)-4])
		w.add(Case{Name: "inline-" + name, How: Inline, Status: OK, Offset: Unknown, Size: counted, Cardinality: Unknown, Data: []byte(text)})
		w.one("inline-nothing-known-"+name, Inline, OK, []byte(text))
		padded, _ := inlineText(append(bytes.Clone(blob[4:len(blob)-4]), 0, 0, 0, 0))
		w.one("inline-zeros-"+name, Inline, Corrupt, []byte(padded))
		entry := strings.Replace(strings.Replace(payload, `"length":42`, fmt.Sprintf(`"length":%d`, len(blob)), 1), `,"cardinality":"1"`, "", 1)
		w.one("puffin-"+name, Puffin, OK, puffinFile(blob, entry, 0))
	}
}

// footers are Puffin files that are all footer.
func (w *worst) footers() {
	const least = `{"type":"x","fields":[],"snapshot-id":0,"sequence-number":0,"offset":4,"length":0}`
	list := func(blob string) string {
		return `{"blobs":[` + strings.TrimSuffix(strings.Repeat(blob+",", max(w.size/(len(blob)+1), 1)), ",") + `]}`
	}
	member := func(value string) string { return `{"x":` + value + `,"blobs":[]}` }
	texts := map[string]string{
		"blobs":      list(least),
		"two-texts":  list(strings.Replace(least, `"x"`, `"y","compression-codec":""`, 1)),
		"names":      list(strings.Replace(least, `}`, `,"properties":{"referenced-data-file":"z"}}`, 1)),
		"fields":     `{"blobs":[` + strings.Replace(least, "[]", "["+strings.TrimSuffix(strings.Repeat("1,", w.size/2), ",")+"]", 1) + `]}`,
		"arrays":     member("[" + strings.TrimSuffix(strings.Repeat("[],", w.size/3), ",") + "]"),
		"objects":    member("[" + strings.TrimSuffix(strings.Repeat("{},", w.size/3), ",") + "]"),
		"deep":       member(strings.Repeat("[", min(w.size/2, 9000)) + strings.Repeat("]", min(w.size/2, 9000))),
		"members":    member("{" + uniqueMembers(w.size) + "}"),
		"properties": `{"blobs":[],"properties":{` + strings.TrimSuffix(strings.Repeat(`"a":"b",`, w.size/8), ",") + `}}`,
		"long-type":  `{"blobs":[` + strings.Replace(least, `"x"`, `"`+strings.Repeat("x", w.size)+`"`, 1) + `]}`,
		"escapes":    `{"blobs":[` + strings.Replace(least, `"x"`, `"`+strings.Repeat(`\t`, w.size/2)+`"`, 1) + `]}`,
	}
	for name, text := range inOrder(texts) {
		w.one("puffin-footer-"+name, Puffin, OK, puffinFile(nil, text, 0))
	}
	for _, name := range []string{"blobs", "two-texts", "names"} {
		w.one("puffin-footer-cut-"+name, Puffin, Corrupt, puffinFile(nil, texts[name][:len(texts[name])-1], 0))
	}
}

// uniqueMembers fills an object with members of different names, for readers that look for duplicates.
func uniqueMembers(size int) string {
	var out strings.Builder
	for i := 0; out.Len() < size; i++ {
		fmt.Fprintf(&out, `"%x":0,`, i)
	}
	return strings.TrimSuffix(out.String(), ",")
}

// texts are the caller's JSON.
func (w *worst) texts() {
	descriptor := func(members string) string {
		return `{` + members + `"storageType":"p","pathOrInlineDv":"/x","sizeInBytes":0,"cardinality":0}`
	}
	w.one("descriptor-members", Descriptor, OK, []byte(descriptor(uniqueMembers(w.size)+",")))
	w.one("descriptor-nested", Descriptor, OK, []byte(descriptor(`"x":{`+uniqueMembers(w.size)+`},`)))
	w.one("descriptor-path", Descriptor, OK, []byte(strings.Replace(descriptor(""), "/x", "/"+strings.Repeat("x", w.size), 1)))
	w.one("descriptor-escapes", Descriptor, OK, []byte(strings.Replace(descriptor(""), "/x", "/"+strings.Repeat(`\\`, w.size/2), 1)))
	text, counted := inlineText(append(bytes.Clone(magic), bitmapOf(three, w.size)...))
	inline := fmt.Sprintf(`{"storageType":"i","pathOrInlineDv":"%s","sizeInBytes":%d,"cardinality":%d}`, text, counted, 3*max(w.size/27, 1))
	w.one("descriptor-inline", Descriptor, OK, []byte(inline))
	w.add(Case{Name: "descriptor-read-inline", How: DescriptorRead, Status: OK, Offset: Unknown, Size: Unknown, Cardinality: Unknown,
		Data: []byte(inline)})

	var specs, fields strings.Builder
	for i := 0; specs.Len() < w.size; i++ {
		fmt.Fprintf(&specs, `{"spec-id":%d,"fields":[]},`, i)
	}
	for i := 0; fields.Len() < w.size; i++ {
		fmt.Fprintf(&fields, `{"field-id":%d},`, i)
	}
	w.one("specs-many", Specs, OK, []byte("["+strings.TrimSuffix(specs.String(), ",")+"]"))
	w.one("specs-fields", Specs, OK, []byte(`[{"spec-id":0,"fields":[`+strings.TrimSuffix(fields.String(), ",")+"]}]"))
	w.one("specs-unknown", Specs, OK, []byte(`[{"x":{`+uniqueMembers(w.size)+`},"spec-id":0,"fields":[]}]`))
}

// mumblings have all containers that there can be.
func (w *worst) mumblings() {
	full := bytes.Repeat([]byte{0xff}, 8192*32)
	head := append(unhex("010000200020"), unhex(strings.Repeat("000020", 32))...)
	w.one("mumbling-full", Mumbling, OK, append(bytes.Clone(head), full...))
	w.one("mumbling-trailing", Mumbling, Corrupt, append(append(head, full...), make([]byte, w.size)...))
}

// inflating are Puffin files whose footers are LZ4 frames of almost nothing: minimal blobs, told in matches. The one is as
// long inflated as is allowed, the other longer.
func (w *worst) inflating() {
	const most = 8 << 20
	w.one("puffin-lz4", Puffin, OK, inflating(most))
	w.one("puffin-lz4-beyond", Puffin, Limit, inflating(2*most))
}

func inflating(size int) []byte {
	const blob = `{"type":"x","fields":[],"snapshot-id":0,"sequence-number":0,"offset":4,"length":0},`
	const last = `{"type":"x","fields":[],"snapshot-id":0,"sequence-number":0,"offset":4,"length":0}]}`
	head := `{"blobs":[` + blob
	repeats := max((size-len(head)-len(last))/len(blob), 1)
	text := head + strings.Repeat(blob, repeats) + last
	frame := []byte{0x04, 0x22, 0x4d, 0x18, 0x40, 0x70} // version 1, dependent blocks of up to 4 MiB
	frame = append(frame, byte(xxh32(frame[4:6])>>8))
	const most = 4 << 20
	for at := 0; at < len(text); at += most {
		part := text[at:min(at+most, len(text))]
		block := lz4Periodic(part, len(blob), at)
		frame = append(append(frame, le32(uint32(len(block)))...), block...)
	}
	return puffinFile(nil, string(append(frame, 0, 0, 0, 0)), 1)
}

// lz4Periodic is an LZ4 block of text, which repeats itself after period bytes save for its start and end.
func lz4Periodic(text string, period, before int) []byte {
	literals := 0
	if before == 0 {
		literals = len(`{"blobs":[`) + period
	}
	tail := 2 * period // its last part is none of the period's
	match := len(text) - literals - tail
	out := lz4Length(nil, literals, match-4)
	out = append(out, text[:literals]...)
	out = append(out, byte(period), byte(period>>8))
	for rest := match - 4 - 15; rest >= 0; rest -= 255 {
		out = append(out, byte(min(rest, 255)))
	}
	out = lz4Length(out, tail, 0)
	return append(out, text[len(text)-tail:]...)
}

// lz4Length begins a sequence: its token, with a match of 15 and more where there is one, and the number of literals.
func lz4Length(out []byte, literals, match int) []byte {
	token := byte(min(literals, 15) << 4)
	if match > 0 {
		token |= 15
	}
	out = append(out, token)
	if literals >= 15 {
		for rest := literals - 15; ; rest -= 255 {
			out = append(out, byte(min(rest, 255)))
			if rest < 255 {
				break
			}
		}
	}
	return out
}
