// Package storage holds the sources that libdv reads from and the sinks that it writes to:
// memory, a path of the local file system, and functions of the caller.
//
// A source says how long it is and fills buffers from any offset; everything else - what a
// short read means, how much memory a claimed size may cost - is settled once, in Read and in
// the sources themselves. A sink takes one file from its first byte to its end and makes it
// appear whole or not at all.
package storage

// Source is random-access bytes whose number does not change.
//
// Its methods may be called by any number of threads at a time.
type Source interface {
	// Size is the number of bytes, at least 0. For the sources made from functions it is a
	// claim that only reading proves.
	Size() int64
	// ReadAt fills all of p with the bytes from offset off on, or fails with ErrIO. It never
	// reads fewer bytes without an error: a source that ends early has failed.
	ReadAt(p []byte, off int64) error
}

// Sink takes the bytes of one file, in order.
//
// Exactly one of Commit and Abort ends it; a failed Write or Commit ends it too and drops the
// file. After its end Write and Commit fail with ErrState and Abort does nothing. A sink
// serves one thread at a time.
type Sink interface {
	// Write appends all of p, which the sink does not keep, or fails with ErrIO.
	Write(p []byte) error
	// Commit makes the file appear, or fails with ErrIO and leaves nothing behind.
	Commit() error
	// Abort drops what was written.
	Abort()
}
