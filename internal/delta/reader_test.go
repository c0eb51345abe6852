package delta

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/golden"
	"github.com/libdv/libdv/internal/storage"
)

// control is {5} as both delta_kernel and Delta's Java code write it: 43 bytes.
const controlFile = "delta/kernel_single.bin"

func goldenFiles(t testing.TB) []golden.File {
	t.Helper()
	var files []golden.File
	for _, f := range golden.Load(t).Files {
		if f.Format == "delta-dv-file" {
			files = append(files, f)
		}
	}
	if len(files) < 10 {
		t.Fatalf("%d Delta files", len(files))
	}
	return files
}

func TestGoldenFiles(t *testing.T) {
	for _, f := range goldenFiles(t) {
		src := storage.Memory(golden.Read(t, f.File))
		for i, r := range f.Records {
			t.Run(f.File+"/"+r.Set, func(t *testing.T) {
				if f.Magic == "native" {
					for _, size := range []int32{r.SizeInBytes, Unknown} {
						_, err := Read(src, r.Offset, size, r.Cardinality)
						wantKind(t, err, fault.ErrUnsupported)
						if !strings.Contains(err.Error(), "1681511376") {
							t.Errorf("the message does not name the magic: %v", err)
						}
					}
					return
				}
				want := r.Positions.All(t)
				for _, offset := range []int32{r.Offset, Unknown} {
					if offset == Unknown && i > 0 {
						continue
					}
					for _, size := range []int32{r.SizeInBytes, Unknown} {
						for _, cardinality := range []int64{r.Cardinality, dv.Unknown} {
							v, err := Read(src, offset, size, cardinality)
							if err != nil {
								t.Fatalf("offset %d, size %d, cardinality %d: %v", offset, size, cardinality, err)
							}
							wantPositions(t, v, want)
						}
					}
				}
				_, err := Read(src, r.Offset, r.SizeInBytes, r.Cardinality+1)
				wantKind(t, err, fault.ErrMismatch)
				_, err = Read(src, r.Offset, r.SizeInBytes-1, r.Cardinality)
				wantKind(t, err, fault.ErrMismatch)
			})
		}
	}
}

// hostileKinds holds the inputs whose kind of error is not ErrCorrupt. "either" in the manifest: formats that say where a
// container is, or how much it holds, differently from the bytes are refused.
var hostileKinds = map[string]error{
	"version_0":                  fault.ErrUnsupported,
	"version_2":                  fault.ErrUnsupported,
	"version_255":                fault.ErrUnsupported,
	"magic_native_portable_data": fault.ErrUnsupported,
	"descriptor_size_plus_1":     fault.ErrMismatch,
	"descriptor_size_max":        fault.ErrMismatch,
	"descriptor_size_3":          fault.ErrMismatch,
	"file_size_plus_1":           fault.ErrMismatch,
	"offset_0":                   fault.ErrInvalidArgument,
	"offset_2":                   fault.ErrMismatch, // the four bytes there are another size
	"cardinality_2":              fault.ErrMismatch,
	"cardinality_0":              fault.ErrMismatch,
}

func TestHostileFiles(t *testing.T) {
	n := 0
	for _, h := range golden.Load(t).Hostile {
		for _, run := range h.Runs {
			if run.Kind != "delta" {
				continue
			}
			n++
			t.Run(h.Name, func(t *testing.T) {
				src := storage.Memory(golden.Read(t, run.File))
				v, err := Read(src, int32(*run.Offset), int32(*run.Size), *run.Card)
				if h.Expected == "accept" {
					if err != nil || v.Cardinality() != *run.Card {
						t.Fatalf("refused, or another cardinality: %v", err)
					}
					return
				}
				kind := hostileKinds[h.Name]
				if kind == nil {
					kind = fault.ErrCorrupt
				}
				wantKind(t, err, kind)
				if strings.ContainsAny(err.Error(), "\n\r") {
					t.Errorf("more than one line: %q", err)
				}
			})
		}
	}
	if n < 60 {
		t.Fatalf("%d hostile files", n)
	}
}

// The version byte and the record, nothing else, in as few requests as that takes.
func TestReadRequests(t *testing.T) {
	data := golden.Read(t, "hostile/delta/two_dvs_second.bin") // records [1, 43) and [43, 87)
	for name, c := range map[string]struct {
		offset, size int32
		want         []request
	}{
		"first, size known":      {1, 34, []request{{0, 43}}},
		"no offset, size known":  {Unknown, 34, []request{{0, 43}}},
		"first, size unknown":    {1, Unknown, []request{{0, 5}, {1, 42}}},
		"nothing known":          {Unknown, Unknown, []request{{0, 5}, {1, 42}}},
		"second, size known":     {43, 36, []request{{0, 1}, {43, 44}}},
		"second, size unknown":   {43, Unknown, []request{{0, 1}, {43, 4}, {43, 44}}},
		"another version":        {43, 36, []request{{0, 1}}},
		"size beyond the file":   {1, 1000, []request{{0, 5}}},
		"offset beyond the file": {87, 36, []request{{0, 1}}},
		"offset 0":               {0, 36, nil},
	} {
		t.Run(name, func(t *testing.T) {
			spy := newSpy(slices.Clone(data))
			if name == "another version" {
				spy.data[0] = 2
			}
			v, err := Read(spy, c.offset, c.size, dv.Unknown)
			if diff := cmp.Diff(c.want, spy.requests, cmp.AllowUnexported(request{})); diff != "" {
				t.Errorf("requests -want +got\n%s", diff)
			}
			whole := strings.Contains(name, "known") // "known" and "unknown"
			if whole != (err == nil) || whole && v.Cardinality() < 1 {
				t.Errorf("%v", err)
			}
		})
	}
}

// A source that fails any one of its requests is ErrIO, with its cause.
func TestReadFailingSource(t *testing.T) {
	data := golden.Read(t, "hostile/delta/two_dvs_second.bin")
	for _, offset := range []int32{1, 43} {
		for _, size := range []int32{map[int32]int32{1: 34, 43: 36}[offset], Unknown} {
			clean := newSpy(data)
			if _, err := Read(clean, offset, size, dv.Unknown); err != nil {
				t.Fatal(err)
			}
			for i := range clean.requests {
				spy := newSpy(data)
				spy.failAt = i
				_, err := Read(spy, offset, size, dv.Unknown)
				wantKind(t, err, fault.ErrIO)
				if !errors.Is(err, errDisk) {
					t.Errorf("the cause is lost: %v", err)
				}
				if len(spy.requests) != i+1 {
					t.Errorf("%d requests after a failure of number %d", len(spy.requests), i)
				}
			}
		}
	}
}

func TestReadArguments(t *testing.T) {
	src := storage.Memory(golden.Read(t, controlFile))
	for _, c := range []struct {
		offset, size int32
		cardinality  int64
	}{
		{0, 34, 1}, {0, Unknown, dv.Unknown}, {-2, 34, 1}, {-1 << 31, 34, 1},
		{1, -2, 1}, {1, -1 << 31, 1}, {1, 34, -2}, {1, 34, -1 << 63}, {Unknown, -2, 1},
	} {
		_, err := Read(src, c.offset, c.size, c.cardinality)
		wantKind(t, err, fault.ErrInvalidArgument)
		_, _, err = ReadBlob(src, c.offset, c.size, c.cardinality)
		wantKind(t, err, fault.ErrInvalidArgument)
	}
}

// expectations are the ways to read a file of one record with the most and the least known of it.
func expectations(size int32, cardinality int64) []Result {
	return []Result{
		{cardinality, 1, size}, {cardinality, 1, Unknown}, {dv.Unknown, 1, Unknown}, {dv.Unknown, Unknown, Unknown},
	}
}

func TestReadCutFile(t *testing.T) {
	data := golden.Read(t, controlFile)
	for n := range len(data) {
		for _, e := range expectations(34, 1) {
			_, err := Read(storage.Memory(data[:n]), e.Offset, e.SizeInBytes, e.Cardinality)
			wantKind(t, err, fault.ErrCorrupt)
		}
	}
	// What follows a record does not matter to it.
	two := golden.Read(t, "hostile/delta/two_dvs_second.bin")
	for n := range two {
		_, err := Read(storage.Memory(two[:n]), 1, 34, 1)
		if n >= 43 && err != nil {
			t.Fatalf("first record of a file cut at %d: %v", n, err)
		}
		_, err = Read(storage.Memory(two[:n]), 43, 36, 2)
		wantKind(t, err, fault.ErrCorrupt)
	}
}

// Every bit of a file matters, and is named for what it is.
func TestReadFlippedBits(t *testing.T) {
	data := golden.Read(t, controlFile)
	for at := range data {
		for bit := range 8 {
			flipped := slices.Clone(data)
			flipped[at] ^= 1 << bit
			for _, e := range expectations(34, 1) {
				_, err := Read(storage.Memory(flipped), e.Offset, e.SizeInBytes, e.Cardinality)
				kind := fault.ErrCorrupt
				switch {
				case at == 0, at == 5 && bit == 0: // the magic becomes the older one
					kind = fault.ErrUnsupported
				case at >= 1 && at < 5 && e.SizeInBytes != Unknown && !(at == 1 && bit == 7):
					kind = fault.ErrMismatch // another size, but for a negative one
				}
				if fault.Kind(err) != kind {
					t.Errorf("bit %d of byte %d, %+v: %v, want %v", bit, at, e, err, kind)
				}
			}
		}
	}
}

// The size field at its extremes, with nothing known and with a descriptor that agrees.
func TestReadSizeFieldExtremes(t *testing.T) {
	data := golden.Read(t, controlFile)
	for _, size := range []uint32{0, 1, 3, 4, 11, 12, 33, 35, 38, 39, 1 << 16, 1<<31 - 9, 1<<31 - 8, 1<<31 - 1, 1 << 31, 1<<32 - 1} {
		file := slices.Clone(data)
		binary.BigEndian.PutUint32(file[1:], size)
		_, err := Read(storage.Memory(file), 1, Unknown, dv.Unknown)
		wantKind(t, err, fault.ErrCorrupt)
		if int32(size) >= 0 {
			_, err = Read(storage.Memory(file), 1, int32(size), dv.Unknown)
			wantKind(t, err, fault.ErrCorrupt)
		}
	}
}

// A source that only claims to be long costs what it delivers: the record of 2 GiB is asked for in pieces.
func TestReadLyingSource(t *testing.T) {
	delivered := 0
	src := storage.NewFuncSource(1<<40, func(p []byte, off int64) (int, error) {
		if off >= 1<<20 {
			return 0, nil
		}
		clear(p)
		head := []byte{1, 0x7F, 0xFF, 0xFF, 0xF7}
		if off < int64(len(head)) {
			copy(p, head[off:])
		}
		n := min(len(p), 1<<20-int(off))
		delivered += n
		return n, nil
	})
	_, err := Read(src, 1, Unknown, dv.Unknown)
	wantKind(t, err, fault.ErrIO)
	_, err = Read(src, 1, 1<<31-9, dv.Unknown)
	wantKind(t, err, fault.ErrIO)
	if delivered > 4<<20 {
		t.Fatalf("%d bytes delivered", delivered)
	}
}

// A size that no record has is refused before it is asked for, however long the source says it is.
func TestReadImpossibleSize(t *testing.T) {
	for _, size := range []uint32{1<<31 - 8, 1<<31 - 1, 1 << 31, 1<<32 - 1} {
		var asked int
		src := storage.NewFuncSource(1<<40, func(p []byte, off int64) (int, error) {
			asked += len(p)
			head := binary.BigEndian.AppendUint32([]byte{1}, size)
			return copy(p, head[min(off, 5):]), nil
		})
		for _, expected := range []int32{Unknown, 1<<31 - 8, 1<<31 - 1} {
			_, err := Read(src, 1, expected, dv.Unknown)
			wantKind(t, err, fault.ErrCorrupt)
		}
		if asked != 3*5 {
			t.Errorf("size %d: %d bytes asked for", size, asked)
		}
	}
}

func payloadOf5(t testing.TB) []byte {
	t.Helper()
	payload, err := hex.DecodeString("d1d33964" + "0100000000000000" + "00000000" + "3a30000001000000" + "0000" + "0000" + "10000000" + "0500")
	if err != nil {
		t.Fatal(err)
	}
	return payload
}

// Zero bytes inside size and CRC are padding; the Iceberg form has none.
func TestReadPadding(t *testing.T) {
	for name, c := range map[string]struct {
		padding []byte
		kind    error
	}{
		"none":           {nil, nil},
		"one":            {[]byte{0}, nil},
		"two":            {[]byte{0, 0}, nil},
		"a page":         {make([]byte, 4096), nil},
		"not zero":       {[]byte{1}, fault.ErrCorrupt},
		"zero, then not": {[]byte{0, 0, 0, 1}, fault.ErrCorrupt},
		"not, then zero": {[]byte{1, 0, 0, 0}, fault.ErrCorrupt},
	} {
		t.Run(name, func(t *testing.T) {
			payload := append(payloadOf5(t), c.padding...)
			file := append([]byte{1}, record(payload)...)
			for _, size := range []int32{int32(len(payload)), Unknown} {
				v, err := Read(storage.Memory(file), 1, size, 1)
				_, _, blobErr := ReadBlob(storage.Memory(file), 1, size, 1)
				if c.kind != nil {
					wantKind(t, err, c.kind)
					wantKind(t, blobErr, c.kind)
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				wantPositions(t, v, []int64{5})
				if len(c.padding) == 0 && blobErr != nil {
					t.Errorf("as a blob: %v", blobErr)
				} else if len(c.padding) > 0 {
					wantKind(t, blobErr, fault.ErrCorrupt)
				}
			}
			// The size must count the padding.
			if len(c.padding) > 0 {
				_, err := Read(storage.Memory(file), 1, 34, 1)
				wantKind(t, err, fault.ErrMismatch)
			}
		})
	}
}

// Padding outside of size and CRC is no part of a record, and no record.
func TestReadBetweenRecords(t *testing.T) {
	file := append([]byte{1, 0, 0}, record(payloadOf5(t))...)
	if _, err := Read(storage.Memory(file), 3, 34, 1); err != nil {
		t.Fatal(err)
	}
	_, err := Read(storage.Memory(file), Unknown, 34, 1)
	wantKind(t, err, fault.ErrMismatch)
	if !strings.Contains(err.Error(), "no offset was given") {
		t.Errorf("%v", err)
	}
	_, err = Read(storage.Memory(file), Unknown, Unknown, 1)
	wantKind(t, err, fault.ErrCorrupt)
}
