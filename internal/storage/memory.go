package storage

// memory is a Source over bytes of the caller.
type memory struct{ data []byte }

// Memory returns a source over data, which is borrowed and must not change while it is used.
func Memory(data []byte) Source { return memory{data} }

// Lent gives the bytes of a source over memory, in place. Whoever checks them before use copies them first:
// the promise that they do not change is the caller's.
func Lent(src Source) (data []byte, ok bool) {
	m, ok := src.(memory)
	return m.data, ok
}

func (m memory) Size() int64 { return int64(len(m.data)) }

func (m memory) ReadAt(p []byte, off int64) error {
	if !inside(m.Size(), off, len(p)) {
		return outside("memory", m.Size(), off, len(p))
	}
	copy(p, m.data[off:])
	return nil
}
