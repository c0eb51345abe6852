package dv

import "github.com/libdv/libdv/internal/fault"

// reading checks a blob as ParseBlob does and gives each container as soon as it is proven,
// while its bytes are in the cache; no vector is made.
type reading struct {
	walker
	card int64 // of the containers so far, in the end of all
}

func (r *reading) open(data []byte, expected int64) error {
	if err := checkExpected(expected); err != nil {
		return err
	}
	bitmap, base, err := checkFrame(data)
	if err == nil {
		err = r.begin(bitmap, base)
	}
	return inVector(err)
}

// step gives the next container; ok is false at the end, where what is left is checked too.
func (r *reading) step(c *container, expected int64) (ok bool, err error) {
	ok, err = r.next(c)
	switch {
	case err != nil:
	case ok:
		r.card += int64(c.card)
		err = r.check(c)
	default:
		if err = checkRest(r.data[r.pos:], r.base+r.pos, 0); err == nil {
			err = checkCardinality(r.card, expected)
		}
	}
	return ok && err == nil, inVector(err)
}

func inVector(err error) error {
	if err == nil {
		return nil
	}
	return fault.In(err, "deletion vector")
}

// BlobKeepMask goes from a deletion-vector-v1 blob straight to KeepMask's mask, checked as
// by ParseBlob. After a failure the contents of out are unspecified.
func BlobKeepMask(data []byte, expected, start, length int64, out []byte) error {
	out, err := maskBuffer(start, length, out)
	if err != nil {
		return err
	}
	var r reading
	if err := r.open(data, expected); err != nil {
		return err
	}
	m := newMasker(start, out, 0xFF)
	end := start + length
	var p part
	for {
		ok, err := r.step(&p.container, expected)
		if !ok {
			m.finish(length)
			return err
		}
		if base := p.base(); base < end && base+containerSpan > start {
			p.clip(start, end)
			m.part(&p)
		}
	}
}

// BlobPositions goes from a blob straight to all of its positions, checked as by ParseBlob,
// and returns their number, also with ErrTooSmall, where out cannot hold all.
func BlobPositions(data []byte, expected int64, out []int64) (int, error) {
	var r reading
	if err := r.open(data, expected); err != nil {
		return 0, err
	}
	n := 0
	p := part{to: containerSpan}
	for {
		ok, err := r.step(&p.container, expected)
		if err != nil {
			return 0, err
		}
		if !ok {
			break
		}
		n += p.positions(out[n:])
	}
	if int64(len(out)) < r.card {
		return int(r.card), fault.TooSmall("a buffer of %d positions, expected %d", len(out), r.card)
	}
	return n, nil
}
