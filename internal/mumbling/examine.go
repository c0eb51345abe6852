package mumbling

import (
	"bytes"
	"math/bits"
)

// MaxSize is how many bytes Examine needs at most. No bitmap of version 1 has nearly as many.
const MaxSize = 1 << 20

// The checks of a bitmap, in the order in which they are made.
const (
	CheckHeader      = "header"      // version, and a cardinality and a number of containers within their limits
	CheckDescriptors = "descriptors" // the descriptors, and room for the containers that they announce
	CheckStructure   = "structure"   // sparse places ascend, dense containers hold 32 places or more
	CheckEnd         = "end"         // nothing follows the last container
	CheckCardinality = "cardinality" // as many positions as the header states
)

// Examination is what became of reading a bitmap, down to what is wrong with it.
type Examination struct {
	Checks []string // the checks that were passed
	Fault  error    // the first that was not, as Read and Validate report it; nil: both accept the bitmap
	Header bool     // the header was sound,
	Stated int32    // and this is its cardinality
	Census *Census  // nil: the containers could not be found
}

// Census is what a bitmap consists of, up to its first fault.
type Census struct {
	Sparse, Dense Tally
	Empty         int64 // sparse containers without a place, which are not among Sparse
	Cardinality   int64
	First, Last   int64 // the smallest and the largest position; 0 where there is none
	Complete      bool  // the last container was reached: else everything here counts what is before the fault
	Canonical     bool  // the bytes, all of them, are those that FromVector writes for these positions
	CanonicalSize int64 // how many those are, where complete
}

// Tally is how many containers there are and the bytes that they take.
type Tally struct{ Count, Bytes int64 }

// Examine reads a bitmap as far as it can be read: where Validate stops at the first fault, this
// goes on with what can still be checked. Of more than MaxSize bytes, data is the first MaxSize
// and more says how many follow.
func Examine(data []byte, more int64) *Examination {
	e := new(Examination)
	b, err := ReadOwned(data)
	if !e.passes(CheckHeader, err) {
		return e
	}
	e.Header, e.Stated = true, b.cardinality
	if !e.passes(CheckDescriptors, b.load()) {
		return e
	}
	c := new(Census)
	e.Census = c
	last, err := c.walk(b)
	c.Complete = e.passes(CheckStructure, err)
	if !c.Complete {
		return e
	}
	e.passes(CheckEnd, b.checkEnd(more))
	e.passes(CheckCardinality, b.compare(int(c.Cardinality)))
	c.compare(b, last)
	return e
}

// passes notes the outcome of a check.
func (e *Examination) passes(name string, err error) bool {
	if err == nil {
		e.Checks = append(e.Checks, name)
	} else if e.Fault == nil {
		e.Fault = err
	}
	return err == nil
}

// walk checks and counts the containers and gives the index of the last that is not empty, or -1.
func (s *Census) walk(b *Bitmap) (last int, err error) {
	last = -1
	for c := range b.containers {
		places, err := b.checkContainer(c)
		if err != nil {
			return last, err
		}
		stored := b.stored(c)
		if len(stored) == 0 {
			s.Empty++
			continue
		}
		t := &s.Sparse
		if len(stored) == denseSize {
			t = &s.Dense
		}
		t.Count++
		t.Bytes += int64(len(stored))
		s.Cardinality += int64(places)
		low, high := ends(stored)
		if last < 0 {
			s.First = int64(c*containerPlaces + low)
		}
		s.Last = int64(c*containerPlaces + high)
		last = c
	}
	return last, nil
}

// ends gives the lowest and the highest place of a sound container that is not empty.
func ends(stored []byte) (low, high int) {
	if len(stored) < denseSize {
		return int(stored[0]), int(stored[len(stored)-1])
	}
	for stored[low/8] == 0 {
		low += 8
	}
	high = containerPlaces - 1
	for stored[high/8] == 0 {
		high -= 8
	}
	return low + bits.LeadingZeros8(stored[low/8]), high - bits.TrailingZeros8(stored[high/8])
}

// compare tells what of the bytes FromVector would write as they are. Only one form is valid for
// each container, so the descriptors, their coding and the number of empty containers decide.
func (s *Census) compare(b *Bitmap, last int) {
	descriptors := make([]byte, last+1)
	for c := range descriptors {
		if size := len(b.stored(c)); size == denseSize {
			descriptors[c] = descriptorDense
		} else {
			descriptors[c] = byte(size)
		}
	}
	coded := EncodePFOR(descriptors)
	s.CanonicalSize = headerSize + int64(len(coded)) + s.Sparse.Bytes + s.Dense.Bytes
	s.Canonical = b.containers == len(descriptors) && b.end == len(b.data) && int64(b.cardinality) == s.Cardinality &&
		bytes.HasPrefix(b.data[headerSize:], coded) && s.CanonicalSize == int64(len(b.data))
}
