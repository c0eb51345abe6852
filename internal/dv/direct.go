package dv

import "github.com/libdv/libdv/internal/fault"

// stream checks a blob as ParseBlob does and hands each container to use as soon as it is
// proven, while its bytes are in the cache; no vector is made. It returns the cardinality.
func stream(data []byte, expected int64, use func(container)) (int64, error) {
	const what = "deletion vector"
	if err := checkExpected(expected); err != nil {
		return 0, err
	}
	bitmap, base, err := checkFrame(data)
	if err != nil {
		return 0, fault.In(err, what)
	}
	var w walker
	card := int64(0)
	if err = w.begin(bitmap, base); err != nil {
		return 0, fault.In(err, what)
	}
	var c container
	for {
		ok, err := w.next(&c)
		if err == nil && ok {
			err = w.check(&c)
		}
		if err != nil {
			return 0, fault.In(err, what)
		}
		if !ok {
			break
		}
		card += int64(c.card)
		use(c)
	}
	if err = checkRest(bitmap[w.pos:], base+w.pos, 0); err == nil {
		err = checkCardinality(card, expected)
	}
	return card, fault.In(err, what)
}

// BlobKeepMask goes from a deletion-vector-v1 blob straight to KeepMask's mask, checked as
// by ParseBlob. After a failure the contents of out are unspecified.
func BlobKeepMask(data []byte, expected, start, length int64, out []byte) error {
	out, err := maskBuffer(start, length, out)
	if err != nil {
		return err
	}
	m := newMasker(start, out, 0xFF)
	end := start + length
	var p part
	_, err = stream(data, expected, func(c container) {
		if base := c.base(); base < end && base+containerSpan > start {
			p.container = c
			p.clip(start, end)
			m.part(p)
		}
	})
	m.finish(length)
	return err
}

// BlobPositions goes from a blob straight to all of its positions, checked as by ParseBlob,
// and returns their number, also with ErrTooSmall, where out cannot hold all.
func BlobPositions(data []byte, expected int64, out []int64) (int, error) {
	n := 0
	p := part{to: containerSpan}
	card, err := stream(data, expected, func(c container) {
		p.container = c
		n += p.positions(out[n:])
	})
	if err != nil {
		return 0, err
	}
	if int64(len(out)) < card {
		return int(card), fault.TooSmall("a buffer of %d positions, expected %d", len(out), card)
	}
	return n, nil
}
