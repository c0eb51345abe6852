package dv

import "encoding/binary"

// packer makes the bytes and the directory of a frozen vector: payloads one after the other,
// as they lie in a bitmap.
type packer struct {
	data   []byte // what is to be written to
	used   int
	refs   []ref
	card   int64
	larger bool // a container is not in its smallest form
}

// newPacker has room for containers whose payloads, with their run counts, are of size bytes; for
// more it grows.
func newPacker(containers, size int) packer {
	return packer{data: takeBuffer(size), refs: make([]ref, 0, containers)}
}

// room gives n bytes or more, where the payload of the next container begins.
func (p *packer) room(n int, k kind) []byte {
	if need := p.begin(k) + n; need > len(p.data) {
		grown := takeBuffer(max(need, 2*len(p.data)))
		copy(grown, p.data[:p.used])
		giveBuffer(p.data)
		p.data = grown
	}
	return p.data[p.begin(k):]
}

// begin is where the payload of the next container is.
func (p *packer) begin(k kind) int {
	if k == runKind {
		return p.used + 2
	}
	return p.used
}

// add appends a container, whose payload may be in its place already. smallest tells whether it
// has its smallest form.
func (p *packer) add(c *container, smallest bool) {
	at := p.begin(c.kind)
	if out := p.data[at : at+len(c.data)]; &out[0] != &c.data[0] {
		copy(out, c.data)
	}
	if c.kind == runKind {
		binary.LittleEndian.PutUint16(p.data[p.used:], uint16(len(c.data)/4))
	}
	p.refs = append(p.refs, ref{keyKind: c.key<<2 | uint64(c.kind), off: uint32(at), card: c.card})
	p.used = at + len(c.data)
	p.card += int64(c.card)
	p.larger = p.larger || !smallest
}

// addCopy appends a container of another vector.
func (p *packer) addCopy(c *container) {
	p.room(len(c.data), c.kind)
	p.add(c, isSmallest(c))
}

// addUnion appends the values of a or b, which share a key.
func (p *packer) addUnion(a, b *container) {
	if a.full() {
		p.addCopy(a)
		return
	}
	k := arrayKind
	if a.kind == runKind || b.kind == runKind {
		k = runKind // most likely; else it is moved by the run count
	}
	var c container
	smallest := c.union(p.room(unionRoom(a, b), k), a, b)
	p.add(&c, smallest)
}

// give makes what was packed all that v holds.
func (p *packer) give(v *Vector) {
	v.Release()
	data, pooled := p.data[:p.used], true
	if p.used <= len(p.data)/2 && p.used >= bufferMin/8 { // memory that v would hold for nothing
		data, pooled = append([]byte(nil), data...), false
		giveBuffer(p.data)
	}
	v.data, v.refs, v.pooled = data, p.refs, pooled
	v.card, v.smallest = p.card, !p.larger
}
