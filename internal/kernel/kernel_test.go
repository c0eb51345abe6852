package kernel

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"testing"
)

// ascendingValues makes up to n ascending values with gaps below gap.
func ascendingValues(r *rand.Rand, n, gap int) []byte {
	var out []byte
	for v := r.IntN(gap); len(out) < 2*n && v < 65536; v += 1 + r.IntN(gap) {
		out = binary.LittleEndian.AppendUint16(out, uint16(v))
	}
	return out
}

func randomBitmap(r *rand.Rand) *Bitmap {
	var b Bitmap
	switch r.IntN(4) {
	case 0:
		for i := range b {
			b[i] = byte(r.Uint32())
		}
	case 1:
		for range r.IntN(6000) {
			v := r.IntN(65536)
			b[v>>3] |= 1 << (v & 7)
		}
	case 2:
		for i := range b {
			b[i] = byte(0xFF * r.IntN(2))
		}
	default:
		for i := range b {
			b[i] = 0xFF
		}
	}
	return &b
}

// offset returns a copy of p at an odd address, with canaries around it.
func offset(p []byte, by int) []byte {
	buf := bytes.Repeat([]byte{0xEE}, len(p)+by+70)
	copy(buf[by:], p)
	return buf[by : by+len(p) : by+len(p)+1]
}

func TestArrays(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 400 {
		values := offset(ascendingValues(r, n, 1+r.IntN(200)), r.IntN(5))
		if !Ascending(values) || FirstFall(values) != -1 {
			t.Fatalf("%d ascending values are refused", n)
		}
		if got, want := RunsOfArray(values), runsArrayGeneric(values); got != want {
			t.Fatalf("%d values: %d runs, expected %d", n, got, want)
		}
		count := len(values) / 2
		for at := 1; at < count; at++ { // a repeated or a smaller value at every place
			bad := slices.Clone(values)
			before := binary.LittleEndian.Uint16(bad[2*at-2:])
			binary.LittleEndian.PutUint16(bad[2*at:], before-min(before, uint16(at%3)))
			if Ascending(bad) || FirstFall(bad) != at {
				t.Fatalf("%d values: the fault at %d is not seen (%d)", count, at, FirstFall(bad))
			}
			// The place of the fault in a line of the output, and the line's in the memory, differ.
			shift, store := r.IntN(8), Store(r.IntN(2) == 0)
			out := make([]int64, count+shift)[shift:]
			if Widen(out, bad, 0, store) || !Widen(out[:at], bad, 0, store) || Widen(out[:at+1], bad, 0, store) {
				t.Fatalf("%d values: the fault at %d is not seen by the way", count, at)
			}
		}
		base := r.Int64N(1 << 40)
		for room := max(0, count-20); room <= count+2; room++ {
			got, want := make([]int64, room+1), make([]int64, room+1)
			if !Widen(got[:room], values, base, Cached) {
				t.Fatalf("%d of %d ascending values do not ascend", room, count)
			}
			widenGeneric(want[:min(room, count)], values, base)
			if !slices.Equal(got, want) {
				t.Fatalf("widened: %v, expected %v", got, want)
			}
		}
		positions := make([]int64, count)
		Widen(positions, values, base<<16, Cached)
		back := offset(make([]byte, 2*count), 1)
		if ok, _ := Pack(back, positions); !ok || !bytes.Equal(back, values) {
			t.Fatalf("packed: %x, expected %x", back, values)
		}
		bitmap, want := randomBitmap(r), Bitmap{}
		copy(want[:], bitmap[:])
		for i := range count {
			v := u16(values, i)
			want[v>>3] ^= 1 << (v & 7)
		}
		if Flip(bitmap[:], values); *bitmap != want {
			t.Fatalf("flipping %d values differs", count)
		}
		if count > 0 { // a bitmap that ends right behind the last value
			size := int(u16(values, count-1))/8 + 1
			part, all := offset(make([]byte, size), 3), make([]byte, 8192)
			Flip(part, values)
			if flipGeneric(all, values); !bytes.Equal(part, all[:size]) || part[:size+1][size:][0] != 0xEE {
				t.Fatalf("flipping %d values in %d bytes differs", count, size)
			}
		}
		twice := append(slices.Clone(values), values...)
		setGeneric(&want, twice)
		if Set(bitmap, twice); *bitmap != want {
			t.Fatalf("setting %d values differs", count)
		}
		numbers, expected := slices.Repeat([]int64{-7}, n+1), slices.Repeat([]int64{-7}, n+1)
		countGeneric(expected[:n], base)
		if Count(numbers[:n], base, Cached); !slices.Equal(numbers, expected) {
			t.Fatalf("counting %d: %v", n, numbers)
		}
	}
}

func TestSurvey(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := range 200 {
		positions := make([]int64, n)
		for i := range positions {
			positions[i] = r.Int64N(5) + int64(i)*r.Int64N(3)
			if r.IntN(50) == 0 {
				positions[i] = -positions[i]
			}
		}
		l, f, p := Survey(positions)
		wl, wf, wp := surveyGeneric(positions)
		if l != wl || f != wf || p != wp {
			t.Fatalf("%v: %d %d %d, expected %d %d %d", positions, l, f, p, wl, wf, wp)
		}
	}
}

func TestBitmaps(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 60 {
		a, b := (*Bitmap)(offset(randomBitmap(r)[:], 3)), randomBitmap(r)
		if got, want := Popcount(a), popcountGeneric(a); got != want || has256 && popcount256(&a[0]) != want {
			t.Fatalf("popcount %d, expected %d", got, want)
		}
		for _, with := range []byte{0, 0xFF} {
			buf, want := atBoundary(len(a)+64), make([]byte, len(a))
			xorGeneric(want, a[:], with)
			at := r.IntN(64)
			got := (*Bitmap)(buf[at:])
			if n := XorCount(got, a, with); n != popcountGeneric(a) || !bytes.Equal(got[:], want) {
				t.Fatalf("xor with %#x at %d: %d bits, expected %d", with, at, n, popcountGeneric(a))
			}
			if beside := append(buf[:at:at], buf[at+len(a):]...); bytes.Count(beside, []byte{0xEE}) != len(beside) {
				t.Fatalf("xor at %d wrote beside the bitmap", at)
			}
		}
		runs := runsBitsGeneric(a[:], 0)
		if got := RunsOfBitmap(a, 1<<16); got != runs {
			t.Fatalf("runs %d, expected %d", got, runs)
		}
		for _, limit := range []int{0, 5, runs - 1, runs, runs + 1} {
			if got := RunsOfBitmap(a, limit); got != runs && (got > runs || got <= limit) {
				t.Fatalf("%d runs up to %d: %d", runs, limit, got)
			}
		}
		var got, want Bitmap
		if n, k := Or(&got, a, b), orGeneric(&want, a, b); n != k || got != want {
			t.Fatalf("or: %d, expected %d", n, k)
		}
		if n, k := AndNot(&got, a, b), andNotGeneric(&want, a, b); n != k || got != want {
			t.Fatalf("and not: %d, expected %d", n, k)
		}
		testExpand(t, r, a)
	}
}

func testExpand(t *testing.T, r *rand.Rand, a *Bitmap) {
	t.Helper()
	count := Popcount(a)
	want := make([]int64, count)
	positionsGeneric(want, a[:], 1<<33)
	for _, room := range []int{0, 1, 63, 64, 65, count / 2, max(count-1, 0), count, count + 1, count + 100} {
		out := slices.Repeat([]int64{-7}, room+1)
		n := Positions(out[:room:room], a[:], 1<<33, count)
		if n != min(room, count) || !slices.Equal(out[:n], want[:n]) || out[room] != -7 {
			t.Fatalf("positions into %d: %d of %d", room, n, count)
		}
	}
	values, expected := offset(make([]byte, 2*count), 1), make([]byte, 2*count)
	valuesGeneric(expected, a, 0)
	if Values(values, a); !bytes.Equal(values, expected) {
		t.Fatalf("the %d values differ", count)
	}
	for _, n := range []int{0, 1, 8, 9, 64, 8191, 8192} {
		got, expected := offset(make([]byte, 8*n), 1), make([]byte, 8*n)
		KeepBytes(got, a[:n])
		if keepBytesGeneric(expected, a[:n]); !bytes.Equal(got, expected) {
			t.Fatalf("keep bytes of %d differ", n)
		}
	}
	for range 10 {
		n := r.IntN(300)
		with := byte(r.Uint32())
		got, expected := offset(make([]byte, n), r.IntN(9)), make([]byte, n)
		Xor(got, a[5:], with)
		if xorGeneric(expected, a[5:], with); !bytes.Equal(got, expected) {
			t.Fatalf("xor of %d bytes differs", n)
		}
		if has256 && n >= 64 {
			clear(got)
			xor256(&got[0], &a[5], n&^63, repeat(with))
			if !bytes.Equal(got[:n&^63], expected[:n&^63]) {
				t.Fatalf("xor256 of %d bytes differs", n)
			}
		}
		Fill(got, with)
		if fillGeneric(expected, with); !bytes.Equal(got, expected) || n > 0 && (got[0] != with || got[n-1] != with) {
			t.Fatalf("fill of %d bytes differs", n)
		}
	}
}

func TestAscending256(t *testing.T) {
	if !has256 {
		return // the generic twin is what runs, and TestArrays tests it
	}
	r := rand.New(rand.NewPCG(9, 9))
	for n := 17; n < 120; n++ {
		values := ascendingValues(r, n, 50)
		if count := len(values) / 2; count <= 16 || !ascending256(&values[0], count) {
			t.Fatalf("%d values are refused", count)
		}
		for at := 1; at < n; at++ {
			bad := slices.Clone(values)
			copy(bad[2*at:2*at+2], bad[2*at-2:])
			if ascending256(&bad[0], n) {
				t.Fatalf("the fault at %d of %d is not seen", at, n)
			}
		}
	}
}

func BenchmarkFlip(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var bitmap Bitmap
	for _, gap := range []int{1000, 200, 40} {
		values := ascendingValues(r, 4096, gap)
		b.Run("", func(b *testing.B) {
			for b.Loop() {
				Flip(bitmap[:], values)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(values)/2), "ns/value")
		})
	}
}

func TestPositionsOfRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for n := range 300 {
		var runs []byte
		var want []int64
		for at := 0; len(runs) < 4*n; {
			first := at + r.IntN(50)
			length := 1 + r.IntN(1+r.IntN(200))
			at = first + length + 1
			if at > 65536 {
				break
			}
			runs = binary.LittleEndian.AppendUint16(runs, uint16(first))
			runs = binary.LittleEndian.AppendUint16(runs, uint16(length-1))
			for i := range length {
				want = append(want, 1<<40+int64(first+i))
			}
		}
		for spare := range 20 {
			out := slices.Repeat([]int64{-7}, len(want)+spare+1)
			room := len(want) + spare
			if k := PositionsOfRuns(out[:room:room], runs, 1<<40, len(want), Cached); k != len(want) || !slices.Equal(out[:k], want) || out[room] != -7 {
				t.Fatalf("%d runs, %d positions, %d spare: %d written", n, len(want), spare, k)
			}
		}
	}
}

func TestCRC32(t *testing.T) {
	if got := CRC32([]byte("123456789")); got != 0xCBF43926 { // the check value of the algorithm's catalogue
		t.Fatalf("%08x", got)
	}
	r := rand.New(rand.NewPCG(13, 14))
	p := make([]byte, 5000)
	for i := range p {
		p[i] = byte(r.Uint32())
	}
	for n := range p {
		if got, want := CRC32(p[min(n%7, n):n]), crc32.ChecksumIEEE(p[min(n%7, n):n]); n >= 7 && got != want {
			t.Fatalf("%d bytes: %08x, expected %08x", n, got, want)
		}
		cut := r.IntN(n + 1)
		if got, want := CRC32Update(CRC32(p[:cut]), p[cut:n]), crc32.ChecksumIEEE(p[:n]); got != want {
			t.Fatalf("%d bytes and %d more: %08x, expected %08x", cut, n-cut, got, want)
		}
	}
}

func BenchmarkCRC32(b *testing.B) {
	p := make([]byte, 1250000)
	b.SetBytes(int64(len(p)))
	for b.Loop() {
		CRC32(p)
	}
}

// randomRuns makes ascending runs, some of which touch.
func randomRuns(r *rand.Rand, n int) []byte {
	var runs []byte
	for at := r.IntN(100); len(runs) < 4*n; {
		length := 1 + r.IntN(1+r.IntN(400))
		if at+length > 65536 {
			break
		}
		runs = binary.LittleEndian.AppendUint16(runs, uint16(at))
		runs = binary.LittleEndian.AppendUint16(runs, uint16(length-1))
		at += length + r.IntN(1+r.IntN(300))
	}
	return runs
}

func bitsOfRuns(runs []byte) *Bitmap {
	var b Bitmap
	for i := range len(runs) / 4 {
		first := u16(runs, 2*i)
		for v := first; v <= first+u16(runs, 2*i+1); v++ {
			b[v>>3] |= 1 << (v & 7)
		}
	}
	return &b
}

func TestRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	full := []byte{0, 0, 0xFF, 0xFF}
	for i := range 500 {
		a, b := randomRuns(r, r.IntN(200)), randomRuns(r, r.IntN(200))
		if i%50 == 0 {
			a = full
		}
		want := bitsOfRuns(a)
		var set, generic, cleared Bitmap
		if SetRuns(&set, a, 0xFF); set != *want {
			t.Fatalf("setting %d runs differs", len(a)/4)
		}
		if setRunsGeneric(&generic, a, ^uint64(0)); generic != *want {
			t.Fatalf("setting %d runs without assembly differs", len(a)/4)
		}
		Fill(cleared[:], 0xFF)
		SetRuns(&cleared, a, 0)
		if xorGeneric(cleared[:], cleared[:], 0xFF); cleared != *want {
			t.Fatalf("clearing %d runs differs", len(a)/4)
		}
		orGeneric(want, want, bitsOfRuns(b))
		got := make([]byte, len(a)+len(b))
		n, values := UnionRuns(got, a, b)
		if *bitsOfRuns(got[:n]) != *want || values != popcountGeneric(want) || n/4 != runsBitsGeneric(want[:], 0) {
			t.Fatalf("union of %d and %d runs: %d runs, %d values; expected %d, %d", len(a)/4, len(b)/4, n/4, values,
				runsBitsGeneric(want[:], 0), popcountGeneric(want))
		}
	}
}
