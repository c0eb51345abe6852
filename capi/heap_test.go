package main

import "testing"

func TestPercentFor(t *testing.T) {
	for _, c := range []struct {
		live uint64
		want int
	}{{0, 800}, {1 << 20, 800}, {8 << 20, 400}, {32 << 20, 100}, {1 << 40, 100}} {
		if got := percentFor(c.live); got != c.want {
			t.Errorf("%d bytes live: %d %%, expected %d %%", c.live, got, c.want)
		}
	}
}
