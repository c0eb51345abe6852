package storage

import "github.com/libdv/libdv/internal/fault"

// MemorySink collects a file in memory.
type MemorySink struct {
	end
	data  []byte
	ready bool
}

// NewMemorySink returns an empty memory sink.
func NewMemorySink() *MemorySink { return &MemorySink{} }

// Write appends p.
func (s *MemorySink) Write(p []byte) error {
	if err := s.ended("write to"); err != nil {
		return err
	}
	s.data = append(s.data, p...)
	return nil
}

// Commit makes the bytes available to Take.
func (s *MemorySink) Commit() error {
	if err := s.ended("commit of"); err != nil {
		return err
	}
	s.finished("committed")
	s.ready = true
	return nil
}

// Abort drops the bytes.
func (s *MemorySink) Abort() {
	if s.over() {
		return
	}
	s.finished("dropped")
	s.data = nil
}

// Take hands over the committed bytes, once. Before a commit, after a drop and a second time
// it is ErrState.
func (s *MemorySink) Take() ([]byte, error) {
	switch {
	case s.ready:
		data := s.data
		s.data, s.ready = nil, false
		return data, nil
	case !s.over():
		return nil, fault.State("take from a sink that is not committed yet")
	case s.how == "committed":
		return nil, fault.State("take from a sink whose bytes were taken already")
	}
	return nil, s.ended("take from")
}
