package delta

import (
	"math"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/storage"
)

// Result says where a vector is in its file and how much it holds: what a descriptor repeats.
type Result struct {
	Cardinality int64
	Offset      int32 // of the size field, from the start of the file
	SizeInBytes int32 // of magic and bitmap
}

// check refuses what no Writer returns.
func (r Result) check() error {
	switch {
	case r.Offset < firstRecord:
		return fault.Invalid("offset %d, expected at least %d, where the first vector is", r.Offset, firstRecord)
	case r.SizeInBytes < smallestSize || r.SizeInBytes > largestSize:
		return fault.Invalid("sizeInBytes %d, expected %d to %d", r.SizeInBytes, smallestSize, largestSize)
	case r.Cardinality < 0:
		return fault.Invalid("cardinality %d is negative", r.Cardinality)
	}
	return nil
}

// keptBuffer is the largest buffer that a Writer keeps for its next vector.
const keptBuffer = 1 << 20

// Writer streams deletion vectors into one file. It holds one vector's bytes at a time and serves one thread at a time.
//
// Finalize or Abort ends it, and with it the sink; so does a failed write of the sink. From then on Write, WriteBlob and
// Finalize are ErrState and repeat why. A vector that is refused before a byte of it is written does not end the writer.
type Writer struct {
	sink storage.Sink
	next int64  // size of the file so far
	end  string // why it has ended, "" while it has not
	buf  []byte
}

// NewWriter returns a writer to sink, which now belongs to it. Nothing is written before the first vector.
func NewWriter(sink storage.Sink) *Writer { return &Writer{sink: sink} }

// Write appends v, encoded as dv.Vector's EncodeBlob does it: the bytes depend on the positions alone.
//
// ErrLimit, before anything is written: the record does not fit 2^31-1 bytes, or would begin beyond that offset. ErrIO: the
// sink failed, and the file is dropped. ErrState: the writer has ended.
func (w *Writer) Write(v *dv.Vector) (Result, error) {
	if err := w.ready(); err != nil {
		return Result{}, err
	}
	enc, err := v.EncodeBlob()
	if err != nil {
		return Result{}, fault.In(err, "delta writer")
	}
	size := enc.Size()
	if cap(w.buf) < 1+size {
		w.buf = make([]byte, 1+size)
	}
	buf := w.buf[:1+size]
	if size > keptBuffer {
		w.buf = nil
	}
	enc.Put(buf[1:])
	if w.next > 0 {
		buf = buf[1:]
	} else {
		buf[0] = fileVersion
	}
	if err := w.emit(buf); err != nil {
		return Result{}, err
	}
	return w.result(size, enc.Cardinality()), nil
}

// WriteBlob appends the bytes of an Iceberg deletion-vector-v1 blob as they stand, once they are checked as dv.ParseBlob
// does it: such a blob is a record. expected is its cardinality, or dv.Unknown. Errors: those of Write and dv.ParseBlob.
func (w *Writer) WriteBlob(blob []byte, expected int64) (Result, error) {
	if err := w.ready(); err != nil {
		return Result{}, err
	}
	v, err := dv.ViewBlob(blob, expected)
	if err != nil {
		return Result{}, fault.In(err, "delta writer")
	}
	if w.next == 0 {
		if err := w.emit([]byte{fileVersion}); err != nil {
			return Result{}, err
		}
	}
	if err := w.emit(blob); err != nil {
		return Result{}, err
	}
	return w.result(len(blob), v.Cardinality()), nil
}

// Finalize commits the file. One without a vector holds the version byte alone, which is a whole file of no records.
//
// ErrIO: the sink failed, and the file is dropped. ErrState: the writer has ended.
func (w *Writer) Finalize() error {
	if w.end != "" {
		return w.ended()
	}
	if w.next == 0 {
		if err := w.emit([]byte{fileVersion}); err != nil {
			return err
		}
	}
	if err := w.sink.Commit(); err != nil {
		return w.fail(err)
	}
	w.end = "it was finalized"
	w.buf = nil
	return nil
}

// Abort drops the file; on a writer that has ended it does nothing.
func (w *Writer) Abort() {
	if w.end != "" {
		return
	}
	w.end = "it was aborted"
	w.buf = nil
	w.sink.Abort()
}

// ready refuses a record before anything is done for it.
func (w *Writer) ready() error {
	if w.end != "" {
		return w.ended()
	}
	if w.next > math.MaxInt32 {
		return fault.Limit("delta writer: the vector would begin at offset %d, expected at most %d: finalize this file "+
			"and begin another", w.next, math.MaxInt32)
	}
	return nil
}

// emit hands p to the sink.
func (w *Writer) emit(p []byte) error {
	if err := w.sink.Write(p); err != nil {
		return w.fail(err)
	}
	w.next += int64(len(p))
	return nil
}

// fail ends the writer; the sink has ended itself.
func (w *Writer) fail(err error) error {
	w.end = err.Error()
	w.buf = nil
	return fault.In(err, "delta writer")
}

func (w *Writer) ended() error { return fault.State("delta writer has ended: %s", w.end) }

// result describes the record that ends where the file ends now.
func (w *Writer) result(size int, cardinality int64) Result {
	return Result{
		Cardinality: cardinality,
		Offset:      int32(w.next - int64(size)),
		SizeInBytes: int32(size - recordOverhead),
	}
}
