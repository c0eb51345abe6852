package mumbling

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/libdv/libdv/internal/fault"
)

// DecodePFOR fills values from the PFOR coding that data starts with and returns the bytes that
// it took; what follows them is not looked at. The number of values is not stored: it is
// len(values). Everything that the format allows is read, also what no encoder writes:
// exceptions in any order or of no bits, padding bits that are set, a frame under 8-bit values.
//
// ErrCorrupt: widths beyond 8 bits, exceptions under 8-bit values, more exceptions than values,
// an exception outside its chunk or twice for one value, a value above 255, too few bytes. The
// contents of values are then unspecified.
func DecodePFOR(data, values []byte) (consumed int, err error) {
	for number := 0; len(values) > 0; number++ {
		n := min(len(values), chunkValues)
		if consumed, err = decodeChunk(data, consumed, number, values[:n]); err != nil {
			return 0, err
		}
		values = values[n:]
	}
	return consumed, nil
}

// chunk is the checked header of a PFOR chunk and the place of its parts.
type chunk struct {
	number, at int  // which chunk, and its first byte: for messages
	low, high  int  // widths: of the low parts, of the exceptions
	exceptions int  // how many
	base       byte // the frame
	offsets    int  // first byte of the exceptions' offsets
	highs      int  // first byte of the exceptions
	end        int  // first byte behind the chunk
}

func (c *chunk) fault(format string, args ...any) error {
	return fault.Corrupt("PFOR chunk %d at byte %d: %s", c.number, c.at, fmt.Sprintf(format, args...))
}

// parseChunk checks the header of the chunk of count values at byte at of data, and that the
// chunk ends within data.
func parseChunk(data []byte, at, number, count int) (c chunk, err error) {
	c = chunk{number: number, at: at}
	if len(data)-at < chunkHeader {
		return c, c.fault("%d bytes left, expected a header of %d", len(data)-at, chunkHeader)
	}
	c.low, c.high = int(data[at]&0x0F), int(data[at]>>4)
	c.exceptions, c.base = int(data[at+1]), data[at+2]
	switch {
	case c.low > 8:
		return c, c.fault("values of %d bits, expected at most 8", c.low)
	case c.low == 8 && (c.high > 0 || c.exceptions > 0):
		return c, c.fault("%d exceptions of %d bits under values of 8 bits, expected none of 0", c.exceptions, c.high)
	case c.exceptions > count:
		return c, c.fault("%d exceptions, expected at most its %d values", c.exceptions, count)
	case c.exceptions > 0 && c.low+c.high > 8:
		return c, c.fault("values of %d bits and exceptions of %d, expected at most 8 together", c.low, c.high)
	}
	c.offsets = at + chunkHeader + packedLen(count, c.low)
	c.highs = c.offsets + c.exceptions
	c.end = c.highs + packedLen(c.exceptions, c.high)
	if c.end > len(data) {
		return c, c.fault("%d bytes left, expected %d", len(data)-at, c.end-at)
	}
	return c, nil
}

// decodeChunk fills values (1 to 256) from the chunk at byte at of data, at <= len(data), and
// returns where the chunk ends.
func decodeChunk(data []byte, at, number int, values []byte) (end int, err error) {
	c, err := parseChunk(data, at, number, len(values))
	if err != nil {
		return 0, err
	}
	unpack(values, data[at+chunkHeader:], c.low)
	if c.exceptions > 0 {
		if err := c.patch(data, values); err != nil {
			return 0, err
		}
	}
	if c.base > 0 {
		if err := c.addBase(values); err != nil {
			return 0, err
		}
	}
	return c.end, nil
}

// patch puts the exceptions on top of the low parts.
func (c *chunk) patch(data, values []byte) error {
	var highs [chunkValues]byte
	unpack(highs[:c.exceptions], data[c.highs:], c.high)
	var seen [chunkValues / 64]uint64
	for i, offset := range data[c.offsets:c.highs] {
		if int(offset) >= len(values) {
			return c.fault("exception %d at byte %d is for value %d, expected one below %d",
				i, c.offsets+i, offset, len(values))
		}
		word, bit := &seen[offset>>6], uint64(1)<<(offset&63)
		if *word&bit != 0 {
			return c.fault("exception %d at byte %d is the second for value %d, expected one",
				i, c.offsets+i, offset)
		}
		*word |= bit
		values[offset] |= highs[i&0xFF] << (c.low & 7) // no bit is lost: low + high <= 8
	}
	return nil
}

// addBase adds the frame to every value, eight at a time.
func (c *chunk) addBase(values []byte) error {
	const top = 0x80 * lanes
	base := uint64(c.base) * lanes
	carry := uint64(0) // the top bit of a lane: that a sum in it went beyond 255
	rest := values
	for ; len(rest) >= 8; rest = rest[8:] {
		x := binary.LittleEndian.Uint64(rest)
		sum := (x&^top + base&^top) ^ (x^base)&top
		carry |= x&base | (x|base)&^sum
		binary.LittleEndian.PutUint64(rest, sum)
	}
	for i, v := range rest {
		sum := v + c.base
		if sum < v {
			carry |= top
		}
		rest[i] = sum
	}
	if carry&top == 0 {
		return nil
	}
	// A wrapped sum, and no other, is below the frame.
	i := slices.IndexFunc(values, func(v byte) bool { return v < c.base })
	return c.fault("value %d is %d, expected at most 255", i, int(values[i])+256)
}
