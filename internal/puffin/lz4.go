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
	lz4MostPerOne = 255      // one byte of a frame stands for no more than this
	inflateMore   = 16 << 20 // how much longer than the file a payload may become
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
	bound := inflateMore + size
	claim := int64(-1)
	if payload[4]&lz4ContentSize != 0 {
		claim = int64(binary.LittleEndian.Uint64(payload[6:]))
		if claim < 0 || claim > bound {
			return nil, fault.Limit("%s: byte %d: content size %d, at most %d are inflated", what, off+6, uint64(claim), bound)
		}
	}
	content, err := inflateAll(lz4.NewReader(bytes.NewReader(payload)), int64(len(payload)), claim, bound)
	switch {
	case err != nil:
		return nil, fault.Corrupt("%s: byte %d: %v", what, off, err)
	case int64(len(content)) > bound:
		return nil, fault.Limit("%s: byte %d: it inflates to more than %d bytes", what, off, bound)
	}
	return content, nil
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

// inflateAll reads r to its end, or to one byte more than bound. claim is the content size
// that the frame states, or below 0.
func inflateAll(r io.Reader, compressed, claim, bound int64) ([]byte, error) {
	if claim < 0 {
		claim = 4 * compressed
	}
	content := make([]byte, 0, min(claim, lz4MostPerOne*compressed, bound)+1)
	for {
		if len(content) == cap(content) {
			content = append(content, 0)[:len(content)]
		}
		room := content[len(content):min(int64(cap(content)), bound+1)]
		n, err := r.Read(room)
		content = content[:len(content)+n]
		if err == io.EOF || err == nil && int64(len(content)) > bound {
			return content, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
