package dv

import "bytes"

// slot is a container of a changed vector.
type slot struct {
	container
	own bool // nobody else has the payload: it may be written in place, up to its capacity
}

// thaw begins every change but that of all at once: it makes the vector's containers changeable.
// Payloads stay where they are; only borrowed bytes are copied, since their owner may take them
// back.
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

// replace puts another payload into slot i. own tells that nobody else has it.
func (v *Vector) replace(i int, c container, own bool) {
	v.card += int64(c.card) - int64(v.slots[i].card)
	v.slots[i] = slot{container: c, own: own}
}
