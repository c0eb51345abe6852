package inspect

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/golden"
	"github.com/libdv/libdv/internal/storage"
)

var samples = map[string]Format{
	"iceberg/multi_3_files.puffin": Puffin, "iceberg/all_kinds_3c.dv": Blob, "delta/kernel_keys.bin": Delta,
	"iceberg/pyroaring/pos5.roaring64": Roaring, "mumbling/containers_8192.bin": Mumbling,
}

// TestAFailingSource fails at each of its requests in turn; that is no fault of the bytes, whatever its cause says.
func TestAFailingSource(t *testing.T) {
	cause := fault.Corrupt("a disk")
	for name, format := range samples {
		data := golden.Read(t, name)
		for failing := 1; ; failing++ {
			requests := 0
			out, err := Inspect(storage.NewFuncSource(int64(len(data)), func(p []byte, off int64) (int, error) {
				if requests++; requests == failing {
					return 0, cause
				}
				return copy(p, data[off:]), nil
			}), format)
			if requests < failing {
				if err != nil || failing == 1 {
					t.Errorf("%s: %v after %d requests", name, err, requests)
				}
				break
			}
			if out != nil || !errors.Is(err, fault.ErrIO) || !errors.Is(err, cause) {
				t.Errorf("%s: request %d failed: %s, %v", name, failing, out, err)
			}
		}
	}
}

func TestALyingSizeIsIO(t *testing.T) {
	for name := range samples {
		data := golden.Read(t, name)
		for _, more := range []int64{1, 1 << 20, 1 << 40} {
			_, err := Inspect(storage.NewFuncSource(int64(len(data))+more, func(p []byte, off int64) (int, error) {
				return copy(p, data[min(off, int64(len(data))):]), nil
			}), Unknown)
			if fault.Kind(err) != fault.ErrIO {
				t.Errorf("%s: %d bytes too few: %v", name, more, err)
			}
		}
	}
}

// TestShortReads gets one byte at a time and reports the same.
func TestShortReads(t *testing.T) {
	for name, format := range samples {
		data := golden.Read(t, name)
		got := lookAt(t, storage.NewFuncSource(int64(len(data)), func(p []byte, off int64) (int, error) {
			return copy(p[:min(len(p), 1000)], data[off:]), nil
		}), format)
		if diff := cmp.Diff(look(t, data, format), got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestReadAhead keeps the number of requests down where records are small.
func TestReadAhead(t *testing.T) {
	data := []byte{1}
	for range 10_000 {
		data = append(data, blobOf(t)...)
	}
	requests := 0
	o := lookAt(t, storage.NewFuncSource(int64(len(data)), func(p []byte, off int64) (int, error) {
		requests++
		return copy(p, data[off:]), nil
	}), Unknown)
	if o.Count != 10_000 || requests > 3+len(data)/(windowSize-20)+1 {
		t.Errorf("%d records, %d requests for %d bytes", o.Count, requests, len(data))
	}
}
