package puffin

import (
	"fmt"
	"testing"

	"github.com/libdv/libdv/internal/storage"
)

// benchVectors is how many vectors, of 1,000 positions each, a file of the benchmarks has.
const benchVectors = 1000

// manyVectors is a file with a footer that is longer than its last bytes which Open asks for first.
func manyVectors(b *testing.B) storage.Source {
	b.Helper()
	w := newWriter(b, "")
	positions := make([]int64, 1000)
	for i := range benchVectors {
		for j := range positions {
			positions[j] = int64(100*j + (i+j*j)%100)
		}
		ok(b, w.Add(fmt.Sprintf("s3://warehouse/db/table/data/%05d.parquet", i), positions, 0, nil))
	}
	file, _ := flush(b, w, "s3://warehouse/db/table/data/deletes.puffin")
	return storage.Memory(file)
}

func BenchmarkOpen(b *testing.B) {
	src := manyVectors(b)
	b.ReportAllocs()
	for b.Loop() {
		_, err := Open(src)
		ok(b, err)
	}
}

func BenchmarkRead(b *testing.B) {
	src := manyVectors(b)
	f, err := Open(src)
	ok(b, err)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		_, err := f.Read(src, i%benchVectors)
		ok(b, err)
	}
}
