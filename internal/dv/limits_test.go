package dv

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/storage"
)

func TestRefusedArguments(t *testing.T) {
	v := of(t, []int64{1, 5})
	small := make([]byte, 1)
	contains := func(p int64) error { _, err := v.Contains(p); return err }
	for _, c := range []struct {
		name string
		err  error
		want error
	}{
		{"set -1", v.Set(-1), fault.ErrInvalidArgument},
		{"set past the maximum", v.Set(MaxPosition + 1), fault.ErrInvalidArgument},
		{"set many with one bad", v.SetMany([]int64{7, -1}), fault.ErrInvalidArgument},
		{"set many past the maximum", v.SetMany([]int64{8, MaxPosition + 1}), fault.ErrInvalidArgument},
		{"range from -1", v.SetRange(-1, 4), fault.ErrInvalidArgument},
		{"range past the maximum", v.SetRange(0, MaxPosition+2), fault.ErrInvalidArgument},
		{"a range of everything", v.SetRange(0, MaxPosition+1), fault.ErrLimit},
		{"contains -1", contains(-1), fault.ErrInvalidArgument},
		{"contains past the maximum", contains(math.MaxInt64), fault.ErrInvalidArgument},
		{"contains many, short", v.ContainsMany([]int64{1, 2}, small), fault.ErrTooSmall},
		{"mask from -1", v.KeepMask(-1, 1, small), fault.ErrInvalidArgument},
		{"mask of -1", v.KeepMask(0, -1, small), fault.ErrInvalidArgument},
		{"mask past int64", v.DeleteMask(2, math.MaxInt64, small), fault.ErrInvalidArgument},
		{"mask, short", v.KeepMask(0, 9, small), fault.ErrTooSmall},
		{"mask of all rows, short", v.KeepMask(0, math.MaxInt64, small), fault.ErrTooSmall},
		{"bytes, short", v.KeepBytes(0, 2, small), fault.ErrTooSmall},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, expected %v", c.name, c.err, c.want)
		}
	}
	if v.Cardinality() != 2 {
		t.Errorf("failed calls left %d positions, expected the 2 of before", v.Cardinality())
	}
	if err := errors.Join(v.SetRange(9, 9), v.SetRange(9, -5), v.SetRange(MaxPosition+1, MaxPosition+1)); err != nil || v.Cardinality() != 2 {
		t.Errorf("empty ranges: %v, %d positions", err, v.Cardinality())
	}
	if n, err := v.KeepIndices(0, 10, make([]uint32, 7)); n != 8 || !errors.Is(err, fault.ErrTooSmall) {
		t.Errorf("kept indices into 7: %d, %v; expected 8 needed", n, err)
	}
	if _, err := v.KeepIndices(0, math.MaxUint32+2, nil); !errors.Is(err, fault.ErrInvalidArgument) {
		t.Errorf("kept indices of 2^32+1 rows: %v", err)
	}
}

func TestReadingRangesMayEndAnywhere(t *testing.T) {
	v := of(t, []int64{3, MaxPosition})
	if n, err := v.Count(0, math.MaxInt64); n != 2 || err != nil {
		t.Errorf("count: %d, %v", n, err)
	}
	if n, err := v.Count(MaxPosition, math.MaxInt64); n != 1 || err != nil {
		t.Errorf("count of the last: %d, %v", n, err)
	}
	out := make([]int64, 3)
	if n, err := v.Positions(4, math.MaxInt64, out); n != 1 || err != nil || out[0] != MaxPosition {
		t.Errorf("positions: %d, %v, %d", n, err, out[0])
	}
	if n, err := v.Positions(math.MaxInt64-1, math.MaxInt64, out); n != 0 || err != nil {
		t.Errorf("positions beyond: %d, %v", n, err)
	}
	mask := make([]byte, 2)
	if err := v.KeepMask(MaxPosition-3, 16, mask); err != nil || mask[0] != 0b11110111 || mask[1] != 0xFF {
		t.Errorf("mask around the last position: %08b, %v", mask, err)
	}
	if err := v.KeepMask(math.MaxInt64-8, 8, mask); err != nil || mask[0] != 0xFF {
		t.Errorf("mask beyond the last position: %08b, %v", mask, err)
	}
}

func TestLargeRange(t *testing.T) {
	v := New()
	const span = int64(1) << 35
	if err := v.SetRange(5, span); err != nil {
		t.Fatal(err)
	}
	if v.Cardinality() != span-5 {
		t.Errorf("cardinality %d, expected %d", v.Cardinality(), span-5)
	}
	w, err := ParseBlob(blobOf(t, v), span-5)
	if err != nil || !w.Equals(v) {
		t.Errorf("through bytes: %v", err)
	}
}

// frame puts length, magic and CRC around a bitmap.
func frame(bitmap []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(4+len(bitmap)))
	out = binary.LittleEndian.AppendUint32(out, Magic)
	out = append(out, bitmap...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

func TestEmptyBlobOfTheSpecification(t *testing.T) {
	const want = "\x00\x00\x00\x0c\xd1\xd3\x39\x64\x00\x00\x00\x00\x00\x00\x00\x00\xbf\x18\x48\x0c"
	if got := string(blobOf(t, New())); got != want {
		t.Errorf("%x, expected %x", got, want)
	}
}

func TestMagics(t *testing.T) {
	good := blobOf(t, of(t, []int64{1}))
	for _, c := range []struct {
		magic []byte
		want  error
		says  string
	}{
		{[]byte{0xD0, 0xD3, 0x39, 0x64}, fault.ErrUnsupported, "1681511376"},
		{[]byte{0x64, 0x39, 0xD3, 0xD1}, fault.ErrCorrupt, "big-endian"},
		{[]byte{0, 0, 0, 0}, fault.ErrCorrupt, "expected d1d33964"},
	} {
		bad := append([]byte(nil), good...)
		copy(bad[4:], c.magic)
		binary.BigEndian.PutUint32(bad[len(bad)-4:], crc32.ChecksumIEEE(bad[4:len(bad)-4]))
		if _, err := ParseBlob(bad, Unknown); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("magic %x: %v", c.magic, err)
		}
	}
}

func TestForeignFormsAreNamed(t *testing.T) {
	bitmap32 := bitmapOf(t, of(t, []int64{1, 2, 3}))[12:]
	legacy := append([]byte{0, 0, 0, 0, 1, 0, 0, 0, 0}, bitmap32...) // unsigned flag, count and key big endian
	if _, err := ParseBitmap(legacy); !errors.Is(err, fault.ErrCorrupt) || !strings.Contains(err.Error(), "Roaring64NavigableMap") {
		t.Errorf("legacy form: %v", err)
	}
}

func TestOldFaultIsNamed(t *testing.T) {
	for _, n := range []int64{100, 4096} {
		full := make([]byte, bitmapBytes)
		for i := range n {
			full[i*2>>3] |= 1 << (i * 2 & 7)
		}
		bitmap := []byte{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3A, 0x30, 0, 0, 1, 0, 0, 0, 0, 0, byte(n - 1), byte((n - 1) >> 8), 16, 0, 0, 0}
		_, err := ParseBitmap(append(bitmap, full...))
		if !errors.Is(err, fault.ErrCorrupt) || !strings.Contains(err.Error(), "old fault") {
			t.Errorf("%d values as a bitmap: %v", n, err)
		}
	}
}

func TestLargestPosition(t *testing.T) {
	last := of(t, []int64{MaxPosition})
	data := blobOf(t, last)
	if _, err := ParseBlob(data, 1); err != nil {
		t.Fatal(err)
	}
	data[len(data)-6]++ // one position further
	if _, err := ParseBlob(frame(data[8:len(data)-4]), 1); !errors.Is(err, fault.ErrCorrupt) || !strings.Contains(err.Error(), "position 9223372030412324865") {
		t.Errorf("a position past the maximum: %v", err)
	}
}

func TestPadding(t *testing.T) {
	bitmap := bitmapOf(t, of(t, []int64{1, 2, 9}))
	padded := frame(append(append([]byte(nil), bitmap...), 0, 0, 0))
	if v, err := ParseRecord(padded, 3); err != nil || v.Cardinality() != 3 {
		t.Errorf("zero padding in a record: %v", err)
	}
	if _, err := ParseBlob(padded, 3); !errors.Is(err, fault.ErrCorrupt) {
		t.Errorf("zero padding in a blob: %v", err)
	}
	if _, err := ParseRecord(frame(append(append([]byte(nil), bitmap...), 0, 1)), 3); !errors.Is(err, fault.ErrCorrupt) {
		t.Errorf("other bytes after the bitmap of a record: %v", err)
	}
}

func TestViewIsIndependentOnceChanged(t *testing.T) {
	for name, change := range map[string]func(*Vector) error{
		"set":      func(v *Vector) error { return v.Set(70001) },
		"set many": func(v *Vector) error { return v.SetMany([]int64{70001, 70002}) },
		"or":       func(v *Vector) error { return v.Or(of(t, []int64{70001})) },
		"and not":  func(v *Vector) error { return v.AndNot(of(t, []int64{1})) },
	} {
		data := blobOf(t, of(t, []int64{1, 2, 70000}))
		v, err := ViewBlob(data, 3)
		if err != nil {
			t.Fatal(err)
		}
		copied, united := v.Clone(), of(t, []int64{1})
		if err := errors.Join(change(v), united.Or(v)); err != nil {
			t.Fatal(err)
		}
		before := all(t, v)
		clear(data)
		if got := all(t, v); len(got) != len(before) || got[0] != before[0] {
			t.Errorf("%s: the borrowed bytes are still used: %v", name, got)
		}
		if got := all(t, copied); len(got) != 3 || got[2] != 70000 {
			t.Errorf("%s: the copy uses the borrowed bytes: %v", name, got)
		}
	}
	data := blobOf(t, of(t, []int64{1, 2, 70000}))
	v, _ := ViewBlob(data, 3)
	into, fresh := of(t, []int64{9}), New()
	if err := errors.Join(into.Or(v), fresh.Or(v)); err != nil {
		t.Fatal(err)
	}
	clear(data)
	if got := all(t, into); len(got) != 4 || got[3] != 70000 {
		t.Errorf("or keeps the borrowed bytes: %v", got)
	}
	if got := all(t, fresh); len(got) != 3 || got[2] != 70000 {
		t.Errorf("or into an empty vector keeps the borrowed bytes: %v", got)
	}
}

// Readers of one changed vector make payloads at the same time.
func TestConcurrentReaders(t *testing.T) {
	v := New()
	for i := range int64(200) {
		if err := errors.Join(v.Set(i*70000), v.Set(i*70000+3)); err != nil {
			t.Fatal(err)
		}
	}
	var wg sync.WaitGroup
	for g := range int64(8) {
		wg.Go(func() {
			mask, out := make([]byte, 20000), make([]int64, 401)
			for i := range int64(20) {
				if err := v.KeepMask((g*20+i)*70000, 160000, mask); err != nil || mask[0] != 0b11110110 {
					t.Errorf("mask %08b, %v", mask[0], err)
				}
			}
			if n, err := v.Positions(0, math.MaxInt64, out); n != 400 || err != nil {
				t.Errorf("positions: %d, %v", n, err)
			}
		})
	}
	wg.Wait()
}

func TestReadRange(t *testing.T) {
	blob := blobOf(t, of(t, []int64{5, 6}))
	src := storage.Memory(append([]byte("xxx"), append(blob, 'y')...))
	if v, err := ReadRange(src, 3, int64(len(blob)), 2); err != nil || v.Cardinality() != 2 {
		t.Errorf("%v", err)
	}
	for _, c := range []struct{ offset, size, expected int64 }{
		{2, int64(len(blob)), 2}, {3, int64(len(blob)) + 1, 2}, {3, int64(len(blob)) - 1, 2}, {3, 1000, 2}, {1 << 40, 20, 2},
	} {
		if _, err := ReadRange(src, c.offset, c.size, c.expected); !errors.Is(err, fault.ErrCorrupt) {
			t.Errorf("%v: %v, expected corrupt", c, err)
		}
	}
	if _, err := ReadRange(src, 3, int64(len(blob)), 0); !errors.Is(err, fault.ErrMismatch) {
		t.Errorf("0 is an expectation: %v", err)
	}
	if _, err := ReadRange(src, -1, 20, 2); !errors.Is(err, fault.ErrInvalidArgument) {
		t.Errorf("a negative offset: %v", err)
	}
}

// A count is never believed: the sixteen bytes that announce 2^32 bitmaps cost nothing.
func TestCountsCostNothing(t *testing.T) {
	for _, data := range [][]byte{
		{0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0x3A, 0x30, 0, 0},
		{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3A, 0x30, 0, 0, 0, 0, 1, 0},
		{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3B, 0x30, 0xFF, 0xFF, 0, 0, 0, 0},
	} {
		allocated := testing.AllocsPerRun(10, func() {
			if _, err := ParseBitmap(data); !errors.Is(err, fault.ErrCorrupt) {
				t.Fatal(err)
			}
		})
		if allocated > 20 {
			t.Errorf("%v allocations", allocated)
		}
	}
}

// Opening costs the same few objects whatever the bitmap holds.
func TestOpeningAllocatesAFixedNumberOfObjects(t *testing.T) {
	for _, n := range []int64{1, 1000, 300000} {
		positions := make([]int64, n)
		for i := range positions {
			positions[i] = int64(i) * 65537 * 13
		}
		data := blobOf(t, of(t, positions))
		if got := testing.AllocsPerRun(5, func() {
			if _, err := ViewBlob(data, n); err != nil {
				t.Fatal(err)
			}
		}); got > 2 {
			t.Errorf("%d positions: %v objects, expected at most 2", n, got)
		}
	}
}

// TestLargestRange takes 2^36 positions from anywhere on, and not one more.
func TestLargestRange(t *testing.T) {
	for _, start := range []int64{0, 1, 7, 65535, 65536} {
		v := New()
		if err := v.SetRange(start, start+1<<36); err != nil || v.Cardinality() != 1<<36 {
			t.Errorf("from %d on: %d positions, %v", start, v.Cardinality(), err)
		}
		if err := New().SetRange(start, start+1<<36+1); !errors.Is(err, fault.ErrLimit) {
			t.Errorf("from %d on, one more: %v", start, err)
		}
	}
}

// TestNothingIsWrittenBehindPositions has room for many more than there are.
func TestNothingIsWrittenBehindPositions(t *testing.T) {
	runs, bitmap, array := New(), New(), New()
	for p := int64(0); p < 1<<16; p += 2 {
		bitmap.Set(p)
		if p%9000 == 0 {
			array.Set(p)
		}
		if p%5000 == 0 {
			runs.SetRange(p, p+p%700+4)
		}
	}
	for _, v := range []*Vector{runs, bitmap, array} {
		e, err := v.EncodeBlob()
		if err != nil {
			t.Fatal(err)
		}
		n := int(v.Cardinality())
		for spare := range 130 {
			for i, positions := range []func(out []int64) (int, error){
				func(out []int64) (int, error) { return v.Positions(0, 1<<40, out) },
				func(out []int64) (int, error) { return BlobPositions(e.Bytes(), Unknown, out) },
			} {
				out := slices.Repeat([]int64{-7}, n+spare)
				if k, err := positions(out); k != n || err != nil {
					t.Fatalf("way %d: %d positions, expected %d: %v", i, k, n, err)
				}
				if at := slices.IndexFunc(out[n:], func(p int64) bool { return p != -7 }); at >= 0 {
					t.Fatalf("way %d: with room for %d and %d more, place %d behind the last is %d", i, n, spare, at, out[n+at])
				}
			}
		}
	}
}

// TestFirstFaultInOrder expects the fault that comes first in the bytes of every reader: a value, and not the key behind it.
func TestFirstFaultInOrder(t *testing.T) {
	data, _ := hex.DecodeString("0000003cd1d339640200000000000000000000003a300000010000000000020010000000c80005000900010000ff3a3000000100000000000000100000000000e8bce36d")
	_, parsed := ParseBlob(data, Unknown)
	masked := BlobKeepMask(data, Unknown, 0, 8, make([]byte, 1))
	if parsed == nil || masked == nil || parsed.Error() != masked.Error() || !strings.Contains(parsed.Error(), "byte 38") {
		t.Errorf("%v\n%v", parsed, masked)
	}
}
