package hostile

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"iter"
	"maps"
	"math/bits"
	"slices"
)

var (
	magic           = []byte{0xd1, 0xd3, 0x39, 0x64}
	nativeMagic     = []byte{0xd0, 0xd3, 0x39, 0x64} // Delta's older form
	nativeBigEndian = []byte{0x64, 0x39, 0xd3, 0xd0}
)

// The bitmaps that everything is made of.
var (
	// emptyBitmap holds nothing.
	emptyBitmap = make([]byte, 8)
	// one is {1}, as in the format's own example.
	one = unhex("0100000000000000" + "00000000" + "3a300000" + "01000000" + "00000000" + "10000000" + "0100")
	// runs is {0..9, 20..24} under key 0 and {2^32} under key 1: a run container and an array.
	runs = unhex("0200000000000000" +
		"00000000" + "3b300000" + "01" + "00000e00" + "0200" + "00000900" + "14000400" +
		"01000000" + "3a300000" + "01000000" + "00000000" + "10000000" + "0000")
	// four is four run containers of one run each, the least that has offsets.
	four = unhex("0100000000000000" + "00000000" + "3b300300" + "0f" +
		"00000000" + "01000100" + "02000200" + "03000300" +
		"25000000" + "2b000000" + "31000000" + "37000000" +
		"0100" + "00000000" + "0100" + "00000100" + "0100" + "00000200" + "0100" + "00000300")
)

func unhex(digits string) []byte {
	b, err := hex.DecodeString(digits)
	if err != nil {
		panic(err)
	}
	return b
}

// frame makes a blob of a bitmap, or of whatever the bytes are: its length and CRC are right.
func frame(bitmap []byte) []byte { return frameAs(magic, bitmap) }

func frameAs(magic, bitmap []byte) []byte {
	payload := slices.Concat(magic, bitmap)
	out := binary.BigEndian.AppendUint32(nil, uint32(len(payload)))
	out = append(out, payload...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(payload))
}

// deltaFile puts the version byte before records.
func deltaFile(records ...[]byte) []byte { return append([]byte{1}, bytes.Join(records, nil)...) }

// inlineText spells a payload in Z85, padded to whole groups.
func inlineText(payload []byte) (text string, size int64) {
	size = int64(len(payload))
	padded := append(slices.Clone(payload), make([]byte, (4-len(payload)%4)%4)...)
	out := make([]byte, 0, len(padded)/4*5)
	for ; len(padded) > 0; padded = padded[4:] {
		n := binary.BigEndian.Uint32(padded)
		var group [5]byte
		for i := range group {
			group[4-i] = z85[n%85]
			n /= 85
		}
		out = append(out, group[:]...)
	}
	return string(out), size
}

// puffinFile frames blobs and a payload.
func puffinFile(blobs []byte, payload string, flags byte) []byte {
	out := slices.Concat([]byte("PFA1"), blobs, []byte("PFA1"), []byte(payload))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(payload)))
	return append(out, flags, 0, 0, 0, 'P', 'F', 'A', '1')
}

// lz4Frame makes a frame of one block, stored or compressed. header says which parts there are beside the block: it is
// the frame descriptor from its flags on, without its checksum.
func lz4Frame(header, block []byte, stored bool) []byte {
	out := append([]byte{0x04, 0x22, 0x4d, 0x18}, header...)
	out = append(out, byte(xxh32(header)>>8))
	size := uint32(len(block))
	if stored {
		size |= 1 << 31
	}
	out = binary.LittleEndian.AppendUint32(out, size)
	out = append(out, block...)
	return binary.LittleEndian.AppendUint32(out, 0)
}

// lz4Run is an LZ4 block of n times one byte, n > 16: some 255 of them for each byte of the block.
func lz4Run(b byte, n int) []byte {
	const tail = 5 // a block ends with that many literals
	match := n - 1 - tail
	out := []byte{0x1F, b, 1, 0} // one literal, then a match at distance 1 of 4 + 15 + what follows
	for match -= 4 + 15; match >= 255; match -= 255 {
		out = append(out, 255)
	}
	out = append(out, byte(match), tail<<4)
	return append(out, bytes.Repeat([]byte{b}, tail)...)
}

// xxh32 is the checksum of an LZ4 frame's header: xxHash of less than 16 bytes with seed 0.
// Source: https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md.
func xxh32(b []byte) uint32 {
	const p1, p2, p3, p4, p5 = 2654435761, 2246822519, 3266489917, 668265263, 374761393
	h := uint32(p5) + uint32(len(b))
	for ; len(b) >= 4; b = b[4:] {
		h = bits.RotateLeft32(h+binary.LittleEndian.Uint32(b)*p3, 17) * p4
	}
	for _, c := range b {
		h = bits.RotateLeft32(h+uint32(c)*p5, 11) * p1
	}
	h = (h ^ h>>15) * p2
	h = (h ^ h>>13) * p3
	return h ^ h>>16
}

// put gives a copy of b with other bytes at an offset.
func put(b []byte, at int, with ...byte) []byte {
	out := slices.Clone(b)
	copy(out[at:], with)
	return out
}

func le16(n uint16) []byte { return binary.LittleEndian.AppendUint16(nil, n) }
func le32(n uint32) []byte { return binary.LittleEndian.AppendUint32(nil, n) }
func le64(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }
func be32(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }

// cuts calls yield with every proper prefix.
func cuts(b []byte, yield func(name string, cut []byte)) {
	for n := range b {
		yield(fmt.Sprintf("cut-%03d", n), b[:n])
	}
}

// flips calls yield with every bit flipped once.
func flips(b []byte, yield func(name string, flipped []byte)) {
	for bit := range 8 * len(b) {
		yield(fmt.Sprintf("flip-%03d.%d", bit/8, bit%8), put(b, bit/8, b[bit/8]^1<<(bit%8)))
	}
}

// The values that fields of each width are set to.
var (
	extremes16 = []uint16{0, 1, 2, 3, 255, 256, 4095, 4096, 8191, 8192, 32767, 32768, 65534, 65535}
	extremes32 = []uint32{
		0, 1, 2, 3, 4, 11, 12, 33, 35, 255, 65535, 65536, 65537,
		1<<31 - 9, 1<<31 - 8, 1<<31 - 2, 1<<31 - 1, 1 << 31, 1<<32 - 2, 1<<32 - 1,
	}
	extremes64 = []uint64{
		0, 2, 3, 1 << 16, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<32 + 1, 1 << 60, 1<<62 + 1,
		1<<63 - 1, 1 << 63, 1<<64 - 1,
	}
	arguments = []int64{
		-1 << 63, -1 << 32, -1<<31 - 1, -1 << 31, -2, -1, 0, 1, 2, 3, 4, 41, 43, 1<<16 - 1,
		1<<31 - 9, 1<<31 - 1, 1 << 31, 1 << 32, 1<<63 - 43, 1<<63 - 1,
	}
)

// inOrder goes through a map by name.
func inOrder[T any](m map[string]T) iter.Seq2[string, T] {
	return func(yield func(string, T) bool) {
		for _, name := range slices.Sorted(maps.Keys(m)) {
			if !yield(name, m[name]) {
				return
			}
		}
	}
}
