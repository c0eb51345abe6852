package inspect

import "github.com/libdv/libdv/internal/storage"

// windowSize is how many bytes a small read asks for.
const windowSize = 64 << 10

// window is a source for one thread that reads ahead: records and blobs are often small and one
// behind the other, and requests are what costs.
type window struct {
	storage.Source
	data []byte
	at   int64 // of data
}

func readAhead(src storage.Source) storage.Source { return &window{Source: src} }

func (w *window) ReadAt(p []byte, off int64) error {
	if len(p) >= windowSize || off < 0 || off > w.Size()-int64(len(p)) {
		return w.Source.ReadAt(p, off)
	}
	if off < w.at || off+int64(len(p)) > w.at+int64(len(w.data)) {
		if err := w.load(off); err != nil {
			return err
		}
	}
	copy(p, w.data[off-w.at:])
	return nil
}

func (w *window) load(off int64) error {
	n := min(windowSize, w.Size()-off)
	if int64(cap(w.data)) < n {
		w.data = make([]byte, n)
	}
	w.data, w.at = w.data[:n], off
	if err := w.Source.ReadAt(w.data, off); err != nil {
		w.data = w.data[:0] // of which nothing is known
		return err
	}
	return nil
}
