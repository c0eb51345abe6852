package hostile

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
	"math/bits"
)

// The statuses that inputs end with.
const (
	OK          = "DV_OK"
	Invalid     = "DV_INVALID_ARGUMENT"
	Corrupt     = "DV_CORRUPT"
	Mismatch    = "DV_MISMATCH"
	Unsupported = "DV_UNSUPPORTED"
	Limit       = "DV_LIMIT"
)

const maxPosition = 0x7FFFFFFE80000000

// cursor reads bytes from front to back; once they run out it is bad for good and gives zeros.
type cursor struct {
	b   []byte
	at  int
	bad bool
}

func (c *cursor) take(n int) []byte {
	if n > len(c.b)-c.at {
		c.bad = true
		return make([]byte, min(n, 8))
	}
	c.at += n
	return c.b[c.at-n : c.at]
}

func (c *cursor) u8() int     { return int(c.take(1)[0]) }
func (c *cursor) u16() int    { return int(binary.LittleEndian.Uint16(c.take(2))) }
func (c *cursor) u32() uint32 { return binary.LittleEndian.Uint32(c.take(4)) }
func (c *cursor) u64() uint64 { return binary.LittleEndian.Uint64(c.take(8)) }

// judgeBitmap reads a portable 64-bit bitmap and says how many positions it holds and what follows it.
func judgeBitmap(data []byte) (cardinality int64, rest []byte, ok bool) {
	c := &cursor{b: data}
	before := int64(-1)
	for n := c.u64(); n > 0; n-- {
		key := int64(c.u32())
		if c.bad || key <= before || key > 0x7FFFFFFE {
			return 0, nil, false
		}
		before = key
		count, ok := judgeBitmap32(c, key)
		if !ok {
			return 0, nil, false
		}
		cardinality += count
	}
	return cardinality, c.b[c.at:], !c.bad
}

// judgeBitmap32 reads a 32-bit bitmap.
func judgeBitmap32(c *cursor, high int64) (cardinality int64, ok bool) {
	start := c.at
	cookie := c.u32()
	var n int
	var flags []byte
	switch {
	case cookie == 12346:
		count := c.u32()
		if c.bad || count > 65536 {
			return 0, false
		}
		n = int(count)
	case cookie&0xFFFF == 12347:
		n = int(cookie>>16) + 1
		flags = c.take((n + 7) / 8)
	default:
		return 0, false
	}
	heads := &cursor{b: c.take(4 * n)}
	offsets := &cursor{}
	if flags == nil || n >= 4 {
		offsets.b = c.take(4 * n)
	}
	if c.bad {
		return 0, false
	}
	before := -1
	for i := range n {
		key, card := heads.u16(), heads.u16()+1
		if key <= before {
			return 0, false
		}
		before = key
		if offsets.b != nil && int64(offsets.u32()) != int64(c.at-start) {
			return 0, false
		}
		isRun := flags != nil && flags[i/8]>>(i%8)&1 == 1
		last, ok := judgeContainer(c, isRun, card)
		if !ok || high<<32+int64(key)<<16+int64(last) > maxPosition {
			return 0, false
		}
		cardinality += int64(card)
	}
	return cardinality, true
}

// judgeContainer reads the payload of a container and gives its largest value.
func judgeContainer(c *cursor, isRun bool, card int) (last int, ok bool) {
	count := 0
	switch {
	case isRun:
		runs := c.u16()
		for i := range runs {
			first, length := c.u16(), c.u16()+1
			if c.bad || i > 0 && first <= last {
				return 0, false
			}
			last = first + length - 1
			if last > 65535 {
				return 0, false
			}
			count += length
		}
	case card <= 4096:
		for i := range card {
			value := c.u16()
			if c.bad || i > 0 && value <= last {
				return 0, false
			}
			last = value
			count++
		}
	default:
		for i := range 1024 {
			word := c.u64()
			if word != 0 {
				last = 64*i + 63 - bits.LeadingZeros64(word)
			}
			count += bits.OnesCount64(word)
		}
	}
	return last, !c.bad && count == card
}

// judgeBareBitmap gives the status of a bitmap that stands alone.
func judgeBareBitmap(data []byte) string {
	if _, rest, ok := judgeBitmap(data); !ok || len(rest) > 0 {
		return Corrupt
	}
	return OK
}

// judgeBlob gives the status of a blob. zeros accepts zero bytes behind the bitmap, as a Delta reader does.
func judgeBlob(blob []byte, expected int64, zeros bool) string {
	if expected < Unknown {
		return Invalid
	}
	if len(blob) < 20 || uint64(len(blob)) > math.MaxInt32 || binary.BigEndian.Uint32(blob) != uint32(len(blob)-8) {
		return Corrupt
	}
	payload := blob[4 : len(blob)-4]
	if status := judgeMagic(payload); status != OK {
		return status
	}
	if crc32.ChecksumIEEE(payload) != binary.BigEndian.Uint32(blob[len(blob)-4:]) {
		return Corrupt
	}
	return judgePayload(payload, expected, zeros)
}

// judgeMagic tells Delta's older form from what is no form at all.
func judgeMagic(payload []byte) string {
	switch {
	case bytes.HasPrefix(payload, magic):
		return OK
	case bytes.HasPrefix(payload, nativeMagic):
		return Unsupported
	}
	return Corrupt
}

func judgePayload(payload []byte, expected int64, zeros bool) string {
	if len(payload) < 12 {
		return Corrupt
	}
	cardinality, rest, ok := judgeBitmap(payload[4:])
	if zeros {
		rest = bytes.TrimLeft(rest, "\x00")
	}
	switch {
	case !ok || len(rest) > 0:
		return Corrupt
	case expected != Unknown && expected != cardinality:
		return Mismatch
	}
	return OK
}

// judgeRange gives the status of a blob at a range of a source: the range is the caller's, but what does not lie in the
// source came from some file's metadata.
func judgeRange(source []byte, offset, size, expected int64) string {
	if offset < 0 || size < 0 || size > math.MaxInt32 {
		return Invalid
	}
	if offset > int64(len(source)) || size > int64(len(source))-offset {
		return Corrupt
	}
	return judgeBlob(source[offset:offset+size], expected, false)
}

// judgeDelta gives the status of a record of a Delta file.
func judgeDelta(file []byte, offset, size, expected int64) string {
	if offset == Unknown {
		offset = 1
	}
	if offset <= 0 || size < Unknown || expected < Unknown {
		return Invalid
	}
	if len(file) == 0 {
		return Corrupt
	}
	if file[0] != 1 {
		return Unsupported
	}
	if offset > int64(len(file))-4 {
		return Corrupt
	}
	record := file[offset:]
	field := int64(int32(binary.BigEndian.Uint32(record)))
	switch {
	case field < 0 || field > math.MaxInt32-8:
		return Corrupt
	case size != Unknown && size != field:
		return Mismatch
	case field+8 > int64(len(record)):
		return Corrupt
	}
	record = record[:field+8]
	if payload := record[4 : 4+field]; judgeMagic(payload) == Unsupported || bytes.HasPrefix(payload, nativeBigEndian) {
		return Unsupported
	}
	return judgeBlob(record, expected, true)
}

const z85 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"

// judgeInline gives the status of an inline vector whose size is known.
func judgeInline(text []byte, size, expected int64) string {
	if size < 0 || expected < Unknown {
		return Invalid
	}
	if len(text)%5 != 0 {
		return Corrupt
	}
	decoded := len(text) / 5 * 4
	if (size+3)/4*4 != int64(decoded) {
		return Mismatch
	}
	if decoded == 0 { // the empty vector has a text of its own, which nothing else may become
		switch {
		case expected == 0:
			return OK
		case expected == Unknown:
			return Corrupt
		}
		return Mismatch
	}
	var payload []byte
	for ; len(text) > 0; text = text[5:] {
		group := uint64(0)
		for _, digit := range text[:5] {
			value := bytes.IndexByte([]byte(z85), digit)
			if value < 0 {
				return Corrupt
			}
			group = 85*group + uint64(value)
		}
		if group > math.MaxUint32 {
			return Corrupt
		}
		payload = binary.BigEndian.AppendUint32(payload, uint32(group))
	}
	if len(bytes.TrimRight(payload[size:], "\x00")) > 0 {
		return Corrupt
	}
	payload = payload[:size]
	if bytes.HasPrefix(payload, nativeBigEndian) {
		return Unsupported
	}
	if status := judgeMagic(payload); status != OK {
		return status
	}
	return judgePayload(payload, expected, false)
}
