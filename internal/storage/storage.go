// Package storage holds the sources that libdv reads from and the sinks that it writes to.
package storage

// Source is random-access bytes. Its methods may run concurrently.
type Source interface {
	// Size is the number of bytes.
	Size() int64
	// ReadAt fills all of p from byte off on, or fails.
	ReadAt(p []byte, off int64) error
}

// Sink takes the bytes of one file. Exactly one of Commit and Abort ends it.
type Sink interface {
	Write(p []byte) error
	Commit() error
	Abort()
}
