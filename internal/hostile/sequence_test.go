package hostile_test

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2/roaring64"

	"github.com/libdv/libdv/internal/delta"
	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/mumbling"
	"github.com/libdv/libdv/internal/puffin"
	"github.com/libdv/libdv/internal/storage"
)

// program is bytes that are read as a sequence of operations on a few vectors.
type program struct {
	t    *testing.T
	code []byte
	regs [3]register
	lent [][2][]byte // what views borrow, and a copy of it
}

// register is a vector and what it should hold, by two other kinds of set.
type register struct {
	v     *dv.Vector
	plain map[int64]bool
	peer  *roaring64.Bitmap
}

func (p *program) next() byte {
	if len(p.code) == 0 {
		return 0
	}
	b := p.code[0]
	p.code = p.code[1:]
	return b
}

func (p *program) register() *register { return &p.regs[int(p.next())%len(p.regs)] }

// position lies near the borders of containers and of 32-bit keys more often than not.
func (p *program) position() int64 {
	where, high, low := p.next(), int64(p.next()), int64(p.next())
	position := high<<8 | low
	switch where % 8 {
	case 0:
		return position
	case 1:
		return 65536 - 128 + low
	case 2:
		return 1<<32 - 128 + low
	case 3:
		return high<<32 | low
	case 4:
		return dv.MaxPosition - low
	case 5:
		return low * 65536
	default:
		return int64(where)<<12 + position
	}
}

func (p *program) must(err error) {
	if err != nil {
		p.t.Helper()
		p.t.Fatal(err)
	}
}

func (r *register) add(positions ...int64) {
	for _, position := range positions {
		r.plain[position] = true
		r.peer.Add(uint64(position))
	}
}

// operations are chosen by a byte each. All of them succeed.
var operations = []func(p *program, r *register){
	func(p *program, r *register) {
		position := p.position()
		p.must(r.v.Set(position))
		r.add(position)
	},
	func(p *program, r *register) {
		positions := make([]int64, p.next()%64)
		for i := range positions {
			positions[i] = p.position()
		}
		p.must(r.v.SetMany(positions))
		r.add(positions...)
	},
	func(p *program, r *register) { // ascending, as most come
		positions, at, step := make([]int64, p.next()), p.position()%(1<<40), 1+int64(p.next()%64)
		for i := range positions {
			positions[i] = at + int64(i)*step
		}
		p.must(r.v.SetMany(positions))
		r.add(positions...)
	},
	func(p *program, r *register) {
		start := p.position() % (1 << 40)
		end := start + int64(p.next())*16
		p.must(r.v.SetRange(start, end))
		for position := start; position < end; position++ {
			r.add(position)
		}
	},
	func(p *program, r *register) {
		other := p.register()
		p.must(r.v.Or(other.v))
		maps.Copy(r.plain, other.plain)
		r.peer.Or(other.peer)
	},
	func(p *program, r *register) {
		other := p.register()
		p.must(r.v.AndNot(other.v))
		peer := other.peer.Clone() // it may be the same
		r.peer.AndNot(peer)
		for position := range maps.Clone(other.plain) {
			delete(r.plain, position)
		}
	},
	func(_ *program, r *register) { r.v.RunLengthEncode() },
	func(p *program, r *register) {
		other := p.register()
		*r = register{v: other.v.Clone(), plain: maps.Clone(other.plain), peer: other.peer.Clone()}
	},
	(*program).contains, (*program).window, (*program).page,
	(*program).throughBlob, (*program).throughView, (*program).throughBitmap, (*program).throughPuffin, (*program).throughDelta,
	(*program).throughInline, (*program).throughMumbling,
}

func (p *program) contains(r *register) {
	position := p.position()
	in, err := r.v.Contains(position)
	p.must(err)
	if in != r.plain[position] || in != r.peer.Contains(uint64(position)) {
		p.t.Fatalf("contains %d: %v", position, in)
	}
}

// window compares a mask, both ways, and a count.
func (p *program) window(r *register) {
	start, length := p.position(), int64(p.next())
	keep, deleted := make([]byte, (length+7)/8), make([]byte, (length+7)/8)
	p.must(r.v.KeepMask(start, length, keep))
	p.must(r.v.DeleteMask(start, length, deleted))
	n := int64(0)
	for i := range length {
		bit := byte(1) << (i % 8)
		in := r.plain[start+i]
		if in {
			n++
		}
		if (deleted[i/8]&bit != 0) != in || (keep[i/8]&bit != 0) == in {
			p.t.Fatalf("mask of %d: row %d, deleted is %v", start, start+i, in)
		}
	}
	counted, err := r.v.Count(start, start+length)
	p.must(err)
	if counted != n {
		p.t.Fatalf("count from %d to %d: %d, expected %d", start, start+length, counted, n)
	}
}

func (p *program) page(r *register) {
	start, out := p.position(), make([]int64, 1+p.next()%32)
	n, err := r.v.Positions(start, dv.MaxPosition+1, out)
	p.must(err)
	all := r.peer.Iterator()
	all.AdvanceIfNeeded(uint64(start))
	for _, position := range out[:n] {
		if want := all.Next(); want != uint64(position) {
			p.t.Fatalf("positions from %d: %d, roaring/v2 has %d", start, position, want)
		}
	}
	if n < len(out) && all.HasNext() {
		p.t.Fatalf("positions from %d: %d, and roaring/v2 has more", start, n)
	}
}

// become replaces the vector by what it was read back as.
func (p *program) become(r *register, v *dv.Vector, err error) {
	p.t.Helper()
	p.must(err)
	if !v.Equals(r.v) || !r.v.Equals(v) {
		p.t.Fatal("it reads back as another vector")
	}
	r.v = v
}

func (p *program) blob(r *register) []byte {
	encoding, err := r.v.EncodeBlob()
	p.must(err)
	return encoding.Bytes()
}

func (p *program) throughBlob(r *register) {
	v, err := dv.ParseBlob(p.blob(r), r.v.Cardinality())
	p.become(r, v, err)
}

func (p *program) throughView(r *register) {
	lent := p.blob(r)
	p.lent = append(p.lent, [2][]byte{lent, bytes.Clone(lent)})
	v, err := dv.ViewBlob(lent, r.v.Cardinality())
	p.become(r, v, err)
}

// throughBitmap also has roaring/v2 read our bytes.
func (p *program) throughBitmap(r *register) {
	encoding, err := r.v.EncodeBitmap()
	p.must(err)
	peer := roaring64.New()
	_, err = peer.ReadFrom(bytes.NewReader(encoding.Bytes()))
	p.must(err)
	if !peer.Equals(r.peer) {
		p.t.Fatal("roaring/v2 reads another bitmap")
	}
	v, err := dv.ParseBitmap(encoding.Bytes())
	p.become(r, v, err)
}

func (p *program) throughPuffin(r *register) {
	w, err := puffin.NewWriter(nil)
	p.must(err)
	p.must(w.Load("a", r.v, 0, nil))
	sink := storage.NewMemorySink()
	_, err = w.Flush(sink, "x")
	p.must(err)
	if r.v.IsEmpty() {
		return
	}
	file, err := sink.Take()
	p.must(err)
	v, _, err := puffin.ReadEntry(storage.Memory(file), puffin.Entry{
		ContentOffset: 4, ContentSize: int64(len(p.blob(r))), RecordCount: r.v.Cardinality(), DataFile: "a",
	})
	p.become(r, v, err)
}

func (p *program) throughDelta(r *register) {
	sink := storage.NewMemorySink()
	w := delta.NewWriter(sink)
	result, err := w.Write(r.v)
	p.must(err)
	p.must(w.Finalize())
	file, err := sink.Take()
	p.must(err)
	v, err := delta.Read(storage.Memory(file), result.Offset, result.SizeInBytes, result.Cardinality)
	p.become(r, v, err)
}

func (p *program) throughInline(r *register) {
	json, err := delta.InlineDescriptor(r.v)
	p.must(err)
	d, err := delta.ParseDescriptor(json)
	p.must(err)
	v, err := d.Read(nil)
	p.become(r, v, err)
}

// throughMumbling needs positions that fit.
func (p *program) throughMumbling(r *register) {
	data, err := mumbling.FromVector(r.v)
	if largest := largest(r); largest >= mumbling.MaxCardinality {
		if err == nil {
			p.t.Fatalf("position %d became Mumbling", largest)
		}
		return
	}
	p.must(err)
	b, err := mumbling.Read(data)
	p.must(err)
	p.must(b.Validate())
	v, err := b.ToVector()
	p.become(r, v, err)
}

func largest(r *register) int64 {
	if r.peer.IsEmpty() {
		return -1
	}
	return int64(r.peer.Maximum())
}

// check compares all that a register holds.
func (p *program) check(r *register) {
	if r.v.Cardinality() != int64(len(r.plain)) || r.v.Cardinality() != int64(r.peer.GetCardinality()) {
		p.t.Fatalf("%d positions, expected %d, roaring/v2 has %d", r.v.Cardinality(), len(r.plain), r.peer.GetCardinality())
	}
	out := make([]int64, len(r.plain))
	n, err := r.v.Positions(0, dv.MaxPosition+1, out)
	p.must(err)
	if n != len(out) || !slices.Equal(out, slices.Sorted(maps.Keys(r.plain))) {
		p.t.Fatalf("%d positions of %d, or others", n, len(out))
	}
	again := dv.New()
	p.must(again.SetMany(out))
	if canonical := (&program{t: p.t}).blob(&register{v: again}); !bytes.Equal(p.blob(r), canonical) {
		p.t.Fatal("the bytes depend on how the positions came in")
	}
}

// FuzzSequence runs sequences of operations next to a plain set and to roaring/v2.
func FuzzSequence(f *testing.F) {
	everything := []byte{}
	for op := range operations {
		everything = append(everything, byte(op), byte(op), 7, byte(op), 5, 200, 9, byte(op))
	}
	f.Add(everything)
	f.Add(slices.Concat(everything, everything[8:], everything[16:]))
	f.Add([]byte{2, 0, 255, 0, 0, 0, 0, 3, 0, 0, 0, 0, 255, 6, 0, 5, 1, 0, 12, 0, 0, 0, 0, 9, 4, 1, 0, 15, 1})
	f.Fuzz(func(t *testing.T, code []byte) {
		if len(code) > 2000 {
			return
		}
		p := &program{t: t, code: code}
		for i := range p.regs {
			p.regs[i] = register{v: dv.New(), plain: map[int64]bool{}, peer: roaring64.New()}
		}
		for len(p.code) > 0 {
			operation := operations[int(p.next())%len(operations)]
			operation(p, p.register())
		}
		for i := range p.regs {
			p.check(&p.regs[i])
		}
		for _, lent := range p.lent {
			if !bytes.Equal(lent[0], lent[1]) {
				t.Fatal("borrowed bytes were written")
			}
		}
	})
}
