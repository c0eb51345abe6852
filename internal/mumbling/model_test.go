package mumbling

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/libdv/libdv/internal/fault"
)

// A second reading of the format: one bit at a time, as its text says it, with nothing of the
// package under test. Whatever bytes a test has, check holds the package against it.

var errModel = errors.New("the model refuses these bytes")

// modelBits returns count values of width bits from the front of data, most significant first.
func modelBits(data []byte, count, width int) []int {
	values := make([]int, count)
	bit := 0
	for i := range values {
		for range width {
			values[i] = values[i]<<1 | int(data[bit/8]>>(7-bit%8)&1)
			bit++
		}
	}
	return values
}

func modelPFOR(data []byte, count int) (values []byte, consumed int, err error) {
	total := len(data)
	take := func(n int) []byte {
		if n > len(data) {
			err = errModel
			return make([]byte, n)
		}
		taken := data[:n]
		data = data[n:]
		return taken
	}
	values = make([]byte, 0, count)
	for left := count; left > 0 && err == nil; {
		n := min(left, 256)
		left -= n
		header := take(3)
		b1, b2, e, m := int(header[0]%16), int(header[0]/16), int(header[1]), int(header[2])
		if b1 > 8 || e > n || e > 0 && b1+b2 > 8 || b1 == 8 && (e > 0 || b2 > 0) {
			return nil, 0, errModel
		}
		sums := modelBits(take((n*b1+7)/8), n, b1)
		offsets := take(e)
		seen := map[byte]bool{}
		for i, high := range modelBits(take((e*b2+7)/8), e, b2) {
			if int(offsets[i]) >= n || seen[offsets[i]] {
				return nil, 0, errModel
			}
			seen[offsets[i]] = true
			sums[offsets[i]] += high << b1
		}
		for _, sum := range sums {
			if sum+m > 255 {
				return nil, 0, errModel
			}
			values = append(values, byte(sum+m))
		}
	}
	if err != nil {
		return nil, 0, err
	}
	return values, total - len(data), nil
}

// model is what a bitmap's bytes say.
type model struct {
	opens       bool // Read accepts it
	unsupported bool // it is of another version
	readable    bool // the descriptors and containers are there
	ascending   bool // all sparse places ascend
	valid       bool // every promise holds
	cardinality int
	containers  int
	set         []bool // by position, up to the last container's end
	count       int    // positions, repeated ones counted each time
	unsorted    []int
}

func newModel(data []byte) (m model) {
	if len(data) < 6 {
		return m
	}
	if data[0] != 1 {
		m.unsupported = true
		return m
	}
	m.cardinality = int(data[1]) + int(data[2])*256 + int(data[3])*65536
	m.containers = int(data[4]) + int(data[5])*256
	if m.cardinality > 2097152 || m.containers > 8192 || len(data)-6 < (m.containers+255)/256*3 {
		return m
	}
	m.opens = true
	descriptors, consumed, err := modelPFOR(data[6:], m.containers)
	if err != nil {
		return m
	}
	rest := data[6+consumed:]
	m.set = make([]bool, m.containers*256)
	m.ascending, m.valid = true, true
	for c, d := range descriptors {
		size := int(d)
		if d >= 0x20 {
			size = 32
		}
		if d >= 0x40 || size > len(rest) {
			return model{opens: true, cardinality: m.cardinality, containers: m.containers}
		}
		stored := rest[:size]
		rest = rest[size:]
		if d < 0x20 {
			m.sparse(c, stored)
			continue
		}
		before := m.count
		for place, bit := range modelBits(stored, 256, 1) {
			if bit == 1 {
				m.set[c*256+place] = true
				m.count++
			}
		}
		m.valid = m.valid && m.count-before >= 32
	}
	m.readable = true
	m.valid = m.valid && m.ascending && len(rest) == 0 && m.count == m.cardinality
	return m
}

func (m *model) sparse(container int, places []byte) {
	for i, place := range places {
		m.set[container*256+int(place)] = true
		m.count++
		if i > 0 && place <= places[i-1] {
			m.ascending = false
			m.unsorted = append(m.unsorted, container)
		}
	}
}

func (m *model) positions() []int32 {
	var out []int32
	for p, set := range m.set {
		if set {
			out = append(out, int32(p))
		}
	}
	return out
}

func (m *model) has(position int) bool { return position < len(m.set) && m.set[position] }

// faultless tells whether the window touches no container with unsorted places.
func (m *model) faultless(start, length int) bool {
	for _, c := range m.unsorted {
		if c*256 < start+length && start < (c+1)*256 && length > 0 {
			return false
		}
	}
	return true
}

func (m *model) mask(start, length int) []byte {
	out := make([]byte, (length+7)/8)
	for i := range length {
		if !m.has(start + i) {
			out[i/8] |= 1 << (i % 8)
		}
	}
	return out
}

// check compares every answer of the package for data with the model's.
func check(t testing.TB, data []byte) {
	t.Helper()
	m := newModel(data)
	b, err := Read(data)
	owned, ownedErr := ReadOwned(data)
	if fmt.Sprint(err) != fmt.Sprint(ownedErr) {
		t.Fatalf("%x: Read: %v, ReadOwned: %v", cut(data), err, ownedErr)
	}
	if !m.opens {
		want := fault.ErrCorrupt
		if m.unsupported {
			want = fault.ErrUnsupported
		}
		if !errors.Is(err, want) || b != nil {
			t.Fatalf("%x: Read: %v, expected %v", cut(data), err, want)
		}
		return
	}
	if err != nil {
		t.Fatalf("%x: Read: %v", cut(data), err)
	}
	if int(b.Cardinality()) != m.cardinality || !bytes.Equal(b.Buffer(), data) {
		t.Fatalf("%x: cardinality %d, expected %d, or another buffer", cut(data), b.Cardinality(), m.cardinality)
	}
	checkValidate(t, owned, data, &m)
	checkIsSet(t, b, &m)
	checkPositions(t, b, &m)
	checkMasks(t, b, &m)
	checkValidate(t, b, data, &m)
}

func checkValidate(t testing.TB, b *Bitmap, data []byte, m *model) {
	t.Helper()
	if err := b.Validate(); (err == nil) != m.valid || err != nil && fault.Kind(err) != fault.ErrCorrupt {
		t.Fatalf("%x: validate: %v, expected it to be valid: %v", cut(data), err, m.valid)
	}
}

func checkIsSet(t testing.TB, b *Bitmap, m *model) {
	t.Helper()
	var asked []int32
	for p := range int32(min(m.containers, 20)*256 + 300) {
		asked = append(asked, p)
	}
	asked = append(asked, m.positions()...)
	asked = append(asked, int32(m.containers*256-1), int32(m.containers*256), 2097151, 2097152, 1<<31-1)
	asked = slices.DeleteFunc(asked, func(p int32) bool { return p < 0 })
	got := bytes.Repeat([]byte{7}, len(asked)+1)
	err := b.IsSetMany(asked, got)
	if m.readable != (err == nil) || err != nil && fault.Kind(err) != fault.ErrCorrupt {
		t.Fatalf("is-set-many: %v, expected it to be readable: %v", err, m.readable)
	}
	for i, p := range asked {
		one, err := b.IsSet(p)
		if !m.readable {
			if fault.Kind(err) != fault.ErrCorrupt {
				t.Fatalf("is-set %d: %v, expected %v", p, err, fault.ErrCorrupt)
			}
			return
		}
		if err != nil || one != m.has(int(p)) || (got[i] == 1) != m.has(int(p)) || got[i] > 1 {
			t.Fatalf("position %d: %v, %v, of many %d, expected %v", p, one, err, got[i], m.has(int(p)))
		}
	}
	if got[len(asked)] != 7 {
		t.Fatal("is-set-many wrote past its results")
	}
}

func checkPositions(t testing.TB, b *Bitmap, m *model) {
	t.Helper()
	out := slices.Repeat([]int32{-7}, m.count+3)
	n, err := b.Positions(out)
	v, vectorErr := b.ToVector()
	if !m.readable || !m.ascending || m.count != m.cardinality {
		if fault.Kind(err) != fault.ErrCorrupt || n != 0 || fault.Kind(vectorErr) != fault.ErrCorrupt || v != nil {
			t.Fatalf("positions: %d, %v, to vector: %v, expected %v", n, err, vectorErr, fault.ErrCorrupt)
		}
		return
	}
	want := m.positions()
	if err != nil || !slices.Equal(want, out[:n]) || !slices.Equal(out[n:], []int32{-7, -7, -7}) {
		t.Fatalf("positions: %v, %v, expected %v", out, err, want)
	}
	if n > 0 {
		if need, err := b.Positions(out[:n-1]); need != n || fault.Kind(err) != fault.ErrTooSmall {
			t.Fatalf("positions into too little: %d, %v, expected %d and %v", need, err, n, fault.ErrTooSmall)
		}
	}
	if vectorErr != nil || v.Cardinality() != int64(n) {
		t.Fatalf("to vector: %v, expected %d positions", vectorErr, n)
	}
	if got := listed(t, v); !slices.Equal(got, widened(want)) {
		t.Fatalf("to vector: %v, expected %v", got, want)
	}
}

func checkMasks(t testing.TB, b *Bitmap, m *model) {
	t.Helper()
	rows := m.containers * 256
	windows := [][2]int{{0, rows}, {0, rows + 1000}, {0, 0}, {rows, 77}, {1 << 21, 9}}
	if rows > 1<<17 {
		rows = 1 << 17 // the model is slow
	}
	random := rand.New(rand.NewPCG(uint64(rows), uint64(m.count)))
	for range 12 {
		start := random.IntN(rows + 100)
		windows = append(windows, [2]int{start, random.IntN(rows + 300)}, [2]int{start &^ 7, random.IntN(600)})
	}
	for _, w := range windows {
		checkMask(t, b, m, w[0], w[1])
	}
}

func checkMask(t testing.TB, b *Bitmap, m *model, start, length int) {
	t.Helper()
	size := (length + 7) / 8
	out := bytes.Repeat([]byte{0xA5}, size+2)
	err := b.KeepMask(int32(start), int32(length), out)
	if !m.readable || !m.faultless(start, length) {
		if fault.Kind(err) != fault.ErrCorrupt {
			t.Fatalf("mask of %d from %d: %v, expected %v", length, start, err, fault.ErrCorrupt)
		}
		return
	}
	if err != nil {
		t.Fatalf("mask of %d from %d: %v", length, start, err)
	}
	if want := m.mask(start, length); !bytes.Equal(out[:size], want) {
		t.Fatalf("mask of %d from %d: %x, expected %x", length, start, out[:size], want)
	}
	if out[size] != 0xA5 || out[size+1] != 0xA5 {
		t.Fatalf("mask of %d from %d: wrote past its end", length, start)
	}
}

// cut keeps a failing input short in a message.
func cut(data []byte) []byte { return data[:min(len(data), 200)] }
