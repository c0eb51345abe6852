package storage

import "github.com/libdv/libdv/internal/fault"

// funcSource reads through a function of the caller.
type funcSource struct {
	size   int64
	readAt func(p []byte, off int64) (int, error)
}

// NewFuncSource returns a source of size bytes (below 0 counts as 0) that reads through
// readAt, which works like pread: it returns how many bytes of p it filled, 0 at the end.
//
// Fewer than len(p) are no failure, the rest is asked for again. 0 before the end, a negative
// count, more than len(p) and an error are ErrIO. readAt is called on the reading thread, by
// several at a time where several read.
func NewFuncSource(size int64, readAt func(p []byte, off int64) (int, error)) Source {
	return &funcSource{size: max(size, 0), readAt: readAt}
}

func (s *funcSource) Size() int64 { return s.size }

func (s *funcSource) ReadAt(p []byte, off int64) error {
	if !inside(s.size, off, len(p)) {
		return outside("callback", s.size, off, len(p))
	}
	for len(p) > 0 {
		n, err := s.readAt(p, off)
		switch {
		case err != nil:
			return fault.IO(err, "read callback at offset %d", off)
		case n < 0:
			return fault.IO(nil, "read callback at offset %d: it reported failure (%d)", off, n)
		case n > len(p):
			return fault.IO(nil, "read callback at offset %d: it reported %d bytes, at most %d were asked for",
				off, n, len(p))
		case n == 0:
			return earlyEnd("callback", off, len(p))
		}
		p, off = p[n:], off+int64(n)
	}
	return nil
}

// funcSink writes through functions of the caller.
type funcSink struct {
	end
	write  func(p []byte) error
	finish func(success bool) error
}

// NewFuncSink returns a sink that hands every non-empty write to write and ends with exactly
// one call of finish: finish(true) commits, and its error is ErrIO; finish(false) drops the
// file, after an Abort or a failed write, and its error is ignored.
func NewFuncSink(write func(p []byte) error, finish func(success bool) error) Sink {
	return &funcSink{write: write, finish: finish}
}

func (s *funcSink) Write(p []byte) error {
	if err := s.ended("write to"); err != nil || len(p) == 0 {
		return err
	}
	if err := s.write(p); err != nil {
		s.Abort()
		return s.failed(fault.IO(err, "write callback, %d bytes", len(p)))
	}
	return nil
}

func (s *funcSink) Commit() error {
	if err := s.ended("commit of"); err != nil {
		return err
	}
	s.finished("committed")
	if err := s.finish(true); err != nil {
		return s.failed(fault.IO(err, "finish callback"))
	}
	return nil
}

func (s *funcSink) Abort() {
	if s.over() {
		return
	}
	s.finished("dropped")
	_ = s.finish(false)
}
