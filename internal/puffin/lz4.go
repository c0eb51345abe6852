package puffin

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"

	"github.com/pierrec/lz4/v4"

	"github.com/libdv/libdv/internal/fault"
)

const (
	lz4Magic      = "\x04\x22\x4d\x18"
	lz4MostPerOne = 255     // one byte of a frame stands for no more than this
	inflateMore   = 8 << 20 // how much longer than the file a payload may become
)

// The flags of an LZ4 frame that say which of its parts there are; they follow the magic.
// Source: https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md.
const (
	lz4Dictionary      = 1 << 0
	lz4ContentChecksum = 1 << 2
	lz4ContentSize     = 1 << 3
	lz4BlockChecksums  = 1 << 4
)

// inflate gives the content of the one LZ4 frame that payload is, which lies at offset off of
// a file of size bytes.
func inflate(payload []byte, off, size int64) ([]byte, error) {
	const what = "Puffin footer: LZ4 frame"
	if err := oneFrame(payload, off); err != nil {
		return nil, fault.In(err, what)
	}
	r := lz4.NewReader(bytes.NewReader(payload))
	length, err := contentSize(payload, inflateMore+size, r)
	if err != nil {
		return nil, fault.In(err, "%s: byte %d", what, off)
	}
	content := make([]byte, length)
	r.Reset(bytes.NewReader(payload))
	if _, err := io.ReadFull(r, content); err != nil {
		return nil, fault.Corrupt("%s: byte %d: content of %d bytes: %v", what, off, length, err)
	}
	n, err := io.Copy(io.Discard, io.LimitReader(r, 1)) // to its end, where its checksum stands
	if err != nil {
		return nil, fault.Corrupt("%s: byte %d: %v", what, off, err)
	}
	if n > 0 {
		return nil, fault.Corrupt("%s: byte %d: it inflates to more than its content size, %d bytes", what, off, length)
	}
	return content, nil
}

// contentSize tells what a frame inflates to, at most bound: as it states itself, where that
// is possible at all, else by inflating it once for nothing, which is cheaper than growing.
func contentSize(payload []byte, bound int64, r *lz4.Reader) (int64, error) {
	if payload[4]&lz4ContentSize != 0 {
		claim := binary.LittleEndian.Uint64(payload[6:])
		if claim > lz4MostPerOne*uint64(len(payload)) {
			return 0, fault.Corrupt("content size %d, expected at most %d times its %d bytes", claim, lz4MostPerOne, len(payload))
		}
		if claim > uint64(bound) {
			return 0, fault.Limit("content size %d, at most %d are inflated", claim, bound)
		}
		return int64(claim), nil
	}
	n, err := io.Copy(io.Discard, io.LimitReader(r, bound+1))
	if err != nil {
		return 0, fault.Corrupt("%v", err)
	}
	if n > bound {
		return 0, fault.Limit("it inflates to more than %d bytes", bound)
	}
	return n, nil
}

// oneFrame proves by the lengths of its parts that payload is one frame, with its end mark
// and nothing after it: the decoder would go on to a second frame.
func oneFrame(payload []byte, off int64) error {
	if !bytes.HasPrefix(payload, []byte(lz4Magic)) {
		return fault.Corrupt("byte %d: magic %x, expected %x as the flags of the footer announce a frame",
			off, payload[:min(len(payload), len(lz4Magic))], lz4Magic)
	}
	if len(payload) < 7 {
		return cutShort(payload, off)
	}
	flags := payload[4]
	at := 7 // magic, flags, block size, header checksum
	if flags&lz4ContentSize != 0 {
		at += 8
	}
	if flags&lz4Dictionary != 0 {
		at += 4
	}
	for {
		if at > len(payload)-4 {
			return cutShort(payload, off)
		}
		block := int(binary.LittleEndian.Uint32(payload[at:]) & math.MaxInt32) // the top bit: stored as it is
		at += 4
		if block == 0 {
			break
		}
		at += block
		if flags&lz4BlockChecksums != 0 {
			at += 4
		}
	}
	if flags&lz4ContentChecksum != 0 {
		at += 4
	}
	switch left := len(payload) - at; {
	case left < 0:
		return cutShort(payload, off)
	case left > 0:
		return fault.Corrupt("byte %d: %d bytes follow it, expected none", off+int64(at), left)
	}
	return nil
}

func cutShort(payload []byte, off int64) error {
	return fault.Corrupt("byte %d: the payload ends here, expected more of the frame, up to its end mark", off+int64(len(payload)))
}
