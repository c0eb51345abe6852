package dv

import (
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/kernel"
)

// sumAhead is how many bytes are summed up at a time, just before their containers are read:
// they stay in the cache for these.
const sumAhead = 16 << 10

// reading goes once through bytes that hold a vector, in one of the forms that begin with open, openCopy,
// openBare or the walker's begin, and gives each container as soon as its bytes have come by.
type reading struct {
	walker
	expected int64 // cardinality, or Unknown
	padding  int   // zero bytes that may follow the bitmap
	bitmap   bool  // nothing is around the bitmap

	framed bool   // blob has a CRC
	blob   []byte // all of it
	sum    uint32 // CRC-32 of blob up to summed
	summed int

	card      int64 // of the containers so far, in the end of all
	positions int64 // of the current 32-bit bitmap, where store has asked
}

// open begins with a blob. Of all these the caller takes an error to end.
func (r *reading) open(data []byte) error {
	if err := r.checkHead(data); err != nil {
		return err
	}
	r.framed, r.blob, r.summed = true, data, 4
	return r.begin(data[frameHead:len(data)-4], frameHead)
}

// openCopy is open for a copy of data, which is made on the way and is blob then.
func (r *reading) openCopy(data []byte) error {
	if err := r.checkHead(data); err != nil {
		return err
	}
	end := len(data) - 4
	r.framed, r.blob, r.summed = true, takeBuffer(len(data)), end
	copy(r.blob, data[:4])
	r.sum = kernel.CopyCRC32(r.blob[4:end], data[4:end], 0)
	copy(r.blob[end:], data[end:])
	return r.begin(r.blob[frameHead:end], frameHead)
}

func (r *reading) checkHead(data []byte) error {
	if err := checkExpected(r.expected); err != nil {
		return err
	}
	if err := checkLength(data); err != nil {
		return err
	}
	return checkMagic(data[4:], 4)
}

// openBare begins with magic and bitmap alone.
func (r *reading) openBare(data []byte) error {
	if err := checkExpected(r.expected); err != nil {
		return err
	}
	if len(data) < 4+8 {
		return fault.Corrupt("byte 0: %d bytes, expected at least the 12 of magic and bitmap count", len(data))
	}
	if err := checkMagic(data, 0); err != nil {
		return err
	}
	return r.begin(data[4:], 4)
}

// step gives the next container, its payload not yet checked. ok is false at the end, where
// what is left is checked.
func (r *reading) step(c *container) (ok bool, err error) {
	ok, err = r.next(c)
	if !ok || err != nil {
		return false, r.end(err)
	}
	if at := r.base + r.pos; r.framed && at > r.summed {
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
	bad := r.checkCRC()
	switch {
	case bad != nil:
		err = bad
	case err == nil:
		err = checkRest(r.data[r.pos:], r.base+r.pos, r.padding)
	}
	if err == nil {
		err = checkCardinality(r.card, r.expected)
	}
	if err == nil {
		return nil
	}
	if r.bitmap {
		return fault.In(err, "64-bit roaring bitmap")
	}
	return fault.In(err, "deletion vector")
}

func (r *reading) checkCRC() error {
	if !r.framed {
		return nil
	}
	r.sumTo(len(r.blob) - 4)
	return compareCRC(r.blob, r.sum)
}

// vector gives all as a frozen vector, unless opening failed.
func (r *reading) vector(err error) (*Vector, error) {
	if err == nil {
		err = BitmapForm.CheckSize(int64(len(r.data)))
	}
	if err != nil {
		return nil, r.end(err)
	}
	v := &Vector{data: r.data, refs: make([]ref, 0, countContainers(r.data))}
	var c container
	for {
		ok, err := r.step(&c)
		if err != nil {
			return nil, err
		}
		if !ok {
			v.card = r.card
			return v, nil
		}
		if err := r.check(&c); err != nil {
			return nil, r.end(err)
		}
		v.refs = append(v.refs, ref{keyKind: c.key<<2 | uint64(c.kind), off: uint32(r.pos - len(c.data)), card: c.card})
	}
}
