package storage

import (
	"github.com/libdv/libdv/internal/fault"
)

// trustedRead is how many bytes Read allocates on the word of a source alone.
const trustedRead = 64 << 20

// Read returns n bytes from offset off on in a slice of their own. what names them in errors.
//
// A range that is not inside the source is ErrCorrupt: it came from some file's metadata. Up
// to 64 MiB are asked for in one request. A longer range arrives in pieces, each as long as
// all before it, so that a source that claims more than it has costs memory in proportion to
// what it delivered, not to what it claimed.
func Read(src Source, off, n int64, what string) ([]byte, error) {
	return ReadRoom(src, off, n, 0, what)
}

// ReadRoom is Read into a slice that has a capacity for at least room bytes more, for callers
// that have the bytes that follow.
func ReadRoom(src Source, off, n int64, room int, what string) ([]byte, error) {
	size := src.Size()
	if off < 0 || n < 0 || off > size || n > size-off {
		return nil, fault.Corrupt("%s: %d bytes at offset %d do not lie within the %d bytes of the source",
			what, n, off, size)
	}
	if int64(int(n)) != n {
		return nil, fault.Limit("%s: %d bytes at offset %d are more than this platform can address", what, n, off)
	}
	if m, ok := src.(memory); ok && room == 0 {
		return append([]byte(nil), m.data[off:off+n]...), nil // bytes.Clone, and no zeros first
	}
	buf := make([]byte, min(n, trustedRead), min(n, trustedRead)+int64(room))
	have := 0
	for {
		if err := src.ReadAt(buf[have:], off+int64(have)); err != nil {
			return nil, fault.In(err, "%s", what)
		}
		have = len(buf)
		if int64(have) == n {
			return buf, nil
		}
		length := min(n, 2*int64(have))
		longer := make([]byte, length, length+int64(room))
		copy(longer, buf)
		buf = longer
	}
}

// ReadOver is Read for bytes that are done with before the next ones are read: into buf where that
// is large enough, and in place where the source is memory.
func ReadOver(buf []byte, src Source, off, n int64, what string) ([]byte, error) {
	if data, ok := Lent(src); ok && inside(src.Size(), off, 0) && n >= 0 && n <= src.Size()-off {
		return data[off : off+n : off+n], nil
	}
	if n < 0 || n > int64(cap(buf)) || !inside(src.Size(), off, int(n)) {
		return Read(src, off, n, what)
	}
	buf = buf[:n]
	return buf, fault.In(src.ReadAt(buf, off), "%s", what)
}

// earlyEnd reports bytes that a source does not have although its size says so.
func earlyEnd(name string, off int64, want int) error {
	return fault.IO(nil, "read %s: it ended at offset %d, %d more bytes were expected", name, off, want)
}

// inside reports whether [off, off+n) lies in a source of size bytes.
func inside(size, off int64, n int) bool {
	return off >= 0 && off <= size && int64(n) <= size-off
}

// outside reports a request for bytes beyond a source.
func outside(name string, size, off int64, n int) error {
	return fault.IO(nil, "read %s: %d bytes at offset %d were asked for, it has %d", name, n, off, size)
}
