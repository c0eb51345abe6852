package kernel

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// atBoundary gives size bytes that begin at a boundary of 64.
func atBoundary(size int) []byte {
	buf := bytes.Repeat([]byte{0xEE}, size+64)
	skip := -uintptr(unsafe.Pointer(&buf[0])) & 63
	return buf[skip : int(skip)+size]
}

func TestBytesAtEveryAlignment(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	src := randomBitmap(r)
	for at := range 64 {
		for _, n := range []int{0, 1, 63, 64, 65, 127, 128, 129, 191, 192, 200, 1000} {
			buf, want := atBoundary(1200), atBoundary(1200)
			check := func(what string) {
				t.Helper()
				if !bytes.Equal(buf, want) {
					t.Fatalf("%s of %d bytes at %d differs", what, n, at)
				}
			}
			Fill(buf[at:at+n], 0x5A)
			fillGeneric(want[at:at+n], 0x5A)
			check("fill")
			Xor(buf[at:at+n], src[n&31:], 0xFF)
			xorGeneric(want[at:at+n], src[n&31:], 0xFF)
			check("xor")
			Xor(buf[at:at+n], buf[at:at+n], 0x0F)
			xorGeneric(want[at:at+n], want[at:at+n], 0x0F)
			check("xor in place")
		}
	}
}

// atEveryAlignment calls write with room for n positions at each multiple of 8 bytes and in between, and compares what it
// leaves there, and beside it, with want.
func atEveryAlignment(t *testing.T, want []int64, write func(dst []int64, store Store)) {
	t.Helper()
	n := len(want)
	expected := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(want))), 8*n)
	for _, store := range []Store{Cached, Streamed} {
		for at := 0; at < 64; at += 4 {
			buf := atBoundary(64 + 8*n + 64)
			// A host may hand over an address that is no multiple of 8.
			write(unsafe.Slice((*int64)(unsafe.Pointer(&buf[at])), n), store)
			got, before, behind := buf[at:at+8*n], buf[:at], buf[at+8*n:]
			if !bytes.Equal(got, expected) {
				t.Fatalf("%d positions at %d, streamed %v: %x, expected %x", n, at, store, got, expected)
			}
			if bytes.Count(before, []byte{0xEE}) != len(before) || bytes.Count(behind, []byte{0xEE}) != len(behind) {
				t.Fatalf("%d positions at %d, streamed %v: written beside them", n, at, store)
			}
		}
	}
}

func TestPositionsAtEveryAlignment(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	const base = 7 << 40
	for n := range 100 {
		values := ascendingValues(r, n, 300)
		want := make([]int64, len(values)/2)
		widenGeneric(want, values, base)
		atEveryAlignment(t, want, func(dst []int64, store Store) { Widen(dst, values, base, store) })

		numbers := make([]int64, n)
		countGeneric(numbers, base)
		atEveryAlignment(t, numbers, func(dst []int64, store Store) { Count(dst, base, store) })

		runs := randomRuns(r, n)
		positions := positionsOfRuns(runs, base)
		atEveryAlignment(t, positions, func(dst []int64, store Store) { PositionsOfRuns(dst, runs, base, len(dst), store) })
	}
	for range 10 {
		bitmap := randomBitmap(r)
		want := make([]int64, popcountGeneric(bitmap))
		positionsGeneric(want, bitmap[:], base)
		atEveryAlignment(t, want, func(dst []int64, _ Store) { Positions(dst, bitmap[:], base, len(dst)) })
	}
}

func positionsOfRuns(runs []byte, base int64) []int64 {
	out := []int64{}
	for ; len(runs) >= 4; runs = runs[4:] {
		for i := range u16(runs, 1) + 1 {
			out = append(out, base+int64(u16(runs, 0)+i))
		}
	}
	return slices.Clip(out)
}

// TestKeepBytesAtEveryAlignment has the words end where the memory does that may be read.
func TestKeepBytesAtEveryAlignment(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 36))
	bitmap := randomBitmap(r)
	for at := range 64 {
		for words := range 20 {
			src := slices.Clone(bitmap[:8*words])
			buf, want := atBoundary(64*21+64), atBoundary(64*21+64)
			KeepBytes(buf[at:at+64*words], src)
			keepBytesGeneric(want[at:at+64*words], src)
			if !bytes.Equal(buf, want) {
				t.Fatalf("keep bytes of %d words at %d differ", words, at)
			}
		}
	}
}

func TestIndices(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 38))
	for i := range 200 {
		bitmap := randomBitmap(r)
		if i%2 == 0 { // few zeros, as in a keep mask
			xorGeneric(bitmap[:], bitmap[:], 0xFF)
		}
		words := bitmap[:8*r.IntN(1025)]
		positions := make([]int64, 65536)
		positions = positions[:positionsGeneric(positions, words, 0)]
		base := r.Uint32()
		for _, indices := range []func(dst []uint32) int{
			func(dst []uint32) int { return Indices(dst, words, base, len(positions)) },
			func(dst []uint32) int { return indicesGeneric(dst, words, base) },
		} {
			dst := slices.Repeat([]uint32{7}, len(positions)+1)
			if n := indices(dst[:len(dst)-1]); n != len(positions) || dst[len(dst)-1] != 7 {
				t.Fatalf("%d indices, expected %d, or one more was written", n, len(positions))
			}
			for i, p := range positions {
				if dst[i] != base+uint32(p) {
					t.Fatalf("index %d is %d, expected %d", i, dst[i], base+uint32(p))
				}
			}
		}
	}
}

func TestShiftDown(t *testing.T) {
	r := rand.New(rand.NewPCG(39, 40))
	bitmap := randomBitmap(r)
	for n := range 400 {
		for by := uint(1); by < 8; by++ {
			src := slices.Clone(bitmap[n : 2*n+1])
			got, want := offset(make([]byte, n), n%5), make([]byte, n)
			for i := range 8 * n {
				from := i + int(by)
				want[i>>3] |= src[from>>3] >> (from & 7) & 1 << (i & 7)
			}
			ShiftDown(got, src, by)
			if !bytes.Equal(got, want) || got[:n+1][n] != 0xEE {
				t.Fatalf("%d bytes, shifted by %d, differ", n, by)
			}
			if shiftDownGeneric(got, src, by); !bytes.Equal(got, want) {
				t.Fatalf("%d bytes, shifted by %d without assembly, differ", n, by)
			}
		}
	}
}
