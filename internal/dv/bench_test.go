package dv

import (
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"testing"
)

const benchRows = 10_000_000

// benchSets are the densities that masks, positions and blobs are timed over.
func benchSets() (names []string, sets [][]int64) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, ppm := range []int{100, 1000, 10_000, 50_000, 100_000, 500_000} {
		var set []int64
		for p := range int64(benchRows) {
			if r.IntN(1_000_000) < ppm {
				set = append(set, p)
			}
		}
		names, sets = append(names, fmt.Sprintf("%g%%", float64(ppm)/10_000)), append(sets, set)
	}
	var runs, every []int64
	for p := int64(0); p < benchRows; p += r.Int64N(2000) {
		for end := min(p+r.Int64N(1000), benchRows); p < end; p++ {
			runs = append(runs, p)
		}
	}
	for p := range int64(benchRows) {
		every = append(every, p)
	}
	return append(names, "runs", "all"), append(sets, runs, every)
}

func BenchmarkTasks(b *testing.B) {
	names, sets := benchSets()
	for i, name := range names {
		v := New()
		if err := v.SetMany(sets[i]); err != nil {
			b.Fatal(err)
		}
		e, _ := v.EncodeBlob()
		blob, mask, out := e.Bytes(), make([]byte, benchRows/8), make([]int64, len(sets[i])+64)
		w, _ := ParseBlob(blob, Unknown)
		b.Run("crc/"+name, func(b *testing.B) {
			for b.Loop() {
				crc32.ChecksumIEEE(blob)
			}
		})
		b.Run("parse/"+name, func(b *testing.B) {
			for b.Loop() {
				ParseBlob(blob, Unknown)
			}
		})
		b.Run("mask/"+name, func(b *testing.B) {
			for b.Loop() {
				w.KeepMask(0, benchRows, mask)
			}
		})
		b.Run("positions/"+name, func(b *testing.B) {
			for b.Loop() {
				w.Positions(0, benchRows, out)
			}
		})
		b.Run("T1/"+name, func(b *testing.B) {
			for b.Loop() {
				BlobKeepMask(blob, Unknown, 0, benchRows, mask)
			}
		})
		b.Run("T2/"+name, func(b *testing.B) {
			for b.Loop() {
				BlobPositions(blob, Unknown, out)
			}
		})
		b.Run("build/"+name, func(b *testing.B) {
			for b.Loop() {
				New().SetMany(sets[i])
			}
		})
		shuffled := append([]int64(nil), sets[i]...)
		rand.New(rand.NewPCG(1, 1)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		b.Run("unsorted/"+name, func(b *testing.B) {
			for b.Loop() {
				New().SetMany(shuffled)
			}
		})
		other := New()
		for _, p := range sets[i] {
			shuffled[0] = p + 1
			if p%2 == 0 {
				other.SetMany(shuffled[:1])
			}
		}
		oe, _ := other.EncodeBlob()
		otherBlob := oe.Bytes()
		b.Run("T4/"+name, func(b *testing.B) {
			for b.Loop() {
				x, _ := ParseBlob(blob, Unknown)
				y, _ := ParseBlob(otherBlob, Unknown)
				x.Or(y)
				e, _ := x.EncodeBlob()
				e.Bytes()
			}
		})
		b.Run("T8/"+name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 1))
			x, _ := ParseBlob(blob, Unknown)
			few, window := make([]int64, 100), make([]byte, 512)
			for b.Loop() {
				for i := range few {
					few[i] = r.Int64N(benchRows)
				}
				x.SetMany(few)
				x.KeepMask(r.Int64N(benchRows-4096), 4096, window)
			}
		})
		b.Run("T3/"+name, func(b *testing.B) {
			for b.Loop() {
				v := New()
				v.SetMany(sets[i])
				e, _ := v.EncodeBlob()
				e.Bytes()
			}
		})
	}
}
