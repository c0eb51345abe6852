package puffin

import (
	"bytes"
	"errors"
	"testing"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/golden"
	"github.com/libdv/libdv/internal/storage"
)

// source hides that a source is memory.
type source struct{ storage.Source }

// TestMasksOfGoldenFiles compares with the masks of the vectors that Read gives.
func TestMasksOfGoldenFiles(t *testing.T) {
	for name := range puffins(t) {
		src := storage.Memory(golden.Read(t, name))
		f, err := Open(src)
		ok(t, err)
		const rows = 70_003
		var masks Masks
		var want []byte
		for i := len(f.Blobs()) - 1; i >= 0; i-- {
			v, err := f.Read(src, i)
			if err != nil {
				continue // of another type: TestMaskErrors
			}
			mask := make([]byte, (rows+511)/512*MaskAlign)
			ok(t, v.KeepMask(0, rows, mask))
			masks.Indices, masks.Lengths = append(masks.Indices, uint(i)), append(masks.Lengths, rows)
			want = append(want, mask...)
		}
		for _, from := range []storage.Source{src, source{src}} {
			got := bytes.Repeat([]byte{0xEE}, len(want))
			ok(t, f.KeepMasks(from, masks, got))
			if !bytes.Equal(got, want) {
				t.Errorf("%s: the masks differ", name)
			}
		}
	}
}

// TestMaskErrors expects for every file with one fault what Read says of it.
func TestMaskErrors(t *testing.T) {
	s := sparse(t, 4, 0, 0)
	broken := bytes.Clone(s.bytes)
	broken[20] ^= 1
	for _, data := range [][]byte{s.bytes, broken} {
		src := storage.Memory(data)
		f, err := Open(src)
		ok(t, err)
		_, want := f.Read(src, 0)
		for _, from := range []storage.Source{src, source{src}} {
			got := f.KeepMasks(from, Masks{Lengths: []int64{100}}, make([]byte, 64))
			if (got == nil) != (want == nil) || got != nil && got.Error() != want.Error() {
				t.Errorf("%v, expected %v", got, want)
			}
		}
		if err := f.KeepMasks(src, Masks{Lengths: []int64{100}, Indices: []uint{1}}, nil); !errors.Is(err, fault.ErrInvalidArgument) {
			t.Errorf("a blob that is not there: %v", err)
		}
	}
}
