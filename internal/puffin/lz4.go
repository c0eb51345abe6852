package puffin

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/pierrec/lz4/v4"

	"github.com/libdv/libdv/internal/fault"
)

const (
	lz4Magic      = "\x04\x22\x4d\x18"
	lz4HasSize    = 0x08     // in the frame's flags, which follow the magic
	lz4SizeAt     = 6        // where the content size is, 8 bytes little endian
	lz4MostPerOne = 255      // one byte of a frame stands for no more than this
	inflateMore   = 16 << 20 // how much longer than the file a payload may become
)

// inflate gives the content of the one LZ4 frame that payload is, which lies at offset off of
// a file of size bytes.
func inflate(payload []byte, off, size int64) ([]byte, error) {
	if !bytes.HasPrefix(payload, []byte(lz4Magic)) {
		return nil, fault.Corrupt("Puffin footer: byte %d: found %x, expected the magic %x of an LZ4 frame, which the flags announce",
			off, payload[:min(len(payload), len(lz4Magic))], lz4Magic)
	}
	bound := inflateMore + size
	claim := int64(-1)
	if len(payload) >= lz4SizeAt+8 && payload[len(lz4Magic)]&lz4HasSize != 0 {
		claim = int64(binary.LittleEndian.Uint64(payload[lz4SizeAt:]))
		if claim < 0 || claim > bound {
			return nil, tooLong(off, bound)
		}
	}
	src := bytes.NewReader(payload)
	content, err := inflateAll(lz4.NewReader(src), int64(len(payload)), claim, bound)
	if err != nil {
		return nil, fault.Corrupt("Puffin footer: LZ4 frame at byte %d: %v", off, err)
	}
	if int64(len(content)) > bound {
		return nil, tooLong(off, bound)
	}
	if left := src.Len(); left > 0 {
		return nil, fault.Corrupt("Puffin footer: byte %d: %d bytes follow the LZ4 frame, expected none",
			off+int64(len(payload)-left), left)
	}
	return content, nil
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

func tooLong(off, bound int64) error {
	return fault.Limit("Puffin footer: LZ4 frame at byte %d: it inflates to more than %d bytes", off, bound)
}
