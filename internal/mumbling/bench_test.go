package mumbling

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/libdv/libdv/internal/golden"
)

// hundred is a bitmap of 100 random positions of 50,000 rows.
func hundred(t testing.TB) []byte {
	data, err := FromVector(vectorOf(t, sample(100)))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// sample returns count random positions of 50,000, ascending.
func sample(count int) []int64 {
	random := rand.New(rand.NewPCG(13, uint64(count)))
	set := make([]int64, count)
	for i, p := range random.Perm(50000)[:count] {
		set[i] = int64(p)
	}
	slices.Sort(set)
	return set
}

var benchFiles = []struct {
	name string
	rows int32
}{
	{"hundred", 50000},
	{"random_1pct_50k", 50000}, {"random_10pct_50k", 50000}, {"random_50pct_50k", 50000},
	{"max_position", 1 << 21}, {"random_1pct_2m", 1 << 21}, {"containers_8192", 1 << 21}, {"random_50pct_2m", 1 << 21},
	{"containers_8192_full_but_one", 1 << 21},
}

func each(b *testing.B, run func(b *testing.B, data []byte, rows int32)) {
	for _, f := range benchFiles {
		var data []byte
		if f.name == "hundred" {
			data = hundred(b)
		} else {
			data = golden.Read(b, "mumbling/"+f.name+".bin")
		}
		b.Run(f.name, func(b *testing.B) {
			b.ReportAllocs()
			run(b, data, f.rows)
		})
	}
}

func must(b *testing.B, err error) {
	if err != nil {
		b.Fatal(err)
	}
}

// From stored bytes to a mask of all rows, opening included.
func BenchmarkReadMask(b *testing.B) {
	each(b, func(b *testing.B, data []byte, rows int32) {
		out := make([]byte, (rows+7)/8)
		for b.Loop() {
			m, err := Read(data)
			must(b, err)
			must(b, m.KeepMask(0, rows, out))
		}
	})
}

// From stored bytes to all positions, opening included.
func BenchmarkReadPositions(b *testing.B) {
	each(b, func(b *testing.B, data []byte, rows int32) {
		out := make([]int32, rows)
		for b.Loop() {
			m, err := Read(data)
			must(b, err)
			_, err = m.Positions(out)
			must(b, err)
		}
	})
}

// A window that begins in the middle of a byte.
func BenchmarkMaskShifted(b *testing.B) {
	each(b, func(b *testing.B, data []byte, rows int32) {
		out := make([]byte, (rows+7)/8)
		m := open(b, data)
		for b.Loop() {
			must(b, m.KeepMask(3, rows, out))
		}
	})
}

func BenchmarkIsSetMany(b *testing.B) {
	each(b, func(b *testing.B, data []byte, rows int32) {
		asked := make([]int32, 1000)
		for i := range asked {
			asked[i] = int32(i) * (rows / 1000)
		}
		out := make([]byte, len(asked))
		m := open(b, data)
		for b.Loop() {
			must(b, m.IsSetMany(asked, out))
		}
	})
}

func BenchmarkFromVector(b *testing.B) {
	each(b, func(b *testing.B, data []byte, rows int32) {
		v, err := open(b, data).ToVector()
		must(b, err)
		for b.Loop() {
			_, err := FromVector(v)
			must(b, err)
		}
	})
}

func BenchmarkToVector(b *testing.B) {
	each(b, func(b *testing.B, data []byte, rows int32) {
		m := open(b, data)
		for b.Loop() {
			_, err := m.ToVector()
			must(b, err)
		}
	})
}
