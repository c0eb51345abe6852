package dv

import (
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/kernel"
)

// sumAhead is how many bytes are summed up at a time, just before their containers are read:
// they stay in the cache for these.
const sumAhead = 16 << 10

// reading checks a blob as ParseBlob does and gives each container as soon as its bytes have
// come by; no vector is made.
type reading struct {
	walker
	blob     []byte
	expected int64
	sum      uint32 // CRC-32 of blob up to summed
	summed   int
	card     int64 // of the containers so far, in the end of all

	positions int64 // of the current 32-bit bitmap, where store has asked
}

func (r *reading) open(data []byte, expected int64) error {
	if err := checkExpected(expected); err != nil {
		return inVector(err)
	}
	err := checkLength(data)
	if err == nil {
		err = checkMagic(data[4:], 4)
	}
	if err != nil {
		return inVector(err)
	}
	r.blob, r.expected, r.summed = data, expected, 4
	if err = r.begin(data[frameHead:len(data)-4], frameHead); err != nil {
		return r.end(err)
	}
	return nil
}

// step gives the next container, its payload not yet checked. ok is false at the end, where
// what is left is checked.
func (r *reading) step(c *container) (ok bool, err error) {
	ok, err = r.next(c)
	if !ok || err != nil {
		return false, r.end(err)
	}
	if at := r.base + r.pos; at > r.summed {
		r.sumTo(min(max(at, r.summed+sumAhead), len(r.blob)-4))
	}
	r.card += int64(c.card)
	return true, nil
}

func (r *reading) sumTo(end int) {
	if end > r.summed {
		r.sum = kernel.CRC32Update(r.sum, r.blob[r.summed:end])
		r.summed = end
	}
}

// end judges the reading at its end, or where err ended it: of bytes that are not those that
// somebody wrote nothing else is worth saying.
func (r *reading) end(err error) error {
	end := len(r.blob) - 4
	r.sumTo(end)
	if bad := compareCRC(r.blob, r.sum); bad != nil {
		err = bad
	} else if err == nil {
		err = checkRest(r.data[r.pos:], r.base+r.pos, 0)
	}
	if err == nil {
		err = checkCardinality(r.card, r.expected)
	}
	return inVector(err)
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
	m := masker{out: out, rest: 0xFF}
	m.begin(start)
	end := start + length
	var p part
	for {
		ok, err := r.step(&p.container)
		if !ok {
			m.finish(length)
			return err
		}
		base := p.base()
		covered := base >= start && base+containerSpan <= end
		if covered && m.aligned && p.kind == bitmapKind {
			err = r.checkCount(&p.container, m.writeBitmap(base-start, asBitmap(p.data)))
		} else if err = r.check(&p.container); err == nil && base < end && base+containerSpan > start {
			p.clip(start, end)
			m.part(&p)
		}
		if err != nil {
			return r.end(err)
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
	n, err := r.writePositions(out)
	kernel.Fence(storeOf(int64(len(out))))
	if err == nil && int64(len(out)) < r.card {
		return int(r.card), fault.TooSmall("a buffer of %d positions, expected %d", len(out), r.card)
	}
	return n, err
}

func (r *reading) writePositions(out []int64) (n int, err error) {
	p := part{to: containerSpan}
	for {
		ok, err := r.step(&p.container)
		if !ok {
			return n, err
		}
		k, err := r.checkedPositions(&p, out[n:], r.store(len(out)))
		if err != nil {
			return 0, r.end(err)
		}
		n += k
	}
}

// checkedPositions is check and positions. An array whose values all find room is checked on the way.
func (r *reading) checkedPositions(p *part, out []int64, store kernel.Store) (int, error) {
	n := int(p.card)
	if p.kind == arrayKind && n <= len(out) && p.key < maxContainerKey && kernel.Widen(out, p.data, p.base(), store) {
		return n, nil
	}
	if err := r.check(&p.container); err != nil {
		return 0, err
	}
	return p.positions(out, store), nil
}
