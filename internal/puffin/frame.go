package puffin

import (
	"bytes"
	"encoding/binary"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/storage"
)

const (
	magic        = "PFA1"
	magicSize    = len(magic)
	trailerSize  = 12 // payload size, flags, magic
	leastPayload = 2  // {}
	leastSize    = magicSize + magicSize + leastPayload + trailerSize
	tailSize     = 64 << 10 // what the first request reads, and how far down a blob's may reach
)

// tail is the end of a file, and counts the requests that were made for it.
type tail struct {
	src      storage.Source
	size     int64  // of the file
	data     []byte // its last bytes, all of them where they are at most tailSize or lent
	start    int64  // the offset of data
	lent     bool   // data is the caller's
	headSeen bool   // the head magic was checked
	requests int
}

// readTail makes the first request, unless the file is in memory.
func readTail(src storage.Source) (*tail, error) {
	t := &tail{src: src, size: src.Size()}
	if t.data, t.lent = storage.Lent(src); t.lent {
		return t, nil
	}
	t.start = max(0, t.size-tailSize)
	var err error
	t.data, err = t.read(t.start, t.size-t.start, "end of the Puffin file")
	return t, err
}

func (t *tail) read(off, n int64, what string) ([]byte, error) {
	t.requests++
	return storage.Read(t.src, off, n, what)
}

// checkEnd proves that the file ends as a Puffin file does.
func (t *tail) checkEnd() error {
	if t.size < int64(leastSize) {
		return fault.Corrupt("Puffin file: %d bytes, at least %d were expected", t.size, leastSize)
	}
	return checkMagic(t.data[len(t.data)-magicSize:], t.size-int64(magicSize), "at its end")
}

// checkHead proves the magic at offset 0, with a request where it is not in hand.
func (t *tail) checkHead() error {
	if t.headSeen {
		return nil
	}
	head := t.data
	if t.start > 0 {
		var err error
		if head, err = t.read(0, int64(magicSize), "head magic of the Puffin file"); err != nil {
			return err
		}
	}
	return t.headFrom(head)
}

// headFrom proves the magic at offset 0 from bytes that start there.
func (t *tail) headFrom(head []byte) error {
	t.headSeen = true
	return checkMagic(head[:magicSize], 0, "at its start")
}

// footer is the end of a Puffin file from its second magic on.
type footer struct {
	start   int64
	size    int64  // with both magics, as stored
	payload []byte // inflated, else as stored
	inTail  bool   // payload is a part of the tail
	base    int64  // for messages: what to add to an offset in payload,
	place   string // and in what that counts, "" for the file
}

// footer finds the footer and its payload.
func (t *tail) footer() (*footer, error) {
	if err := t.checkEnd(); err != nil {
		return nil, err
	}
	trailer := t.data[len(t.data)-trailerSize:]
	length := int64(int32(binary.LittleEndian.Uint32(trailer)))
	start := t.size - int64(trailerSize) - length - int64(magicSize)
	if length < leastPayload || start < int64(magicSize) {
		return nil, fault.Corrupt("Puffin footer: byte %d: payload size %d, expected %d to %d in a file of %d bytes",
			t.size-int64(trailerSize), length, leastPayload, t.size-int64(trailerSize+2*magicSize), t.size)
	}
	whole, err := t.from(start)
	if err != nil {
		return nil, err
	}
	if err := checkMagic(whole[:magicSize], start, "before the footer payload"); err != nil {
		return nil, err
	}
	compressed, err := checkFlags(trailer[4:8], t.size-8)
	if err != nil {
		return nil, err
	}
	f := &footer{start: start, size: t.size - start, payload: whole[magicSize : len(whole)-trailerSize], base: start + int64(magicSize)}
	f.inTail = start >= t.start && !t.lent && !compressed
	if compressed {
		f.payload, err = inflate(f.payload, f.base, t.size)
		f.base, f.place = 0, " of the inflated payload"
	}
	return f, err
}

// from gives the bytes from start to the end of the file, with a request for what is not in hand. They do
// not change.
func (t *tail) from(start int64) ([]byte, error) {
	if t.lent {
		return bytes.Clone(t.data[start:]), nil
	}
	if start >= t.start {
		return t.data[start-t.start:], nil
	}
	t.requests++
	rest, err := storage.ReadRoom(t.src, start, t.start-start, len(t.data), "Puffin footer")
	return append(rest, t.data...), err
}

// has reports whether [off, off+n) is in hand, and gives it.
func (t *tail) has(off, n int64) ([]byte, bool) {
	if off < t.start || n < 0 || n > t.size-off {
		return nil, false
	}
	return t.data[off-t.start:][:n], true
}

func checkMagic(found []byte, off int64, where string) error {
	if string(found) == magic {
		return nil
	}
	return fault.Corrupt("Puffin file: byte %d: magic %x %s, expected %x (%s)", off, found, where, magic, magic)
}

// checkFlags tells whether the payload is compressed.
func checkFlags(flags []byte, off int64) (compressed bool, err error) {
	if flags[0]&^1|flags[1]|flags[2]|flags[3] != 0 {
		return false, fault.Unsupported("Puffin footer: byte %d: flags %x, expected none but 01 in the first byte", off, flags)
	}
	return flags[0]&1 != 0, nil
}
