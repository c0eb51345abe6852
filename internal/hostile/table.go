package hostile

import "fmt"

// table collects cases under a common name.
type table struct {
	cases []Case
	names map[string]bool
}

func (t *table) add(c Case) {
	if t.names[c.Name] {
		panic("two inputs are named " + c.Name)
	}
	t.names[c.Name] = true
	t.cases = append(t.cases, c)
}

// All makes every case of the table.
func All() ([]Case, error) {
	golden, err := goldenCases()
	if err != nil {
		return nil, err
	}
	t := &table{names: map[string]bool{}}
	for _, c := range golden {
		t.add(c)
	}
	t.bitmaps()
	t.blobs()
	t.ranges()
	t.puffins()
	t.footers()
	t.entries()
	t.deltas()
	t.inlines()
	t.descriptors()
	t.mumblings()
	t.pfors()
	t.specs()
	return t.cases, nil
}

// bitmap adds a bare bitmap.
func (t *table) bitmap(name string, data []byte) {
	t.add(Case{Name: "bitmap/" + name, How: Bitmap, Status: judgeBareBitmap(data),
		Offset: Unknown, Size: Unknown, Cardinality: Unknown, Data: data})
}

// blob adds a blob.
func (t *table) blob(name string, data []byte, expected int64) {
	t.add(Case{Name: "blob/" + name, How: Blob, Status: judgeBlob(data, expected, false),
		Offset: Unknown, Size: Unknown, Cardinality: expected, Data: data})
}

func (t *table) bitmaps() {
	for name, b := range inOrder(map[string][]byte{"empty": emptyBitmap, "one": one, "runs": runs, "four": four}) {
		t.bitmap(name+"/whole", b)
		t.bitmap(name+"/trailing-0", append(put(b, 0), 0))
		cuts(b, func(change string, data []byte) { t.bitmap(name+"/"+change, data) })
		if name != "four" {
			flips(b, func(change string, data []byte) { t.bitmap(name+"/"+change, data) })
		}
	}
	for _, n := range extremes64 {
		t.bitmap(fmt.Sprintf("one/count-%x", n), put(one, 0, le64(n)...))
		t.bitmap(fmt.Sprintf("runs/count-%x", n), put(runs, 0, le64(n)...))
	}
	for _, n := range extremes32 {
		t.bitmap(fmt.Sprintf("one/key-%x", n), put(one, 8, le32(n)...))
		t.bitmap(fmt.Sprintf("one/cookie-%x", n), put(one, 12, le32(n)...))
		t.bitmap(fmt.Sprintf("one/containers-%x", n), put(one, 16, le32(n)...))
		t.bitmap(fmt.Sprintf("one/offset-%x", n), put(one, 24, le32(n)...))
		t.bitmap(fmt.Sprintf("runs/second-key-%x", n), put(runs, 31, le32(n)...))
	}
	for _, n := range extremes16 {
		t.bitmap(fmt.Sprintf("one/cardinality-%x", n), put(one, 22, le16(n)...))
		t.bitmap(fmt.Sprintf("runs/containers-%x", n), put(runs, 14, le16(n)...))
		t.bitmap(fmt.Sprintf("runs/cardinality-%x", n), put(runs, 19, le16(n)...))
		t.bitmap(fmt.Sprintf("runs/run-count-%x", n), put(runs, 21, le16(n)...))
		t.bitmap(fmt.Sprintf("runs/first-length-%x", n), put(runs, 25, le16(n)...))
		t.bitmap(fmt.Sprintf("runs/second-start-%x", n), put(runs, 27, le16(n)...))
		t.bitmap(fmt.Sprintf("four/third-key-%x", n), put(four, 25, le16(n)...))
	}
	largest := put(put(one, 8, le32(0x7FFFFFFE)...), 20, le16(0x8000)...) // the container that the largest position is in
	for _, low := range []uint16{0, 1, 65535} {
		t.bitmap(fmt.Sprintf("largest/%d", low), put(largest, 28, le16(low)...))
	}
}

func (t *table) blobs() {
	for name, b := range inOrder(map[string][]byte{"empty": frame(emptyBitmap), "one": frame(one)}) {
		cuts(b, func(change string, data []byte) { t.blob(name+"/"+change, data, Unknown) })
		flips(b, func(change string, data []byte) { t.blob(name+"/"+change, data, Unknown) })
		for _, n := range extremes32 {
			t.blob(fmt.Sprintf("%s/length-%x", name, n), put(b, 0, be32(n)...), Unknown)
			t.blob(fmt.Sprintf("%s/crc-%x", name, n), put(b, len(b)-4, be32(n)...), Unknown)
		}
		for _, n := range arguments {
			t.blob(fmt.Sprintf("%s/expected-%d", name, n), b, n)
		}
		for _, tail := range []string{"\x00", "\x00\x00\x00\x00", "\xff", "PFA1"} {
			t.blob(fmt.Sprintf("%s/behind-%x", name, tail), append(put(b, 0), tail...), Unknown)
		}
	}
	// Cut inside, with a frame that is right: what only the bitmap can tell.
	cuts(runs, func(change string, data []byte) { t.blob("runs/framed-"+change, frame(data), Unknown) })
	for _, tail := range []string{"\x00", "\x00\x00\x00\x00", "\xff"} {
		t.blob(fmt.Sprintf("one/framed-behind-%x", tail), frame(append(put(one, 0), tail...)), Unknown)
	}
	for _, m := range [][]byte{nativeMagic, nativeBigEndian, {0x64, 0x39, 0xd3, 0xd1}, {0, 0, 0, 0}, []byte("PFA1")} {
		t.blob(fmt.Sprintf("one/magic-%x", m), frameAs(m, one), Unknown)
	}
}

func (t *table) ranges() {
	blob := frame(one)
	source := append(append([]byte("before"), blob...), "behind"...)
	add := func(name string, offset, size int64) {
		t.add(Case{Name: "range/" + name, How: Range, Status: judgeRange(source, offset, size, 1),
			Offset: offset, Size: size, Cardinality: 1, Data: source})
	}
	for _, n := range append(arguments, 6) {
		add(fmt.Sprintf("offset-%d", n), n, int64(len(blob)))
		add(fmt.Sprintf("both-%d", n), n, n)
	}
	for _, n := range append(arguments, int64(len(blob))) {
		add(fmt.Sprintf("size-%d", n), 6, n)
	}
}
