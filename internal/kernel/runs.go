package kernel

import "encoding/binary"

// A run is {start, length-1} as uint16, in four bytes.

// SetRuns writes with, which is 0 or 0xFF, as the bits of runs, which do not overlap; they are
// the opposite before.
func SetRuns(bitmap *Bitmap, runs []byte, with byte) {
	if n := len(runs) / 4; hasFlip && has256 && n > 0 {
		setRuns256(&bitmap[0], &runs[0], n, repeat(with))
		return
	}
	setRunsGeneric(bitmap, runs, repeat(with))
}

func setRunsGeneric(bitmap *Bitmap, runs []byte, with uint64) {
	for ; len(runs) >= 4; runs = runs[4:] {
		run := binary.LittleEndian.Uint32(runs)
		first := run & 0xFFFF
		last := min(first+run>>16, 0xFFFF)
		i, j := first>>6, last>>6
		head, tail := ^uint64(0)<<(first&63), ^uint64(0)>>(63-last&63)
		if i == j {
			flipWord(bitmap, i, head&tail)
			continue
		}
		flipWord(bitmap, i, head)
		for i++; i < j; i++ {
			binary.LittleEndian.PutUint64(bitmap[8*(i&1023):], with)
		}
		flipWord(bitmap, j, tail)
	}
}

func flipWord(bitmap *Bitmap, i uint32, with uint64) {
	p := bitmap[8*(i&1023):]
	binary.LittleEndian.PutUint64(p, binary.LittleEndian.Uint64(p)^with)
}

// UnionRuns merges ascending runs into maximal ones and returns the bytes written and the
// number of values; dst has room for both inputs.
func UnionRuns(dst, a, b []byte) (n, values int) {
	const none = ^uint32(0)
	next := func(p *[]byte) (first, last uint32) {
		if len(*p) < 4 {
			return none, none
		}
		run := binary.LittleEndian.Uint32(*p)
		*p = (*p)[4:]
		return run & 0xFFFF, run&0xFFFF + run>>16
	}
	af, al := next(&a)
	bf, bl := next(&b)
	for af != none || bf != none {
		first, last := af, al
		if bf < af {
			first, last = bf, bl
		}
		for { // what begins within it or right behind it belongs to it
			if af <= last+1 {
				last = max(last, al)
				af, al = next(&a)
			} else if bf <= last+1 {
				last = max(last, bl)
				bf, bl = next(&b)
			} else {
				break
			}
		}
		binary.LittleEndian.PutUint32(dst[n:], first|(last-first)<<16)
		n += 4
		values += int(last-first) + 1
	}
	return n, values
}
