package inspect

import (
	"bytes"
	"encoding/binary"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/mumbling"
	"github.com/libdv/libdv/internal/storage"
)

// sample is what guessing looks at: the first and the last bytes of a source.
type sample struct {
	head, tail []byte
	size       int64
}

const (
	headSize = 16
	tailSize = 4

	puffinMagic = "PFA1"
	delta01     = 1
	mumbling01  = 1
)

func takeSample(src storage.Source) (s sample, err error) {
	s.size = src.Size()
	if s.head, err = storage.Read(src, 0, min(s.size, headSize), "first bytes"); err != nil {
		return s, err
	}
	n := min(s.size, tailSize)
	s.tail, err = storage.Read(src, s.size-n, n, "last bytes")
	return s, err
}

// rules are tried in turn, as the documentation of the package lists them.
var rules = []struct {
	format Format
	fits   func(*sample) bool
}{
	{Puffin, func(s *sample) bool { return string(s.at(0, 4)) == puffinMagic }},
	{Blob, func(s *sample) bool { return isVectorMagic(s.at(4, 4)) }},
	{Delta, func(s *sample) bool { return isVectorMagic(s.at(5, 4)) }},
	{Roaring, (*sample).isBitmap},
	{Puffin, func(s *sample) bool { return string(s.tail) == puffinMagic }},
	{Blob, func(s *sample) bool { return s.size >= 20 && s.size == 8+int64(binary.BigEndian.Uint32(s.head)) }},
	{Delta, (*sample).isRecordFile},
	{Roaring, func(s *sample) bool { return string(s.at(12, 4)) == "\x3a\x30\x00\x00" }},
	{Mumbling, (*sample).isMumbling},
}

func (s *sample) guess() Format {
	for _, rule := range rules {
		if rule.fits(s) {
			return rule.format
		}
	}
	return Unknown
}

// at gives n bytes of the head from offset off on, nil where there are fewer.
func (s *sample) at(off, n int) []byte {
	if len(s.head) < off+n {
		return nil
	}
	return s.head[off : off+n]
}

// isVectorMagic knows today's magic, the older form's, and both in the wrong order.
func isVectorMagic(p []byte) bool {
	if p == nil {
		return false
	}
	little, big := binary.LittleEndian.Uint32(p), binary.BigEndian.Uint32(p)
	return little == dv.Magic || little == dv.Magic-1 || big == dv.Magic || big == dv.Magic-1
}

func (s *sample) isBitmap() bool {
	if s.size == 8 {
		return string(s.head) == "\x00\x00\x00\x00\x00\x00\x00\x00"
	}
	cookie := s.at(12, 4)
	if cookie == nil {
		return false
	}
	const leastBitmap = 12 // key, cookie, number of containers
	count := binary.LittleEndian.Uint64(s.head)
	return count > 0 && count <= uint64(s.size-8)/leastBitmap && isCookie(cookie)
}

// isCookie tells whether a 32-bit roaring bitmap begins here.
func isCookie(p []byte) bool {
	return string(p) == "\x3a\x30\x00\x00" || string(p[:2]) == "\x3b\x30"
}

func (s *sample) isRecordFile() bool {
	if s.size == 0 || s.head[0] != delta01 {
		return false
	}
	size := s.at(1, 4)
	return s.size == 1 || size != nil && s.size == 9+int64(binary.BigEndian.Uint32(size))
}

func (s *sample) isMumbling() bool {
	const headerSize = 6
	if len(s.head) < headerSize || s.head[0] != mumbling01 {
		return false
	}
	cardinality := int(s.head[1]) | int(s.head[2])<<8 | int(s.head[3])<<16
	containers := int(s.head[4]) | int(s.head[5])<<8
	if containers == 0 {
		return cardinality == 0 && s.size == headerSize
	}
	return cardinality <= mumbling.MaxCardinality && containers <= mumbling.MaxContainers
}

// strangers are what unknown bytes may be, for the message.
var strangers = []struct {
	is   func(*sample) bool
	text string
}{
	{func(s *sample) bool { return isVectorMagic(s.at(0, 4)) }, "a vector without length and CRC, as Delta's inline vectors hold in Z85"},
	{func(s *sample) bool { return string(s.at(0, 5)) == "^Bg9^" }, "the text of an inline vector of Delta"},
	{func(s *sample) bool { p := s.at(0, 4); return p != nil && isCookie(p) }, "a 32-bit roaring bitmap, not the 64-bit form"},
	{(*sample).isNavigableMap, "the legacy form of Java's Roaring64NavigableMap"},
	{func(s *sample) bool { return string(s.at(0, 4)) == "PAR1" }, "a Parquet file"},
	{func(s *sample) bool { return bytes.HasPrefix(s.head, []byte("{")) }, "a JSON object, such as a descriptor"},
}

// isNavigableMap looks for a flag, a big-endian count, a big-endian key and a bitmap.
func (s *sample) isNavigableMap() bool {
	cookie := s.at(9, 4)
	return cookie != nil && s.head[0] <= 1 && isCookie(cookie) && int64(binary.BigEndian.Uint32(s.head[1:])) <= s.size/12
}

func (s *sample) stranger() string {
	for _, stranger := range strangers {
		if stranger.is(s) {
			return " (they look like " + stranger.text + ")"
		}
	}
	return ""
}
