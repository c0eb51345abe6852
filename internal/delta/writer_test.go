package delta

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/golden"
	"github.com/libdv/libdv/internal/storage"
)

// delta_kernel never writes runs: its records are ours where no container is smaller as a run.
var kernelAlike = []string{
	"empty", "pos0", "pos5", "pos63_64", "pos65535_65536", "pos4294967295", "pos4294967295_4294967296",
	"keys_0_1", "keys_gap_3_7", "key_1000_only", "key_max_pos", "key_max_and_0",
}

// Delta Spark run-optimises, but writes an empty bitmap for each key that is missing below the largest.
var sparkDiffers = []string{"keys_gap_0_2", "keys_gap_3_7"}

func encodesAlike(file, set string) bool {
	switch filepath.Base(file) {
	case "spark_not_run_optimized.bin":
		return false
	case "spark_single.bin", "spark_containers.bin", "spark_keys.bin", "spark_random.bin":
		return !slices.Contains(sparkDiffers, set)
	}
	return slices.Contains(kernelAlike, set)
}

// What Delta's writers wrote we write: whole files where every record is encoded alike, records elsewhere.
func TestWriteGolden(t *testing.T) {
	whole, records := 0, 0
	for _, f := range goldenFiles(t) {
		if f.Magic == "native" {
			continue
		}
		t.Run(f.File, func(t *testing.T) {
			theirs := golden.Read(t, f.File)
			vectors := make([]*dv.Vector, len(f.Records))
			for i, r := range f.Records {
				vectors[i] = vector(t, r.Positions.All(t)...)
			}
			ours, results := write(t, vectors...)
			all := true
			for i, r := range f.Records {
				got, err := Read(storage.Memory(ours), results[i].Offset, results[i].SizeInBytes, r.Cardinality)
				if err != nil || !got.Equals(vectors[i]) || results[i].Cardinality != r.Cardinality {
					t.Fatalf("%s: %+v, %v", r.Set, results[i], err)
				}
				if !encodesAlike(f.File, r.Set) {
					all = false
					continue
				}
				records++
				a := ours[results[i].Offset:][:results[i].SizeInBytes+8]
				b := theirs[r.Offset:][:r.SizeInBytes+8]
				if !bytes.Equal(a, b) {
					t.Errorf("%s: the records differ", r.Set)
				}
			}
			if all {
				whole++
				if !bytes.Equal(ours, theirs) {
					t.Error("the files differ")
				}
			}
		})
	}
	if whole < 5 || records < 25 {
		t.Fatalf("%d files and %d records compared", whole, records)
	}
}

func TestWriteLayout(t *testing.T) {
	data, results := write(t, vector(t, 5), dv.New(), vector(t, 6, 9))
	want := []Result{{1, 1, 34}, {0, 43, 12}, {2, 63, 36}}
	if diff := cmp.Diff(want, results); diff != "" {
		t.Fatalf("results -want +got\n%s", diff)
	}
	if data[0] != 1 || len(data) != 63+36+8 {
		t.Fatalf("version %d, %d bytes", data[0], len(data))
	}
	for _, r := range results {
		if size := binary.BigEndian.Uint32(data[r.Offset:]); size != uint32(r.SizeInBytes) {
			t.Errorf("size field %d at %d", size, r.Offset)
		}
	}
}

// A file without vectors is the version byte; nothing is written before that.
func TestFinalizeWithoutVector(t *testing.T) {
	var calls []string
	sink := storage.NewFuncSink(
		func(p []byte) error { calls = append(calls, fmt.Sprintf("write %x", p)); return nil },
		func(ok bool) error { calls = append(calls, fmt.Sprintf("finish %v", ok)); return nil })
	w := NewWriter(sink)
	if len(calls) != 0 {
		t.Fatalf("calls of a new writer: %q", calls)
	}
	if err := w.Finalize(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"write 01", "finish true"}, calls); diff != "" {
		t.Fatal(diff)
	}
	_, err := Read(storage.Memory([]byte{1}), Unknown, Unknown, dv.Unknown)
	wantKind(t, err, fault.ErrCorrupt)
}

func TestFinalizeWithoutVectorFails(t *testing.T) {
	drops := 0
	sink := storage.NewFuncSink(
		func([]byte) error { return errDisk },
		func(ok bool) error {
			if !ok {
				drops++
			}
			return nil
		})
	w := NewWriter(sink)
	wantKind(t, w.Finalize(), fault.ErrIO)
	wantKind(t, w.Finalize(), fault.ErrState)
	if drops != 1 {
		t.Fatalf("dropped %d times", drops)
	}
}

// operations drives a writer through two vectors, a blob and the end.
func operations(t testing.TB, w *Writer) []error {
	blob := record(payloadOf5(t))
	_, a := w.Write(vector(t, 5))
	_, b := w.WriteBlob(blob, 1)
	_, c := w.Write(vector(t, 6, 9))
	return []error{a, b, c, w.Finalize()}
}

// The sink fails one of its calls; from there on everything is ErrState with the cause, and finish(true) is never called,
// unless it is what failed.
func TestFailingSink(t *testing.T) {
	const calls = 4 // three writes, one finish
	for _, blobFirst := range []bool{false, true} {
		for fail := range calls {
			var writes, commits, drops int
			sink := storage.NewFuncSink(
				func([]byte) error {
					if writes++; writes-1 == fail {
						return errDisk
					}
					return nil
				},
				func(ok bool) error {
					if !ok {
						drops++
						return nil
					}
					if commits++; fail == calls-1 {
						return errDisk
					}
					return nil
				})
			w := NewWriter(sink)
			var errs []error
			if blobFirst { // the version byte is then a write of its own
				_, err := w.WriteBlob(record(payloadOf5(t)), 1)
				errs = append(errs, err)
				_, err = w.Write(vector(t, 6))
				errs = append(errs, err, w.Finalize())
			} else {
				errs = operations(t, w)
			}
			first := slices.IndexFunc(errs, func(err error) bool { return err != nil })
			if first < 0 {
				t.Fatalf("call %d failed without an error", fail)
			}
			wantKind(t, errs[first], fault.ErrIO)
			if !errors.Is(errs[first], errDisk) {
				t.Errorf("the cause is lost: %v", errs[first])
			}
			for _, err := range errs[first+1:] {
				wantKind(t, err, fault.ErrState)
				if !strings.Contains(err.Error(), errDisk.Error()) {
					t.Errorf("the cause is not repeated: %v", err)
				}
			}
			wantKind(t, w.Finalize(), fault.ErrState)
			w.Abort()
			if fail < calls-1 && (commits != 0 || drops != 1) || fail == calls-1 && (commits != 1 || drops != 0) {
				t.Errorf("call %d failed: %d commits, %d drops", fail, commits, drops)
			}
		}
	}
}

func TestWriterAfterItsEnd(t *testing.T) {
	for name, end := range map[string]func(*Writer){
		"finalized": func(w *Writer) { _ = w.Finalize() },
		"aborted":   (*Writer).Abort,
	} {
		t.Run(name, func(t *testing.T) {
			sink := storage.NewMemorySink()
			w := NewWriter(sink)
			if _, err := w.Write(vector(t, 5)); err != nil {
				t.Fatal(err)
			}
			end(w)
			for _, err := range operations(t, w) {
				wantKind(t, err, fault.ErrState)
				if !strings.Contains(err.Error(), name) {
					t.Errorf("%q does not say why", err)
				}
			}
			w.Abort()
			data, err := sink.Take()
			if name == "aborted" {
				wantKind(t, err, fault.ErrState)
			} else if err != nil || !bytes.Equal(data, golden.Read(t, controlFile)) {
				t.Errorf("%x, %v", data, err)
			}
		})
	}
}

// countingSink keeps nothing.
type countingSink struct{ bytes, commits int }

func (s *countingSink) Write(p []byte) error { s.bytes += len(p); return nil }
func (s *countingSink) Commit() error        { s.commits++; return nil }
func (s *countingSink) Abort()               {}

// forgetfulSink fails one of its calls and would take all later ones.
type forgetfulSink struct{ calls, fail int }

func (s *forgetfulSink) call() error {
	if s.calls++; s.calls-1 == s.fail {
		return fault.IO(errDisk, "sink")
	}
	return nil
}
func (s *forgetfulSink) Write([]byte) error { return s.call() }
func (s *forgetfulSink) Commit() error      { return s.call() }
func (s *forgetfulSink) Abort()             { s.calls++ }

// The writer does not rely on the sink for its own end: a failed call is the last one.
func TestFailedCallIsTheLast(t *testing.T) {
	for fail := range 4 {
		sink := &forgetfulSink{fail: fail}
		w := NewWriter(sink)
		operations(t, w)
		for _, err := range operations(t, w) {
			wantKind(t, err, fault.ErrState)
		}
		w.Abort()
		if sink.calls != fail+1 {
			t.Errorf("%d calls, number %d failed", sink.calls, fail)
		}
	}
}

// The last offset is 2^31-1. Beyond it a vector is refused before a byte of it is written, again and again, and the file so far
// can be finalized.
func TestWriterOffsetLimit(t *testing.T) {
	sink := &countingSink{}
	w := NewWriter(sink)
	w.next = math.MaxInt32 // as if so much had been written
	r, err := w.Write(vector(t, 5))
	if err != nil || r.Offset != math.MaxInt32 || r.SizeInBytes != 34 {
		t.Fatalf("%+v, %v", r, err)
	}
	before := sink.bytes
	for range 2 {
		_, err = w.Write(vector(t, 5))
		wantKind(t, err, fault.ErrLimit)
		_, err = w.WriteBlob(record(payloadOf5(t)), 1)
		wantKind(t, err, fault.ErrLimit)
	}
	if sink.bytes != before {
		t.Fatalf("%d bytes written by refused calls", sink.bytes-before)
	}
	if err := w.Finalize(); err != nil || sink.commits != 1 {
		t.Fatalf("%v, %d commits", err, sink.commits)
	}
}

// Memory holds one vector, not the file: 64 vectors of 128 KiB each cost a few of them.
func TestWriterMemory(t *testing.T) {
	v := dv.New()
	for i := int64(0); i < 16*65536; i += 2 {
		if err := v.Set(i); err != nil {
			t.Fatal(err)
		}
	}
	sink := &countingSink{}
	w := NewWriter(sink)
	if _, err := w.Write(v); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 64 {
		if _, err := w.Write(v); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if sink.bytes < 65*128<<10 {
		t.Fatalf("%d bytes written", sink.bytes)
	}
	if spent := after.TotalAlloc - before.TotalAlloc; spent > 1<<20 {
		t.Errorf("%d bytes allocated", spent)
	}
}

// The buffer of a large vector is not kept for the small ones that follow.
func TestWriterDropsLargeBuffer(t *testing.T) {
	every2nd := make([]int64, 130*32768) // 8 KiB for each 65,536 rows
	for i := range every2nd {
		every2nd[i] = 2 * int64(i)
	}
	w := NewWriter(&countingSink{})
	r, err := w.Write(vector(t, every2nd...))
	if err != nil || r.SizeInBytes <= keptBuffer {
		t.Fatalf("%+v, %v", r, err)
	}
	if cap(w.buf) > keptBuffer {
		t.Errorf("%d bytes kept", cap(w.buf))
	}
}

func TestWriteToPath(t *testing.T) {
	path := filepath.Join(t.TempDir(), uuidName)
	sink, err := storage.CreatePath(path)
	if err != nil {
		t.Fatal(err)
	}
	w := NewWriter(sink)
	if _, err := w.Write(vector(t, 5)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("there before it is finalized: %v", err)
	}
	if err := w.Finalize(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, golden.Read(t, controlFile)) {
		t.Fatalf("%x, %v", got, err)
	}
}

func TestFileRoundTrip(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 1))
	for range 12 {
		vectors := make([]*dv.Vector, rnd.IntN(6))
		for i := range vectors {
			vectors[i] = randomVector(t, rnd)
		}
		data, results := write(t, vectors...)
		src := storage.Memory(data)
		for i, r := range results {
			v, err := Read(src, r.Offset, r.SizeInBytes, r.Cardinality)
			if err != nil || !v.Equals(vectors[i]) || r.Cardinality != vectors[i].Cardinality() {
				t.Fatalf("%+v: %v", r, err)
			}
			raw, err := NewDescriptor("p/"+uuidName, r)
			if err != nil {
				t.Fatal(err)
			}
			d, err := ParseDescriptor(raw)
			if err != nil {
				t.Fatal(err)
			}
			if v, err = d.Read(src); err != nil || !v.Equals(vectors[i]) {
				t.Fatalf("%s: %v", raw, err)
			}
		}
	}
}
