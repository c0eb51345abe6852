package mumbling_test

import (
	"fmt"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/mumbling"
)

// The bytes of random positions of 50,000 rows as a Mumbling bitmap and as a portable 64-bit
// roaring bitmap with every container in its smallest form.
func ExampleFromVector() {
	for _, count := range []int{100, 1000, 5000, 25000} {
		v := dv.New()
		if err := v.SetMany(draw(count, 50000)); err != nil {
			fmt.Println(err)
			return
		}
		v.RunLengthEncode()
		roaring, err := v.EncodeBitmap()
		if err != nil {
			fmt.Println(err)
			return
		}
		data, err := mumbling.FromVector(v)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%5d positions: %5d bytes, as roaring %5d\n", count, len(data), roaring.Size())
	}
	// Output:
	//   100 positions:   158 bytes, as roaring   228
	//  1000 positions:  1107 bytes, as roaring  2028
	//  5000 positions:  5090 bytes, as roaring  8220
	// 25000 positions:  6281 bytes, as roaring  8220
}

// draw returns count of the first rows positions: a Fisher-Yates shuffle by SplitMix64.
func draw(count, rows int) []int64 {
	all := make([]int64, rows)
	for i := range all {
		all[i] = int64(i)
	}
	state := uint64(count)
	for i := range count {
		state += 0x9E3779B97F4A7C15
		z := (state ^ state>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		z ^= z >> 31
		j := i + int(z%uint64(rows-i))
		all[i], all[j] = all[j], all[i]
	}
	return all[:count]
}
