package storage

import "golang.org/x/sys/unix"

// retry repeats a system call that a signal of the host interrupted: a host may install
// handlers without SA_RESTART.
func retry(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}

// open is openat, close-on-exec and repeated after signals.
func open(dir int, path string, flags int, mode uint32) (int, error) {
	for {
		fd, err := unix.Openat(dir, path, flags|unix.O_CLOEXEC, mode)
		if err != unix.EINTR {
			return fd, err
		}
	}
}

// remove takes a name out of a directory. A file system that refuses to is beyond help.
func remove(dir int, name string) {
	_ = retry(func() error { return unix.Unlinkat(dir, name, 0) })
}

// writeAll writes all of p to fd, whose end lies at offset at.
//
// The limit on file sizes is looked at first because reaching it raises SIGXFSZ, which by
// default ends the host process; here it is the error that the host would see otherwise.
func writeAll(fd int, p []byte, at int64) error {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &limit); err == nil && uint64(at)+uint64(len(p)) > limit.Cur {
		return unix.EFBIG
	}
	for len(p) > 0 {
		n, err := unix.Write(fd, p)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return err
		case n <= 0:
			return unix.EIO
		default:
			p = p[n:]
		}
	}
	return nil
}
