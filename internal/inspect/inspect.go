package inspect

import (
	"errors"
	"slices"
	"strings"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/mumbling"
	"github.com/libdv/libdv/internal/storage"
)

// What the object lists at most, and how many bytes of vectors are examined beyond twice the source's.
const (
	vectorsMost    = 1024
	bitmapsMost    = 64
	bitmapsInAll   = 4096
	otherBlobsMost = 256
	examinedFree   = 64 << 20
)

// Inspect tells what src holds, as the JSON object of the package's documentation. An Unknown
// format is guessed.
//
// ErrIO: src failed. Damaged bytes are no failure.
func Inspect(src storage.Source, format Format) ([]byte, error) {
	in := &inspector{src: readAhead(src), keys: bitmapsInAll}
	in.Format, in.Guessed, in.Size = format, format == Unknown, src.Size()
	s, err := takeSample(in.src)
	if err != nil {
		return nil, err
	}
	if in.Guessed {
		in.Format = s.guess()
	}
	if err := in.examine(&s); err != nil {
		return nil, err
	}
	in.Checks = append(in.Checks, in.common...)
	return in.render(), nil
}

// inspector makes a report.
type inspector struct {
	report
	src    storage.Source
	common []string // the checks that every vector passed
	keys   int      // bitmaps that may still be listed
}

func (in *inspector) examine(s *sample) error {
	switch in.Format {
	case Puffin:
		return in.puffin()
	case Delta:
		in.Version = firstByte(s)
		return in.delta()
	case Blob:
		return in.single(dv.BlobForm)
	case Roaring:
		return in.single(dv.BitmapForm)
	case Mumbling:
		in.Version = firstByte(s)
		return in.mumbling()
	}
	return in.refuse(fault.Unsupported("%d bytes that begin with %x: no format that this library reads%s", s.size, s.head, s.stranger()))
}

func firstByte(s *sample) *int64 {
	if s.size == 0 {
		return nil
	}
	version := int64(s.head[0])
	return &version
}

// statuses are the kinds of error that are about the bytes and not about getting at them.
var statuses = []struct {
	kind error
	name string
}{
	{fault.ErrCorrupt, "DV_CORRUPT"},
	{fault.ErrMismatch, "DV_MISMATCH"},
	{fault.ErrUnsupported, "DV_UNSUPPORTED"},
	{fault.ErrLimit, "DV_LIMIT"},
}

// faultOf describes a fault of the bytes; any other error fails the call.
func faultOf(err error) (*faultInfo, error) {
	for _, s := range statuses {
		if errors.Is(err, s.kind) && !errors.Is(err, fault.ErrIO) {
			return &faultInfo{s.name, strings.ToValidUTF8(err.Error(), "?")}, nil
		}
	}
	return nil, err
}

// refuse notes a fault of the file itself, if there is one.
func (in *inspector) refuse(refused error) (err error) {
	if refused != nil {
		in.Fault, err = faultOf(refused)
	}
	return err
}

// add finishes a vector and lists it, if it is not one too many.
func (in *inspector) add(v *vector, refused error) error {
	if refused != nil {
		f, err := faultOf(refused)
		if err != nil {
			return err
		}
		v.Fault = f
		in.VectorsFaulty++
		if in.Fault == nil {
			in.Fault = f
		}
	}
	if in.VectorCount == 0 {
		in.common = slices.Clone(v.Checks)
	}
	in.common = slices.DeleteFunc(in.common, func(name string) bool { return !slices.Contains(v.Checks, name) })
	in.VectorCount++
	if in.full() {
		in.VectorsOmitted++
	} else {
		in.keys -= len(v.Bitmaps)
		in.Vectors = append(in.Vectors, *v)
	}
	return nil
}

// full tells whether no further vector is listed.
func (in *inspector) full() bool { return len(in.Vectors) == vectorsMost }

// bitmaps is how many of the next vector's may be listed.
func (in *inspector) bitmaps() int {
	if in.full() {
		return 0
	}
	return min(bitmapsMost, in.keys)
}

// single examines a source that is one vector.
func (in *inspector) single(form dv.Form) error {
	v := vector{Size: in.Size}
	if err := form.CheckSize(in.Size); err != nil {
		return in.add(&v, fault.In(err, "%s", in.Format))
	}
	data, err := storage.Read(in.src, 0, in.Size, string(in.Format))
	if err != nil {
		return err
	}
	return in.add(&v, v.examine(data, form, dv.Unknown, in.bitmaps()))
}

// examine fills in all that is to be said of a vector's bytes and returns its fault.
func (v *vector) examine(data []byte, form dv.Form, expected int64, bitmaps int) error {
	e := dv.Examine(data, form, expected, bitmaps)
	v.Checks = append(v.Checks, e.Checks...)
	if e.Census != nil {
		v.count(e.Census)
	}
	return e.Fault
}

// mumbling examines a source that is one Mumbling bitmap.
func (in *inspector) mumbling() error {
	v := vector{Size: in.Size}
	n := min(in.Size, mumbling.MaxSize)
	data, err := storage.Read(in.src, 0, n, string(in.Format))
	if err != nil {
		return err
	}
	e := mumbling.Examine(data, in.Size-n)
	v.Checks = e.Checks
	if e.Header {
		stated := int64(e.Stated)
		v.DeclaredCardinality = &stated
	}
	if e.Census != nil {
		v.countMumbling(e.Census)
	}
	return in.add(&v, e.Fault)
}
