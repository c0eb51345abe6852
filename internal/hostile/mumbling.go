package hostile

import (
	"fmt"
	"slices"
	"strings"
)

// places is a sparse container of {0, 34, 255}, a dense one of {256..287}, a sparse one of {521}: its descriptors are not
// all alike, so that they have a chunk with values in it.
var places = unhex("01" + "240000" + "0300" + "060000" + "0e0040" + "0022ff" + "ffffffff" + strings.Repeat("00", 28) + "09")

// exceptions is a PFOR chunk of six values with one exception: 1 2 3 130 1 0.
var exceptions = unhex("620100" + "6e40" + "03" + "80")

func (t *table) mumbling(name string, data []byte) {
	t.add(Case{Name: "mumbling/" + name, How: Mumbling, Status: judgeMumbling(data),
		Offset: Unknown, Size: Unknown, Cardinality: Unknown, Data: data})
}

// mumblings breaks Mumbling bitmaps.
func (t *table) mumblings() {
	empty := unhex("010000000000")
	t.mumbling("empty", empty)
	t.mumbling("places", places)
	t.mumbling("places-trailing-0", append(put(places, 0), 0))
	cuts(empty, func(change string, data []byte) { t.mumbling("empty/"+change, data) })
	cuts(places, func(change string, data []byte) { t.mumbling("places/"+change, data) })
	flips(places[:15], func(change string, data []byte) { t.mumbling("places/"+change, slices.Concat(data, places[15:])) })
	flips(places[44:], func(change string, data []byte) { t.mumbling("places/end-"+change, slices.Concat(places[:44], data)) })
	for version := range 8 {
		t.mumbling(fmt.Sprintf("version-%d", 1<<version-1), put(places, 0, byte(1<<version-1)))
	}
	for _, n := range []uint32{0, 1, 35, 36, 37, 768, 769, 2097151, 2097152, 2097153, 1<<23 - 1, 1 << 23, 1<<24 - 1} {
		t.mumbling(fmt.Sprintf("cardinality-%d", n), put(places, 1, le32(n)[:3]...))
		t.mumbling(fmt.Sprintf("empty-cardinality-%d", n), put(empty, 1, le32(n)[:3]...))
	}
	for _, n := range append(extremes16, 8193) {
		t.mumbling(fmt.Sprintf("containers-%d", n), put(places, 4, le16(n)...))
		t.mumbling(fmt.Sprintf("empty-containers-%d", n), put(empty, 4, le16(n)...))
		zeros := slices.Concat(put(empty, 4, le16(n)...), make([]byte, (int(n)+255)/256*3))
		if len(zeros) < 200 {
			t.mumbling(fmt.Sprintf("zero-containers-%d", n), zeros)
		}
	}
	// All that 8,192 containers can be made of few bytes: dense ones, by frames alone, and nothing behind them.
	t.mumbling("8192-dense", slices.Concat(unhex("010000200020"), unhex(strings.Repeat("000020", 32))))
	t.mumbling("8192-sparse", slices.Concat(unhex("010000200020"), unhex(strings.Repeat("00001f", 32))))
	t.mumbling("8192-empty", slices.Concat(unhex("010000000020"), unhex(strings.Repeat("000000", 32))))
	for widths := range 256 {
		t.mumbling(fmt.Sprintf("widths-%02x", widths), put(places, 6, byte(widths)))
	}
	for _, n := range []byte{1, 2, 3, 4, 128, 255} {
		t.mumbling(fmt.Sprintf("exceptions-%d", n), put(places, 7, n))
		t.mumbling(fmt.Sprintf("exceptions-wide-%d", n), put(places, 6, 0x26, n))
	}
	for _, n := range []byte{1, 32, 64, 128, 223, 224, 255} {
		t.mumbling(fmt.Sprintf("frame-%d", n), put(places, 8, n))
	}
	single := func(descriptor byte, container []byte, cardinality byte) []byte {
		return slices.Concat([]byte{1, cardinality, 0, 0, 1, 0, 0, 0, descriptor}, container)
	}
	for n := range 34 { // places in a dense container: 32 and more belong there
		bits := make([]byte, 32)
		for place := range n {
			bits[place/8] |= 0x80 >> (place % 8)
		}
		t.mumbling(fmt.Sprintf("dense-%d", n), single(0x20, bits, byte(n)))
	}
	for descriptor := 0; descriptor < 256; descriptor += 16 {
		container := make([]byte, 32)
		for i := range container {
			container[i] = byte(8*i + 7)
		}
		t.mumbling(fmt.Sprintf("descriptor-%02x", descriptor), single(byte(descriptor), container[:min(descriptor, 32)], byte(descriptor)))
	}
	for _, sparse := range []string{"0000", "0100", "ffff", "00ff", "000102", "000201", "ff0001", "0001ff", "050505"} {
		container := unhex(sparse)
		t.mumbling("sparse-"+sparse, single(byte(len(container)), container, byte(len(container))))
	}
}

func (t *table) pfor(name string, data []byte, count int64) {
	status := Corrupt
	if _, _, ok := judgePFOR(data, int(count)); ok {
		status = OK
	}
	t.add(Case{Name: "pfor/" + name, How: PFOR, Status: status, Offset: Unknown, Size: count, Cardinality: Unknown, Data: data})
}

// pfors breaks codings of six values.
func (t *table) pfors() {
	raw := unhex("080000" + "010203ff0100")
	for name, coding := range inOrder(map[string][]byte{"exceptions": exceptions, "raw": raw}) {
		t.pfor(name+"/whole", coding, 6)
		t.pfor(name+"/more", append(put(coding, 0), 0xff), 6)
		cuts(coding, func(change string, data []byte) { t.pfor(name+"/"+change, data, 6) })
		flips(coding, func(change string, data []byte) { t.pfor(name+"/"+change, data, 6) })
		for widths := range 256 {
			t.pfor(fmt.Sprintf("%s/widths-%02x", name, widths), put(coding, 0, byte(widths)), 6)
		}
		for count := range int64(17) {
			t.pfor(fmt.Sprintf("%s/count-%d", name, count), coding, count)
		}
		for _, count := range []int64{255, 256, 257, 512, 65536} {
			t.pfor(fmt.Sprintf("%s/count-%d", name, count), coding, count)
		}
	}
	two := slices.Concat(unhex("000007"), unhex("000000")) // 256 times 7, then zeros
	t.pfor("two-chunks", two, 300)
	t.pfor("two-chunks-cut", two[:5], 300)
	t.pfor("two-chunks-second-missing", two[:3], 257)
	t.pfor("second-b1-9", put(two, 3, 9), 300)
	for _, offsets := range []string{"00", "05", "06", "ff"} {
		t.pfor("exception-at-"+offsets, put(exceptions, 5, unhex(offsets)...), 6)
	}
	t.pfor("exception-twice", unhex("620200"+"6e40"+"0303"+"8200"), 6)
	t.pfor("exceptions-descend", unhex("620200"+"6e40"+"0301"+"8200"), 6)
	t.pfor("exceptions-of-0-bits", unhex("020200"+"6e40"+"0301"), 6)
	t.pfor("more-exceptions-than-values", unhex("620700"+"6e40"+"00010203040506"+"000000000000"), 6)
	for _, least := range []byte{1, 125, 126, 255} {
		t.pfor(fmt.Sprintf("frame-%d", least), put(exceptions, 2, least), 6)
	}
}
