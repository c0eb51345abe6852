package dv

import (
	"bytes"
	"encoding/binary"

	"github.com/RoaringBitmap/roaring/v2"
)

// slot is a container of a changed vector. bm, where there is one, is what counts, and
// data is nil until a reader wants it; else the payload is.
type slot struct {
	container
	bm  *roaring.Bitmap
	own bool // nobody else has the payload: it may be written in place
}

// thaw begins every change: it makes the vector's containers changeable. Payloads stay where
// they are; only borrowed bytes are copied, since their owner may take them back.
func (v *Vector) thaw() {
	own := !v.lent.Swap(false)
	if v.changed {
		if !own {
			for i := range v.slots {
				v.slots[i].own = false
			}
		}
		return
	}
	if v.borrowed {
		v.data, own = bytes.Clone(v.data), true
	}
	v.slots = make([]slot, len(v.refs))
	for i := range v.slots {
		s := &v.slots[i]
		v.load(i, &s.container)
		s.own = own
	}
	v.changed = true
	v.data, v.refs, v.borrowed, v.smallest, v.pooled = nil, nil, false, false, false
}

// settle gives the slots [lo, hi) their payloads. Readers may call it at the same time:
// one of them makes a payload, and none looks at a slot that another may be making.
func (v *Vector) settle(lo, hi int) {
	if !v.changed || v.stale.Load() == 0 {
		return
	}
	v.settler.Lock()
	defer v.settler.Unlock()
	for i := lo; i < hi; i++ {
		if s := &v.slots[i]; s.data == nil {
			s.freeze()
			v.stale.Add(-1)
		}
	}
}

// freeze makes the payload from the roaring bitmap, which is kept for the next change.
func (s *slot) freeze() {
	raw, err := s.bm.ToBytes()
	if err != nil {
		panic("a roaring bitmap cannot be written: " + err.Error())
	}
	head := make([]byte, 0, 12+len(raw))
	head = binary.LittleEndian.AppendUint64(head, 1)
	head = binary.LittleEndian.AppendUint32(head, 0)
	v, err := ParseBitmap(append(head, raw...))
	if err != nil || len(v.refs) != 1 {
		panic("a roaring bitmap of one container was not written as one: " + errorText(err))
	}
	c := v.refAt(0)
	s.data, s.kind, s.card = c.data, c.kind, c.card
}

func errorText(err error) string {
	if err == nil {
		return "no error"
	}
	return err.Error()
}

// roaring gives the slot's roaring bitmap, made from the payload on first use.
func (s *slot) roaring() *roaring.Bitmap {
	if s.bm != nil {
		return s.bm
	}
	s.bm = roaring.New()
	if _, err := s.bm.ReadFrom(bytes.NewReader(s.portable32())); err != nil {
		panic("a checked container is no roaring bitmap: " + err.Error())
	}
	return s.bm
}

// portable32 writes the slot as a 32-bit bitmap of one container under key 0.
func (s *slot) portable32() []byte {
	out := make([]byte, 0, 16+len(s.data))
	if s.kind == runKind {
		out = binary.LittleEndian.AppendUint32(out, cookieRuns)
		out = append(out, 1)
		out = binary.LittleEndian.AppendUint32(out, (s.card-1)<<16)
		out = binary.LittleEndian.AppendUint16(out, uint16(len(s.data)/4))
		return append(out, s.data...)
	}
	out = binary.LittleEndian.AppendUint32(out, cookieNoRuns)
	out = binary.LittleEndian.AppendUint32(out, 1)
	out = binary.LittleEndian.AppendUint32(out, (s.card-1)<<16)
	out = binary.LittleEndian.AppendUint32(out, 16)
	return append(out, s.data...)
}

// outdate says that the roaring bitmap of slot i has changed.
func (v *Vector) outdate(i int) {
	s := &v.slots[i]
	if s.data != nil {
		s.data = nil
		v.stale.Add(1)
	}
	card := uint32(s.bm.GetCardinality())
	v.card += int64(card) - int64(s.card)
	s.card = card
}

// replace puts another payload into slot i. own tells that nobody else has it.
func (v *Vector) replace(i int, c container, own bool) {
	s := &v.slots[i]
	if s.data == nil {
		v.stale.Add(-1)
	}
	v.card += int64(c.card) - int64(s.card)
	*s = slot{container: c, own: own}
}
