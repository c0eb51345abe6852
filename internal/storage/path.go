package storage

import (
	"sync"

	"golang.org/x/sys/unix"

	"github.com/libdv/libdv/internal/fault"
)

// PathSource reads a regular file of the local file system.
type PathSource struct {
	name string // quoted, for messages
	size int64

	mu sync.RWMutex // readers share it; Close excludes them, so that no read meets a reused descriptor
	fd int          // -1: closed
}

// OpenPath opens the regular file at path, whose bytes are taken as they are.
//
// Anything else - a directory, a pipe, a device - is ErrIO at once: opening never waits for a
// peer. The size is that of this moment.
func OpenPath(path string) (*PathSource, error) {
	name := fault.Quote(path)
	fd, err := open(unix.AT_FDCWD, path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, fault.IO(err, "open %s for reading", name)
	}
	var st unix.Stat_t
	if err := retry(func() error { return unix.Fstat(fd, &st) }); err != nil {
		_ = unix.Close(fd)
		return nil, fault.IO(err, "stat %s", name)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		_ = unix.Close(fd)
		return nil, fault.IO(nil, "open %s for reading: it is %s, a regular file was expected", name, fileType(st.Mode))
	}
	return &PathSource{name: name, size: st.Size, fd: fd}, nil
}

// Size is the number of bytes that the file had when it was opened.
func (s *PathSource) Size() int64 { return s.size }

// ReadAt fills p from offset off on. A file that has become shorter is ErrIO, a closed source
// ErrState.
func (s *PathSource) ReadAt(p []byte, off int64) error {
	if !inside(s.size, off, len(p)) {
		return outside(s.name, s.size, off, len(p))
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.fd < 0 {
		return fault.State("read %s: it is closed", s.name)
	}
	for len(p) > 0 {
		n, err := unix.Pread(s.fd, p, off)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return fault.IO(err, "read %s at offset %d", s.name, off)
		case n == 0:
			return earlyEnd(s.name, off, len(p))
		default:
			p, off = p[n:], off+int64(n)
		}
	}
	return nil
}

// Close waits for reads under way and closes the file. Closing again does nothing.
func (s *PathSource) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fd < 0 {
		return nil
	}
	err := unix.Close(s.fd)
	s.fd = -1
	if err != nil && err != unix.EINTR {
		return fault.IO(err, "close %s", s.name)
	}
	return nil
}

// fileType names what is not a regular file.
func fileType(mode uint32) string {
	switch mode & unix.S_IFMT {
	case unix.S_IFDIR:
		return "a directory"
	case unix.S_IFIFO:
		return "a pipe"
	case unix.S_IFSOCK:
		return "a socket"
	case unix.S_IFCHR, unix.S_IFBLK:
		return "a device"
	}
	return "no regular file"
}
