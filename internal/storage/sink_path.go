package storage

import (
	"crypto/rand"
	"encoding/hex"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/libdv/libdv/internal/fault"
)

// pathSink writes a file that appears in its directory only when it is complete.
//
// Where the file system can, the file has no name until Commit links it (O_TMPFILE), so that
// not even a killed process leaves anything behind. Elsewhere it has a temporary name in the
// same directory and is renamed. The directory is held open: a change of the working
// directory, or of a name above it, does not move the target.
type pathSink struct {
	end
	name string // the target's path, quoted, for messages
	base string // the target's name in dir
	temp string // the temporary name in dir, "" where the file has none
	dir  int
	fd   int
	size int64
}

// CreatePath returns a sink for a new file at path, whose bytes are taken as they are.
//
// Its mode is 0666 less the umask. A directory that is missing or cannot be written is ErrIO
// here; a target that exists is ErrIO from Commit, which tests it and creates it in one step.
// Commit returns when the file and its directory entry are on the device.
func CreatePath(path string) (Sink, error) {
	s, err := newPathSink(path)
	if err != nil {
		return nil, err
	}
	if err := s.createUnnamed(); err != nil {
		if !noUnnamed(err) {
			return nil, s.give(err, "create a file for %s", s.name)
		}
		if err := s.createNamed(); err != nil {
			return nil, s.give(err, "create a file for %s", s.name)
		}
	}
	return s, nil
}

// newPathSink opens the target's directory.
func newPathSink(path string) (*pathSink, error) {
	dir, base := ".", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		dir, base = path[:i+1], path[i+1:]
	}
	name := fault.Quote(path)
	if base == "" || base == "." || base == ".." {
		return nil, fault.IO(nil, "create %s: it does not name a file", name)
	}
	fd, err := open(unix.AT_FDCWD, dir, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, fault.IO(err, "create %s: open its directory", name)
	}
	s := &pathSink{name: name, base: base, dir: fd, fd: -1}
	var st unix.Stat_t
	err = retry(func() error { return unix.Fstatat(fd, base, &st, unix.AT_SYMLINK_NOFOLLOW) })
	if err != nil && err != unix.ENOENT { // a name that the file system cannot hold
		return nil, s.give(err, "create %s", name)
	}
	return s, nil
}

// createUnnamed makes a file without a name.
func (s *pathSink) createUnnamed() error {
	fd, err := open(s.dir, ".", unix.O_WRONLY|unix.O_TMPFILE, 0o666)
	if err != nil {
		return err
	}
	var st unix.Stat_t
	if err := unix.Stat(procPath(fd), &st); err != nil { // without /proc it could never be given one
		_ = unix.Close(fd)
		return unix.EOPNOTSUPP
	}
	s.fd = fd
	return nil
}

// noUnnamed reports whether err is how a file system or an old kernel says that it has no
// O_TMPFILE.
func noUnnamed(err error) bool {
	return err == unix.EOPNOTSUPP || err == unix.EISDIR || err == unix.EINVAL || err == unix.ENOSYS
}

// createNamed makes a file with a temporary name.
func (s *pathSink) createNamed() error {
	for {
		var random [12]byte
		_, _ = rand.Read(random[:]) // never fails
		temp := ".libdv-" + hex.EncodeToString(random[:]) + ".tmp"
		fd, err := open(s.dir, temp, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW, 0o666)
		if err == unix.EEXIST {
			continue
		}
		if err != nil {
			return err
		}
		s.fd, s.temp = fd, temp
		return nil
	}
}

func (s *pathSink) Write(p []byte) error {
	if err := s.ended("write to"); err != nil {
		return err
	}
	if err := writeAll(s.fd, p, s.size); err != nil {
		return s.failed(s.give(err, "write %s at offset %d", s.name, s.size))
	}
	s.size += int64(len(p))
	return nil
}

func (s *pathSink) Commit() error {
	if err := s.ended("commit of"); err != nil {
		return err
	}
	s.finished("committed")
	if err := retry(func() error { return unix.Fsync(s.fd) }); err != nil {
		return s.failed(s.give(err, "sync %s", s.name))
	}
	if err := s.appear(); err != nil {
		return s.failed(s.give(err, "create %s", s.name))
	}
	if err := syncDirectory(s.dir); err != nil {
		s.disappear()
		return s.failed(s.give(err, "sync the directory of %s", s.name))
	}
	s.close()
	return nil
}

func (s *pathSink) Abort() {
	if s.over() {
		return
	}
	s.finished("dropped")
	s.drop()
}

// appear gives the file its name, unless something has that name.
func (s *pathSink) appear() error {
	if s.temp == "" {
		return retry(func() error {
			return unix.Linkat(unix.AT_FDCWD, procPath(s.fd), s.dir, s.base, unix.AT_SYMLINK_FOLLOW)
		})
	}
	err := retry(func() error {
		return unix.Renameat2(s.dir, s.temp, s.dir, s.base, unix.RENAME_NOREPLACE)
	})
	if err == unix.ENOSYS || err == unix.EINVAL { // the file system knows no such rename
		return s.link()
	}
	if err == nil {
		s.temp = ""
	}
	return err
}

// link gives the file its name beside the temporary one, then takes that away.
func (s *pathSink) link() error {
	if err := retry(func() error { return unix.Linkat(s.dir, s.temp, s.dir, s.base, 0) }); err != nil {
		return err
	}
	remove(s.dir, s.temp)
	s.temp = ""
	return nil
}

// disappear takes the name away again, if it still is this file's.
func (s *pathSink) disappear() {
	var mine, there unix.Stat_t
	if unix.Fstat(s.fd, &mine) == nil &&
		unix.Fstatat(s.dir, s.base, &there, unix.AT_SYMLINK_NOFOLLOW) == nil &&
		mine.Dev == there.Dev && mine.Ino == there.Ino {
		remove(s.dir, s.base)
	}
}

// give phrases a failure after dropping the file.
func (s *pathSink) give(cause error, format string, args ...any) error {
	s.drop()
	return fault.IO(cause, format, args...)
}

// drop removes what there is of an unfinished file.
func (s *pathSink) drop() {
	if s.temp != "" {
		remove(s.dir, s.temp)
		s.temp = ""
	}
	s.close()
}

func (s *pathSink) close() {
	if s.fd >= 0 {
		_ = unix.Close(s.fd) // its bytes are synced, or not wanted
		s.fd = -1
	}
	if s.dir >= 0 {
		_ = unix.Close(s.dir)
		s.dir = -1
	}
}

// syncDirectory makes a new name durable. Some file systems have no such operation and say so.
func syncDirectory(dir int) error {
	err := retry(func() error { return unix.Fsync(dir) })
	if err == unix.EINVAL || err == unix.EOPNOTSUPP {
		return nil
	}
	return err
}

func procPath(fd int) string { return "/proc/self/fd/" + strconv.Itoa(fd) }
