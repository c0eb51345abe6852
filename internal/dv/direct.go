package dv

import (
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/kernel"
)

// BlobKeepMask goes from a deletion-vector-v1 blob straight to KeepMask's mask, checked as
// by ParseBlob. After a failure the contents of out are unspecified.
func BlobKeepMask(data []byte, expected, start, length int64, out []byte) error {
	out, err := maskBuffer(start, length, out)
	if err != nil {
		return err
	}
	r := reading{expected: expected}
	if start&7 != 0 {
		v, err := r.vector(r.open(data))
		if err == nil {
			v.maskWithin(start, length, out, 0xFF)
		}
		return err
	}
	if err := r.open(data); err != nil {
		return r.end(err)
	}
	m := masker{out: out, rest: 0xFF}
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
		if covered && p.kind == bitmapKind {
			err = r.checkCount(&p.container, m.writeBitmap(base-start, asBitmap(p.data)))
		} else if err = r.check(&p.container); err == nil && base < end && base+containerSpan > start {
			p.clip(start, end)
			m.write(&p)
		}
		if err != nil {
			return r.end(err)
		}
	}
}

// BlobPositions goes from a blob straight to all of its positions, checked as by ParseBlob,
// and returns their number, also with ErrTooSmall, where out cannot hold all.
func BlobPositions(data []byte, expected int64, out []int64) (int, error) {
	r := reading{expected: expected}
	if err := r.open(data); err != nil {
		return 0, r.end(err)
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
