package hostile_test

import (
	"runtime"
	"testing"

	"github.com/libdv/libdv/internal/delta"
	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/hostile"
	"github.com/libdv/libdv/internal/mumbling"
	"github.com/libdv/libdv/internal/puffin"
	"github.com/libdv/libdv/internal/storage"
)

// Reading any input costs at most 64 MiB and four times its size: all that is allocated on the way counts here, whether
// it is garbage by then or not. What an input costs for itself is told apart from what any costs by its own measure.
func TestMemoryIsBounded(t *testing.T) {
	const (
		size  = 2 << 20
		small = 1 << 20  // what there may be whatever the size, like a buffer for a file's end
		fixed = 64 << 20 // what an input of next to nothing may cost
	)
	seen := 0
	hostile.Worst(size, func(c hostile.Case) {
		seen++
		allowed := uint64(small + 4*len(c.Data))
		if len(c.Data) < size/2 {
			allowed = fixed
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := bulk[c.How](&c)
		runtime.ReadMemStats(&after)
		if status := statusOf(err); status != c.Status {
			t.Errorf("%s: %s, expected %s (%v)", c.Name, status, c.Status, err)
		}
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > allowed {
			t.Errorf("%s: %d bytes allocated for %d, expected at most %d", c.Name, allocated, len(c.Data), allowed)
		}
	})
	if seen < 50 {
		t.Errorf("%d inputs", seen)
	}
}

// The caller's buffers of bulk reads.
var (
	mask      = make([]byte, 1<<20)
	positions = make([]int64, 1<<16)
)

// bulk reads an input once and takes a mask, positions and a count of all of it.
var bulk = map[string]func(c *hostile.Case) error{
	hostile.Blob:   func(c *hostile.Case) error { return scan(dv.ParseBlob(c.Data, dv.Unknown)) },
	hostile.View:   func(c *hostile.Case) error { return scan(dv.ViewBlob(c.Data, dv.Unknown)) },
	hostile.Bitmap: func(c *hostile.Case) error { return scan(dv.ParseBitmap(c.Data)) },
	hostile.Range: func(c *hostile.Case) error {
		return scan(dv.ReadRange(storage.Memory(c.Data), c.Offset, c.Size, dv.Unknown))
	},
	hostile.Puffin: func(c *hostile.Case) error {
		src := storage.Memory(c.Data)
		f, err := puffin.Open(src)
		if err != nil {
			return err
		}
		for i, blob := range f.Blobs() {
			if blob.Type == puffin.DeletionVector && !blob.HasCodec {
				if err := scan(f.Read(src, i)); err != nil {
					return err
				}
			}
		}
		return nil
	},
	hostile.Delta: func(c *hostile.Case) error {
		return scan(delta.Read(storage.Memory(c.Data), int32(c.Offset), int32(c.Size), dv.Unknown))
	},
	hostile.Inline: func(c *hostile.Case) error { return scan(delta.DecodeInline(c.Data, int32(c.Size), dv.Unknown)) },
	hostile.Descriptor: func(c *hostile.Case) error {
		_, err := delta.ParseDescriptor(c.Data)
		return err
	},
	hostile.DescriptorRead: func(c *hostile.Case) error {
		d, err := delta.ParseDescriptor(c.Data)
		if err != nil {
			return err
		}
		return scan(d.Read(nil))
	},
	hostile.Mumbling: func(c *hostile.Case) error {
		b, err := mumbling.Read(c.Data)
		if err != nil {
			return err
		}
		if err := b.Validate(); err != nil {
			return err
		}
		return scan(b.ToVector())
	},
	hostile.Specs: func(c *hostile.Case) error {
		_, err := puffin.NewWriter(c.Data)
		return err
	},
}

func scan(v *dv.Vector, err error) error {
	if err != nil {
		return err
	}
	if err := v.KeepMask(0, 8<<20, mask); err != nil {
		return err
	}
	if _, err := v.Positions(0, dv.MaxPosition+1, positions); err != nil {
		return err
	}
	_, err = v.Count(0, dv.MaxPosition+1)
	return err
}
