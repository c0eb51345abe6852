package dv

import (
	"encoding/binary"
	"math/bits"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/kernel"
)

const (
	cookieNoRuns    = 12346
	cookieRuns      = 12347
	noOffsetLimit   = 4  // under cookieRuns fewer containers than this have no offsets
	minBitmapSize   = 12 // key, cookie, count: the least that one 32-bit bitmap takes
	maxHighKey      = uint32(MaxPosition >> 32)
	maxContainers32 = 1 << 16
)

// walker goes through the containers of a portable 64-bit bitmap in the order of the bytes.
// It checks everything around the payloads; check does the payloads.
type walker struct {
	data []byte // the bitmap, and perhaps more after it
	base int    // offset of data in what is being read, for messages
	pos  int    // the next byte

	bitmaps uint64 // 32-bit bitmaps not yet begun
	first   bool   // no key seen yet
	high    uint32 // key of the current 32-bit bitmap

	n, i    int // containers of the current bitmap, and the next one
	start   int // where the current bitmap's cookie is
	flags   int // where the run flags are, 0 without
	heads   int // where {key, cardinality - 1} are
	offsets int // 0 where the form has none
	prevKey int // key of the container before, -1 at first
}

// begin is for a new walker.
func (w *walker) begin(data []byte, base int) error {
	w.data, w.base, w.first = data, base, true
	if len(data) < 8 {
		return fault.Corrupt("byte %d: %d bytes are left, expected the 8 of the bitmap count", base, len(data))
	}
	w.bitmaps = binary.LittleEndian.Uint64(data)
	w.pos = 8
	// A count is worth only the bytes behind it: nothing is sized by it before this check.
	if w.bitmaps > uint64(len(data)-8)/minBitmapSize {
		return fault.Corrupt("byte %d: bitmap count %d, expected at most %d for the %d bytes that follow%s",
			base, w.bitmaps, (len(data)-8)/minBitmapSize, len(data)-8, foreignForm(data))
	}
	return nil
}

// foreignForm names Java's other 64-bit serialisations where the bytes look like one.
func foreignForm(data []byte) string {
	if len(data) >= 9 && data[0] <= 1 {
		if n := binary.BigEndian.Uint32(data[1:]); n > 0 && uint64(n) <= uint64(len(data))/minBitmapSize {
			return " (it looks like the legacy form of Java's Roaring64NavigableMap, which is not the portable format)"
		}
		if data[0] == 1 {
			return " (it looks like the form of Java's Roaring64Bitmap, which is not the portable format)"
		}
	}
	return ""
}

// next gives the following container, its payload not yet checked, and its payload's offset.
// ok is false at the end.
func (w *walker) next(c *container) (ok bool, err error) {
	for w.i == w.n {
		if w.bitmaps == 0 {
			return false, nil
		}
		w.bitmaps--
		if err := w.nextBitmap(); err != nil {
			return false, err
		}
	}
	return true, w.nextContainer(c)
}

func (w *walker) short(what string, need int) error {
	return fault.Corrupt("byte %d: %d bytes are left, expected the %d of %s", w.base+w.pos, len(w.data)-w.pos, need, what)
}

func (w *walker) nextBitmap() error {
	rest := w.data[w.pos:]
	if len(rest) < 8 {
		return w.short("a bitmap's key and cookie", 8)
	}
	high := binary.LittleEndian.Uint32(rest)
	if high > maxHighKey {
		return fault.Corrupt("byte %d: bitmap key %d, expected at most %d", w.base+w.pos, high, maxHighKey)
	}
	if !w.first && high <= w.high {
		return fault.Corrupt("byte %d: bitmap key %d after %d, expected ascending keys", w.base+w.pos, high, w.high)
	}
	w.first, w.high = false, high
	w.pos += 4
	w.start = w.pos
	w.i, w.n, w.prevKey = 0, 0, -1
	w.flags, w.offsets = 0, 0
	switch cookie := binary.LittleEndian.Uint32(rest[4:]); {
	case cookie == cookieNoRuns:
		return w.headNoRuns()
	case cookie&0xFFFF == cookieRuns:
		return w.headRuns(int(cookie>>16) + 1)
	default:
		return fault.Corrupt("byte %d: roaring cookie %d, expected 12346 or 12347 in the low half", w.base+w.start, cookie)
	}
}

func (w *walker) headNoRuns() error {
	w.pos += 4
	if len(w.data)-w.pos < 4 {
		return w.short("the container count", 4)
	}
	n := binary.LittleEndian.Uint32(w.data[w.pos:])
	if n > maxContainers32 {
		return fault.Corrupt("byte %d: container count %d, expected at most 65536", w.base+w.pos, n)
	}
	w.pos += 4
	if err := w.takeHeads(int(n)); err != nil {
		return err
	}
	return w.takeOffsets(int(n))
}

func (w *walker) headRuns(n int) error {
	w.pos += 4
	size := (n + 7) / 8
	if len(w.data)-w.pos < size {
		return w.short("the run flags", size)
	}
	w.flags = w.pos
	w.pos += size
	if err := w.takeHeads(n); err != nil {
		return err
	}
	if n < noOffsetLimit {
		return nil
	}
	return w.takeOffsets(n)
}

func (w *walker) takeHeads(n int) error {
	if len(w.data)-w.pos < 4*n {
		return w.short("the container keys and cardinalities", 4*n)
	}
	w.heads = w.pos
	w.pos += 4 * n
	w.n = n
	return nil
}

func (w *walker) takeOffsets(n int) error {
	if len(w.data)-w.pos < 4*n {
		return w.short("the container offsets", 4*n)
	}
	w.offsets = w.pos
	w.pos += 4 * n
	return nil
}

func (w *walker) nextContainer(c *container) error {
	i := w.i
	w.i++
	head := binary.LittleEndian.Uint32(w.data[w.heads+4*i:])
	low := int(head & 0xFFFF)
	c.key = uint64(w.high)<<16 | uint64(low)
	c.card = head>>16 + 1
	// Readers that jump and readers that walk must see the same positions.
	if low <= w.prevKey || w.offsets != 0 && int64(binary.LittleEndian.Uint32(w.data[w.offsets+4*i:])) != int64(w.pos-w.start) {
		return w.misplaced(i, low)
	}
	w.prevKey = low
	size := bitmapBytes
	switch {
	case w.flags != 0 && w.data[w.flags+i>>3]>>(i&7)&1 != 0:
		n, err := w.runCount(c)
		if err != nil {
			return err
		}
		c.kind, size = runKind, 4*n
	case c.card <= arrayMax:
		c.kind, size = arrayKind, 2*int(c.card)
	default:
		c.kind = bitmapKind
	}
	if len(w.data)-w.pos < size {
		return w.short(kindNames[c.kind], size)
	}
	c.data = w.data[w.pos : w.pos+size]
	w.pos += size
	return nil
}

// misplaced says what is wrong with the place of container i.
func (w *walker) misplaced(i, low int) error {
	if low <= w.prevKey {
		return fault.Corrupt("byte %d: container key %d after %d, expected ascending keys", w.headAt(i), low, w.prevKey)
	}
	return fault.Corrupt("byte %d: container %d is said to be at offset %d of its bitmap, expected %d, where it is in sequence",
		w.base+w.offsetsAt(i), i, binary.LittleEndian.Uint32(w.data[w.offsets+4*i:]), w.pos-w.start)
}

func (w *walker) runCount(c *container) (int, error) {
	if len(w.data)-w.pos < 2 {
		return 0, w.short("a run count", 2)
	}
	n := int(binary.LittleEndian.Uint16(w.data[w.pos:]))
	if n == 0 {
		return 0, fault.Corrupt("byte %d: a run container (key %d) with 0 runs, expected 1 or more", w.base+w.pos, c.key)
	}
	w.pos += 2
	return n, nil
}

var kindNames = [...]string{arrayKind: "an array container", bitmapKind: "a bitmap container", runKind: "a run container"}

func (w *walker) headAt(i int) int    { return w.base + w.heads + 4*i }
func (w *walker) offsetsAt(i int) int { return w.offsets + 4*i }

// check proves the payload of the container that next gave last.
func (w *walker) check(c *container) error {
	var err error
	switch c.kind {
	case arrayKind:
		if !kernel.Ascending(c.data) {
			err = w.oldFault(c, badArray(c.data, c.key, w.payloadAt(c)))
		}
	case bitmapKind:
		return w.checkCount(c, kernel.Popcount((*kernel.Bitmap)(c.data)))
	default:
		err = checkRuns(c.data, c.key, c.card, w.payloadAt(c))
	}
	if err == nil && c.key >= maxContainerKey {
		err = w.checkMax(c)
	}
	return err
}

// checkCount is check for a bitmap whose bits are counted already.
func (w *walker) checkCount(c *container, bits int) error {
	if uint32(bits) != c.card {
		return fault.Corrupt("byte %d: a bitmap container (key %d) holds %d values, expected the %d of its header",
			w.payloadAt(c), c.key, bits, c.card)
	}
	if c.key >= maxContainerKey {
		return w.checkMax(c)
	}
	return nil
}

// payloadAt is where the payload of the container that next gave last lies in what is being read.
func (w *walker) payloadAt(c *container) int { return w.base + w.pos - len(c.data) }

func (w *walker) checkMax(c *container) error {
	if largest := c.base() + int64(c.last()); largest > MaxPosition {
		return fault.Corrupt("byte %d: position %d, expected at most %d", w.payloadAt(c), largest, MaxPosition)
	}
	return nil
}

// oldFault adds to err that an old fault of two libraries is at work, where it is: they
// wrote a bitmap of 8,192 bytes for 4,096 and fewer values.
func (w *walker) oldFault(c *container, err error) error {
	rest := w.data[w.pos-len(c.data):]
	if len(rest) < bitmapBytes {
		return err
	}
	n := 0
	for i := range bitmapWords {
		n += bits.OnesCount64(u64at(rest, i))
	}
	if uint32(n) != c.card {
		return err
	}
	return fault.Corrupt("%s (here are the 8192 bytes of a bitmap for %d values: an old fault of two libraries)", err, n)
}
