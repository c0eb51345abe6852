package hostile_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/libdv/libdv/internal/delta"
	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/hostile"
	"github.com/libdv/libdv/internal/mumbling"
	"github.com/libdv/libdv/internal/puffin"
	"github.com/libdv/libdv/internal/storage"
)

func load(t testing.TB) []hostile.Case {
	t.Helper()
	cases, err := hostile.Load()
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

func TestTableIsCurrent(t *testing.T) {
	cases, err := hostile.All()
	if err != nil {
		t.Fatal(err)
	}
	found, err := os.ReadFile(hostile.Path())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(found, hostile.Table(cases)) {
		t.Fatal("testdata/hostile/table.txt is not what the generator makes: go run ./internal/hostile/write table")
	}
}

func TestTableSaysWhatItWasMadeOf(t *testing.T) {
	made, err := hostile.All()
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range load(t) {
		want := made[i]
		if want.File != "" {
			want.Data = c.Data
		}
		if c.Name != want.Name || c.Format() != want.Format() || c.Text != want.Text || !bytes.Equal(c.Data, want.Data) {
			t.Fatalf("line %d reads as %s, expected %s", i, c.Format(), want.Format())
		}
	}
}

// statusOf names the status that a caller of the C ABI would get.
func statusOf(err error) string {
	if err == nil {
		return hostile.OK
	}
	switch fault.Kind(err) {
	case fault.ErrInvalidArgument:
		return hostile.Invalid
	case fault.ErrCorrupt:
		return hostile.Corrupt
	case fault.ErrMismatch:
		return hostile.Mismatch
	case fault.ErrUnsupported:
		return hostile.Unsupported
	case fault.ErrLimit:
		return hostile.Limit
	}
	return "no status of hostile input"
}

// ways are the readings of each kind of input. The first decides; the others have to agree with it.
var ways = map[string][]func(c *hostile.Case, whole []byte) error{
	hostile.Blob:           {parseBlob, viewBlob, blobPositions, blobKeepMask},
	hostile.Bitmap:         {parseBitmap},
	hostile.Range:          {readRange},
	hostile.Puffin:         {openPuffin, maskPuffin},
	hostile.Entry:          {readEntry, openAndReadEntry},
	hostile.Delta:          {readDelta},
	hostile.Inline:         {decodeInline},
	hostile.Descriptor:     {parseDescriptor},
	hostile.DescriptorRead: {readDescriptor},
	hostile.Mumbling:       {readMumbling, readMumblingOwned},
	hostile.PFOR:           {decodePFOR},
	hostile.Specs:          {newWriter},
	hostile.Partition:      {addPartitioned},
}

func TestTable(t *testing.T) {
	cases := load(t)
	if len(cases) < 5000 {
		t.Fatalf("%d inputs", len(cases))
	}
	for i := range cases {
		c := &cases[i]
		if len(ways[c.How]) == 0 {
			t.Fatalf("%s: no way to read a %q", c.Name, c.How)
		}
		for way, read := range ways[c.How] {
			input := bytes.Clone(c.Data)
			err := read(c, slices.Clip(input))
			if status := statusOf(err); status != c.Status {
				t.Errorf("%s, way %d: %s, expected %s (%v)", c.Name, way, status, c.Status, err)
			}
			if err != nil && (strings.ContainsAny(err.Error(), "\n\r") || len(err.Error()) < 10) {
				t.Errorf("%s, way %d: the message is %q, expected a line", c.Name, way, err)
			}
			if !bytes.Equal(input, c.Data) {
				t.Errorf("%s, way %d: the input was changed", c.Name, way)
			}
		}
	}
}

// use reads a vector in every way: what was accepted is sound.
func use(v *dv.Vector, err error) error {
	if err != nil {
		return err
	}
	out := make([]int64, min(v.Cardinality(), 1<<17))
	n, err := v.Positions(0, dv.MaxPosition+1, out)
	if err != nil || n != len(out) || !slices.IsSorted(out) {
		return fault.State("positions: %d of %d, %v", n, len(out), err)
	}
	blob, err := v.EncodeBlob()
	if err != nil {
		return fault.State("encode: %v", err)
	}
	again, err := dv.ParseBlob(blob.Bytes(), v.Cardinality())
	if err != nil || !again.Equals(v) {
		return fault.State("through a blob: %v", err)
	}
	mask := make([]byte, 9000)
	for _, at := range append(out[:min(len(out), 3)], 0) {
		if err := v.KeepMask(at, 70000, mask); err != nil {
			return fault.State("mask: %v", err)
		}
	}
	return nil
}

func parseBlob(c *hostile.Case, b []byte) error { return use(dv.ParseBlob(b, c.Cardinality)) }
func viewBlob(c *hostile.Case, b []byte) error  { return use(dv.ViewBlob(b, c.Cardinality)) }
func parseBitmap(_ *hostile.Case, b []byte) error {
	return use(dv.ParseBitmap(b))
}

func blobPositions(c *hostile.Case, b []byte) error {
	_, err := dv.BlobPositions(b, c.Cardinality, make([]int64, 1<<17))
	return err
}

func blobKeepMask(c *hostile.Case, b []byte) error {
	return dv.BlobKeepMask(b, c.Cardinality, 0, 70000, make([]byte, 70000/8))
}

func readRange(c *hostile.Case, b []byte) error {
	return use(dv.ReadRange(storage.Memory(b), c.Offset, c.Size, c.Cardinality))
}

func openPuffin(_ *hostile.Case, b []byte) error {
	src := storage.Memory(b)
	f, err := puffin.Open(src)
	if err != nil {
		return err
	}
	for i, blob := range f.Blobs() {
		if blob.Type != puffin.DeletionVector {
			continue
		}
		if err := use(f.Read(src, i)); err != nil {
			return err
		}
	}
	return nil
}

// maskPuffin makes the masks of the same blobs in one call.
func maskPuffin(_ *hostile.Case, b []byte) error {
	src := storage.Memory(b)
	f, err := puffin.Open(src)
	if err != nil {
		return err
	}
	var masks puffin.Masks
	for i, blob := range f.Blobs() {
		if blob.Type == puffin.DeletionVector {
			masks.Indices, masks.Lengths = append(masks.Indices, uint(i)), append(masks.Lengths, 512)
		}
	}
	return f.KeepMasks(src, masks, make([]byte, len(masks.Lengths)*puffin.MaskAlign))
}

func entryOf(c *hostile.Case) puffin.Entry {
	return puffin.Entry{ContentOffset: c.Offset, ContentSize: c.Size, RecordCount: c.Cardinality, DataFile: c.Text}
}

func readEntry(c *hostile.Case, b []byte) error {
	v, _, err := puffin.ReadEntry(storage.Memory(b), entryOf(c))
	return use(v, err)
}

func openAndReadEntry(c *hostile.Case, b []byte) error {
	src := storage.Memory(b)
	f, err := puffin.Open(src)
	if err != nil {
		return err
	}
	v, _, err := f.ReadEntry(src, entryOf(c))
	return use(v, err)
}

func readDelta(c *hostile.Case, b []byte) error {
	return use(delta.Read(storage.Memory(b), int32(c.Offset), int32(c.Size), c.Cardinality))
}

func decodeInline(c *hostile.Case, b []byte) error {
	return use(delta.DecodeInline(b, int32(c.Size), c.Cardinality))
}

func parseDescriptor(_ *hostile.Case, b []byte) error {
	_, err := delta.ParseDescriptor(b)
	return err
}

func readDescriptor(c *hostile.Case, b []byte) error {
	d, err := delta.ParseDescriptor([]byte(c.Text))
	if err != nil {
		return fault.State("%v", err)
	}
	return use(d.Read(storage.Memory(b)))
}

func readMumbling(_ *hostile.Case, b []byte) error      { return useMumbling(mumbling.Read(b)) }
func readMumblingOwned(_ *hostile.Case, b []byte) error { return useMumbling(mumbling.ReadOwned(b)) }

// useMumbling calls everything, and fails as validating does.
func useMumbling(b *mumbling.Bitmap, err error) error {
	if err != nil {
		return err
	}
	_, isSet := b.IsSet(521)
	out := make([]int32, mumbling.MaxCardinality)
	n, positions := b.Positions(out)
	mask := b.KeepMask(0, mumbling.MaxCardinality, make([]byte, mumbling.MaxCardinality/8))
	vector, toVector := b.ToVector()
	if err := b.Validate(); err != nil {
		return err
	}
	if isSet != nil || positions != nil || mask != nil || n != int(b.Cardinality()) {
		return fault.State("a valid bitmap of %d: %v, %v, %v, %d positions", b.Cardinality(), isSet, positions, mask, n)
	}
	return use(vector, toVector)
}

func decodePFOR(c *hostile.Case, b []byte) error {
	_, err := mumbling.DecodePFOR(b, make([]byte, c.Size))
	return err
}

func newWriter(_ *hostile.Case, b []byte) error {
	_, err := puffin.NewWriter(append([]byte{}, b...)) // nil would be no specs at all
	return err
}

func addPartitioned(c *hostile.Case, b []byte) error {
	w, err := puffin.NewWriter([]byte(c.Text))
	if err != nil {
		return fault.State("%v", err)
	}
	return w.Add("a", []int64{1}, int32(c.Offset), b)
}
