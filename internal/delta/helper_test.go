package delta

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/golden"
	"github.com/libdv/libdv/internal/storage"
)

// vector makes a vector of positions.
func vector(t testing.TB, positions ...int64) *dv.Vector {
	t.Helper()
	v := dv.New()
	if err := v.SetMany(positions); err != nil {
		t.Fatal(err)
	}
	return v
}

func positions(t testing.TB, v *dv.Vector) []int64 {
	t.Helper()
	out := make([]int64, v.Cardinality())
	n, err := v.Positions(0, dv.MaxPosition+1, out)
	if err != nil || n != len(out) {
		t.Fatalf("%d positions, %v; cardinality %d", n, err, len(out))
	}
	return out
}

func wantPositions(t testing.TB, v *dv.Vector, want []int64) {
	t.Helper()
	if got := positions(t, v); !slices.Equal(got, want) {
		t.Fatalf("%d positions, want %d others", len(got), len(want))
	}
}

func wantKind(t testing.TB, err, kind error) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %v", kind)
	}
	if fault.Kind(err) != kind {
		t.Fatalf("kind %v, want %v: %v", fault.Kind(err), kind, err)
	}
}

// write makes a file of vectors.
func write(t testing.TB, vectors ...*dv.Vector) ([]byte, []Result) {
	t.Helper()
	sink := storage.NewMemorySink()
	w := NewWriter(sink)
	var results []Result
	for _, v := range vectors {
		r, err := w.Write(v)
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	if err := w.Finalize(); err != nil {
		t.Fatal(err)
	}
	data, err := sink.Take()
	if err != nil {
		t.Fatal(err)
	}
	return data, results
}

// record frames a payload, of whatever bytes, with a size field and a CRC that fit it.
func record(payload []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(payload)))
	out = append(out, payload...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(payload))
}

// randomVector draws arrays, runs and bitmaps under a few keys.
func randomVector(t testing.TB, rnd *rand.Rand) *dv.Vector {
	t.Helper()
	v := dv.New()
	for range rnd.IntN(5) {
		base := []int64{0, 0, 65536, 1 << 32, 5 << 33, dv.MaxPosition - 1<<17}[rnd.IntN(6)] + rnd.Int64N(1<<16)
		switch rnd.IntN(3) {
		case 0:
			if err := v.SetRange(base, base+rnd.Int64N(70000)); err != nil {
				t.Fatal(err)
			}
		default:
			some := make([]int64, rnd.IntN(6000))
			for i := range some {
				some[i] = base + rnd.Int64N(1<<16)
			}
			if err := v.SetMany(some); err != nil {
				t.Fatal(err)
			}
		}
	}
	return v
}

// goldenJSON reads a JSON file of the golden folder that the manifest does not repeat.
func goldenJSON(t testing.TB, name string, into any) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(golden.Dir(), name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatal(err)
	}
}

// request is one call of a source's ReadAt.
type request struct{ off, n int64 }

// spySource records the requests and fails the one of index failAt.
type spySource struct {
	data     []byte
	failAt   int
	requests []request
}

var errDisk = errors.New("the disk is on fire")

func newSpy(data []byte) *spySource { return &spySource{data: data, failAt: -1} }

func (s *spySource) Size() int64 { return int64(len(s.data)) }

func (s *spySource) ReadAt(p []byte, off int64) error {
	s.requests = append(s.requests, request{off, int64(len(p))})
	if len(s.requests)-1 == s.failAt {
		return fault.IO(errDisk, "read")
	}
	if copy(p, s.data[off:]) != len(p) {
		return fault.IO(nil, "read beyond the end")
	}
	return nil
}
