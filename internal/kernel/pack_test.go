package kernel

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

func TestPack(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 28))
	for n := range 300 {
		for _, gap := range []int64{1, 2, 1000, 1 << 30} {
			positions, next := make([]int64, n+1), r.Int64N(1<<40) // one behind them that is not to be looked at
			for i := range positions {
				next += 1 + r.Int64N(gap)
				positions[i] = next
			}
			positions[n] = -1
			compare := func(wantAscending bool) {
				got, want := bytes.Repeat([]byte{0xEE}, 2*n+2), bytes.Repeat([]byte{0xEE}, 2*n+2)
				ascending, adjacent := Pack(got, positions[:n])
				wasAscending, wasAdjacent := packGeneric(want, positions[:n])
				if !bytes.Equal(got, want) || ascending != wantAscending || wasAscending != wantAscending || adjacent != wasAdjacent {
					t.Fatalf("%d positions: %v %d, expected %v %d, or other bytes", n, ascending, adjacent, wantAscending, wasAdjacent)
				}
				if gap == 1 && wantAscending && adjacent != max(n-1, 0) {
					t.Fatalf("%d consecutive positions: %d of them", n, adjacent)
				}
			}
			compare(true)
			for at := 1; at < n; at++ { // one that repeats, falls, is negative, or differs in the upper bits alone
				was := positions[at]
				positions[at] = [...]int64{positions[at-1], positions[at-1] - 1, -was, was - 1<<45}[at%4]
				compare(false)
				positions[at] = was
			}
		}
	}
}
