package puffin

import (
	"encoding/binary"
	"math"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/storage"
)

// Flush writes everything that was added as one Puffin file, commits the sink and returns the
// entries of the file's vectors as a JSON array of the REST catalog's ContentFile. location is
// where the table will find the file. After success the writer is empty.
//
// Where nothing was added the sink is dropped and the entries are "[]".
//
// On failure the sink is dropped and the writer keeps everything. ErrInvalidArgument: location
// is empty, no UTF-8, or holds a NUL. ErrLimit: a blob or the footer would be 2 GiB or more;
// that is found before the first byte is written. ErrIO and ErrState: the sink failed, or is
// finished.
func (w *Writer) Flush(sink storage.Sink, location string) (entries []byte, err error) {
	err = w.FlushTo(sink, location, func(made []byte) error {
		entries = made
		return nil
	})
	if err != nil {
		return nil, err
	}
	return entries, nil
}

// FlushTo is Flush for a caller whose keeping of the entries may fail: keep is given them before
// the sink is committed, and its error is a failure like any other.
func (w *Writer) FlushTo(sink storage.Sink, location string, keep func(entries []byte) error) error {
	if err := checkName("location of the Puffin file", location); err != nil {
		sink.Abort()
		return err
	}
	if len(w.files) == 0 {
		sink.Abort()
		return keep([]byte("[]"))
	}
	p, err := w.plan()
	if err == nil {
		err = p.write(sink)
	}
	if err == nil {
		err = keep(p.entries(location))
	}
	if err != nil {
		sink.Abort()
		return err
	}
	if err := sink.Commit(); err != nil {
		return err
	}
	w.files, w.index = nil, map[string]int{}
	return nil
}

// plan is a file that is known to the last byte but not written yet.
type plan struct {
	files  []dataFile
	blobs  []planned
	footer []byte // from its first magic to the last
	size   int64  // of the file
}

// planned is a blob and where it will be.
type planned struct {
	*dv.Encoding
	offset int64
}

// plan sizes every blob and renders the footer.
func (w *Writer) plan() (*plan, error) {
	p := &plan{files: w.files, blobs: make([]planned, len(w.files)), size: int64(magicSize)}
	for i, file := range w.files {
		blob, err := file.vector.EncodeBlob()
		if err != nil {
			return nil, inFile(err, file.name)
		}
		p.blobs[i] = planned{blob, p.size}
		p.size += int64(blob.Size())
	}
	p.footer = append([]byte(magic), p.payload()...)
	length := len(p.footer) - magicSize
	if length > math.MaxInt32 {
		return nil, fault.Limit("footer payload of %d bytes for %d data files, expected at most %d",
			length, len(p.files), math.MaxInt32)
	}
	p.footer = binary.LittleEndian.AppendUint32(p.footer, uint32(length))
	p.footer = append(p.footer, 0, 0, 0, 0)
	p.footer = append(p.footer, magic...)
	p.size += int64(len(p.footer))
	return p, nil
}

// write hands the file to the sink.
func (p *plan) write(sink storage.Sink) error {
	out := gather{sink: sink, buf: make([]byte, 0, min(p.size, gatherSize))}
	if err := out.add([]byte(magic)); err != nil {
		return err
	}
	for i := range p.blobs {
		room, err := out.room(p.blobs[i].Size())
		if err != nil {
			return err
		}
		p.blobs[i].Put(room)
	}
	if err := out.add(p.footer); err != nil {
		return err
	}
	return out.flush()
}

// gatherSize is how much is handed to a sink at once where the pieces are smaller.
const gatherSize = 256 << 10

// gather joins small pieces to writes that are worth a call.
type gather struct {
	sink storage.Sink
	buf  []byte
}

// room makes room for n bytes, which the caller then fills.
func (g *gather) room(n int) ([]byte, error) {
	if n > cap(g.buf)-len(g.buf) {
		if err := g.flush(); err != nil {
			return nil, err
		}
		if n > cap(g.buf) {
			g.buf = make([]byte, 0, n)
		}
	}
	start := len(g.buf)
	g.buf = g.buf[:start+n]
	return g.buf[start:], nil
}

func (g *gather) add(p []byte) error {
	room, err := g.room(len(p))
	copy(room, p)
	return err
}

func (g *gather) flush() error {
	if len(g.buf) == 0 {
		return nil
	}
	err := g.sink.Write(g.buf)
	g.buf = g.buf[:0]
	return err
}
