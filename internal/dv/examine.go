package dv

import (
	"math"

	"github.com/libdv/libdv/internal/fault"
)

// Form is what stands around a stored bitmap.
type Form uint8

const (
	BlobForm   Form = iota // length, magic, bitmap, CRC-32: what ParseBlob reads
	RecordForm             // the same with zero padding after the bitmap: what ParseRecord reads
	BitmapForm             // the bitmap alone: what ParseBitmap reads
)

// CheckSize refuses n bytes where no vector of the form can have as many.
func (f Form) CheckSize(n int64) error {
	if f == BitmapForm {
		if n > math.MaxUint32 {
			return fault.Limit("a bitmap of %d bytes, expected at most %d", n, uint32(math.MaxUint32))
		}
		return nil
	}
	if n > math.MaxInt32 {
		return fault.Corrupt("byte 0: %d bytes, expected at most %d", n, math.MaxInt32)
	}
	return nil
}

// what names a vector of the form in messages, as its reader does.
func (f Form) what() string {
	if f == BitmapForm {
		return "64-bit roaring bitmap"
	}
	return "deletion vector"
}

// The checks of a stored vector, in the order in which they are made.
const (
	CheckLength      = "length"      // the length field is that of the bytes
	CheckMagic       = "magic"       // the magic is d1d33964
	CheckCRC         = "crc"         // the CRC-32 is that of magic and bitmap
	CheckStructure   = "structure"   // every count, key, offset, cardinality and value of the bitmap
	CheckEnd         = "end"         // after the bitmap comes nothing but the padding that the form allows
	CheckCardinality = "cardinality" // as many positions as expected; made only where a number is
)

// Examination is what became of reading a stored vector, down to what is wrong with it.
type Examination struct {
	Checks []string // the checks that were passed
	Fault  error    // the first that was not, as the form's reader would report it; nil: the reader accepts the vector
	Census *Census  // nil: without its magic there was nothing to walk
}

// Examine reads a stored vector as far as it can be read. Where a reader stops at the first
// fault, this goes on with whatever can still be checked: a wrong length or CRC does not hide the
// containers. It makes no vector: beyond data it needs no more memory than most of the 32-bit
// bitmaps that its census is to list.
func Examine(data []byte, form Form, expected int64, most int) *Examination {
	e := new(Examination)
	switch {
	case form != BitmapForm:
		if bitmap, ok := e.frame(data); ok {
			e.content(bitmap, frameHead, form, expected, most)
		}
	case e.refuses(form.CheckSize(int64(len(data)))):
	default:
		e.content(data, 0, form, expected, most)
	}
	e.Fault = fault.In(e.Fault, "%s", form.what())
	return e
}

// refuses notes a fault, if there is one and it is the first.
func (e *Examination) refuses(err error) bool {
	if e.Fault == nil {
		e.Fault = err
	}
	return err != nil
}

// passes notes the outcome of a check.
func (e *Examination) passes(name string, err error) bool {
	if e.refuses(err) {
		return false
	}
	e.Checks = append(e.Checks, name)
	return true
}

// frame checks what is around the bitmap and gives the bitmap, if one begins.
func (e *Examination) frame(data []byte) (bitmap []byte, ok bool) {
	whole := e.passes(CheckLength, checkLength(data))
	if len(data) < frameHead {
		return nil, false
	}
	ok = e.passes(CheckMagic, checkMagic(data[4:], 4))
	end := len(data) // of a vector that was cut there is no CRC to be told from the bitmap
	if whole {
		e.passes(CheckCRC, checkCRC(data))
		end -= 4
	}
	return data[frameHead:end], ok
}

// content checks the bitmap and what follows it, and counts.
func (e *Examination) content(bitmap []byte, base int, form Form, expected int64, most int) {
	c := &Census{Smallest: true, Canonical: true}
	e.Census = c
	end, err := c.walk(bitmap, base, most)
	c.Complete = e.passes(CheckStructure, err)
	if !c.Complete {
		c.Smallest, c.Canonical = false, false
		return
	}
	rest, padding := bitmap[end:], 0
	if form == RecordForm {
		padding = anyPadding
	}
	if e.passes(CheckEnd, checkRest(rest, base+end, padding)) {
		c.Padding = int64(len(rest))
	}
	c.Canonical = c.Canonical && e.Fault == nil && len(rest) == 0
	c.CanonicalSize += 8
	if form != BitmapForm {
		c.CanonicalSize += frameSize
	}
	if expected != Unknown {
		e.passes(CheckCardinality, checkCardinality(c.Cardinality, expected))
	}
}
