package hostile

import "math/bits"

// judgePFOR decodes values and says how many bytes they took.
func judgePFOR(data []byte, count int) (values []byte, consumed int, ok bool) {
	c := &cursor{b: data}
	for ; count > 0; count -= 256 {
		chunk, ok := judgeChunk(c, min(count, 256))
		if !ok {
			return nil, 0, false
		}
		values = append(values, chunk...)
	}
	return values, c.at, true
}

func judgeChunk(c *cursor, n int) (values []byte, ok bool) {
	widths, exceptions, least := c.u8(), c.u8(), c.u8()
	b1, b2 := widths&15, widths>>4
	if c.bad || b1 > 8 || b1 == 8 && (b2 > 0 || exceptions > 0) || exceptions > n || exceptions > 0 && b1+b2 > 8 {
		return nil, false
	}
	low := c.packed(n, b1)
	offsets := c.take(exceptions)
	high := c.packed(exceptions, b2)
	if c.bad {
		return nil, false
	}
	met := map[byte]bool{}
	for i, offset := range offsets {
		if int(offset) >= n || met[offset] {
			return nil, false
		}
		met[offset] = true
		low[offset] |= high[i] << b1
	}
	for _, value := range low {
		if value+least > 255 {
			return nil, false
		}
		values = append(values, byte(value+least))
	}
	return values, true
}

// packed reads n numbers of width bits, the most significant bit first, up to a byte's end.
func (c *cursor) packed(n, width int) []int {
	raw := c.take((n*width + 7) / 8)
	values := make([]int, n)
	if c.bad {
		return values
	}
	for i := range values {
		for at := i * width; at < (i+1)*width; at++ {
			values[i] = values[i]<<1 | int(raw[at/8]>>(7-at%8)&1)
		}
	}
	return values
}

// judgeMumbling gives the status of reading and validating a Mumbling bitmap.
func judgeMumbling(data []byte) string {
	c := &cursor{b: data}
	version := c.u8()
	cardinality := c.u8() | c.u8()<<8 | c.u8()<<16
	containers := c.u16()
	switch {
	case c.bad:
		return Corrupt
	case version != 1:
		return Unsupported
	case cardinality > 2097152 || containers > 8192:
		return Corrupt
	}
	descriptors, consumed, ok := judgePFOR(data[6:], containers)
	if !ok {
		return Corrupt
	}
	c.at += consumed
	count := 0
	for _, descriptor := range descriptors {
		n, ok := judgePlaces(c, int(descriptor))
		if !ok {
			return Corrupt
		}
		count += n
	}
	if c.at != len(data) || count != cardinality {
		return Corrupt
	}
	return OK
}

// judgePlaces reads one container and counts it.
func judgePlaces(c *cursor, descriptor int) (count int, ok bool) {
	if descriptor&0xC0 != 0 {
		return 0, false
	}
	if descriptor&0x20 != 0 {
		for _, b := range c.take(32) {
			count += bits.OnesCount8(b)
		}
		return count, !c.bad && count >= 32
	}
	before := -1
	for range descriptor & 0x1F {
		place := c.u8()
		if c.bad || place <= before {
			return 0, false
		}
		before = place
		count++
	}
	return count, true
}
