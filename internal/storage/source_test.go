package storage

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/libdv/libdv/internal/fault"
)

// wantKind fails unless err is of kind and its message holds every part.
func wantKind(t *testing.T, err, kind error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %v", kind)
	}
	if fault.Kind(err) != kind {
		t.Fatalf("error %q is %v, want %v", err, fault.Kind(err), kind)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Fatalf("error %q does not say %q", err, part)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Fatalf("error %q has more than one line", err)
	}
}

func counting(n int) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(i*7 + i>>8)
	}
	return data
}

// sources returns every kind of source over data.
func sources(t *testing.T, data []byte) map[string]Source {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := OpenPath(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	one := NewFuncSource(int64(len(data)), func(p []byte, off int64) (int, error) {
		return copy(p[:1], data[off:]), nil
	})
	return map[string]Source{"memory": Memory(data), "path": file, "byte by byte": one}
}

func TestEverySourceReadsEveryRange(t *testing.T) {
	data := counting(300)
	for name, src := range sources(t, data) {
		if src.Size() != 300 {
			t.Fatalf("%s: size %d", name, src.Size())
		}
		for off := 0; off <= 300; off += 7 {
			for n := 0; off+n <= 300; n += 31 {
				got, err := Read(src, int64(off), int64(n), "range")
				if err != nil || !bytes.Equal(got, data[off:off+n]) {
					t.Fatalf("%s: [%d, +%d): %x, %v", name, off, n, got, err)
				}
			}
		}
	}
}

func TestRangesOutsideASourceAreRefused(t *testing.T) {
	ranges := [][2]int64{{0, 301}, {300, 1}, {301, 0}, {-1, 1}, {0, -1}, {1, 1<<63 - 1}, {1<<63 - 1, 1}, {-1 << 63, -1 << 63}}
	for name, src := range sources(t, counting(300)) {
		for _, r := range ranges {
			_, err := Read(src, r[0], r[1], "the blob")
			wantKind(t, err, fault.ErrCorrupt, "the blob", "300 bytes")
		}
		for _, off := range []int64{-1, 298, 301, 1<<63 - 1, -1 << 63} {
			if err := src.ReadAt(make([]byte, 3), off); fault.Kind(err) != fault.ErrIO {
				t.Fatalf("%s: ReadAt at %d: %v", name, off, err)
			}
		}
	}
}

func TestFuncSourceFaults(t *testing.T) {
	broken := errors.New("the network is gone")
	cases := []struct {
		name string
		read func(p []byte, off int64) (int, error)
		says string
	}{
		{"early end", func(p []byte, off int64) (int, error) {
			if off >= 5 {
				return 0, nil
			}
			return int(min(5-off, int64(len(p)))), nil
		}, "ended at offset 5, 5 more bytes"},
		{"negative", func([]byte, int64) (int, error) { return -3, nil }, "-3"},
		{"more than asked for", func(p []byte, _ int64) (int, error) { return len(p) + 1, nil }, "11 bytes"},
		{"huge", func([]byte, int64) (int, error) { return 1<<63 - 1, nil }, "at most 10"},
		{"error", func([]byte, int64) (int, error) { return 0, broken }, "the network is gone"},
		{"error with bytes", func(p []byte, _ int64) (int, error) { return len(p), broken }, "the network is gone"},
	}
	for _, c := range cases {
		err := NewFuncSource(10, c.read).ReadAt(make([]byte, 10), 0)
		wantKind(t, err, fault.ErrIO, c.says)
		if strings.HasPrefix(c.name, "error") && !errors.Is(err, broken) {
			t.Fatalf("%s: the cause is lost", c.name)
		}
	}
	if got := NewFuncSource(-4, nil).Size(); got != 0 {
		t.Fatalf("negative size became %d", got)
	}
}

func TestReadAsksOnceForWhatItTrusts(t *testing.T) {
	calls := 0
	src := NewFuncSource(trustedRead, func(p []byte, _ int64) (int, error) { calls++; return len(p), nil })
	if got, err := Read(src, 0, trustedRead, "x"); err != nil || len(got) != trustedRead || calls != 1 {
		t.Fatalf("%d bytes, %v, %d calls", len(got), err, calls)
	}
}

func TestReadJoinsThePiecesOfALongRange(t *testing.T) {
	const size = trustedRead*2 + 12345
	src := NewFuncSource(size+7, func(p []byte, off int64) (int, error) {
		for i := range p {
			p[i] = byte((off + int64(i)) >> 16)
		}
		return len(p), nil
	})
	got, err := Read(src, 7, size, "x")
	if err != nil || len(got) != size {
		t.Fatalf("%d bytes, %v", len(got), err)
	}
	for i, b := range got {
		if b != byte((i+7)>>16) {
			t.Fatalf("byte %d is %d", i, b)
		}
	}
}

func TestALyingSizeAllocatesLittle(t *testing.T) {
	src := NewFuncSource(1<<62, func(p []byte, off int64) (int, error) {
		return int(max(0, min(1000-off, int64(len(p))))), nil
	})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Read(src, 0, 1<<62, "the footer")
	runtime.ReadMemStats(&after)
	wantKind(t, err, fault.ErrIO, "the footer", "ended at offset 1000")
	if grown := after.TotalAlloc - before.TotalAlloc; grown > trustedRead+1<<20 {
		t.Fatalf("allocated %d bytes for 1000", grown)
	}
}

func TestOpenPathRefusesWhatIsNoRegularFile(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo")
	if err := unix.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, says := range map[string]string{
		dir: "a directory", fifo: "a pipe", "/dev/zero": "a device",
		filepath.Join(dir, "absent"): "no such file", "": "no such file", "a\x00b": "invalid argument",
	} {
		done := make(chan error, 1)
		go func() { _, err := OpenPath(path); done <- err }()
		select {
		case err := <-done:
			wantKind(t, err, fault.ErrIO, says)
		case <-time.After(10 * time.Second):
			t.Fatalf("opening %q hangs", path)
		}
	}
}

func TestPathsAreBytes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "caf\xe9 \xff\n")
	sink, err := CreatePath(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(sink.Write([]byte("x")), sink.Commit()); err != nil {
		t.Fatal(err)
	}
	src, err := OpenPath(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = src.Close() }()
	if src.Size() != 1 {
		t.Fatalf("size %d", src.Size())
	}
}

func TestAFileThatShrankIsIO(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(path, counting(100), 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := OpenPath(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = src.Close() }()
	if err := os.Truncate(path, 40); err != nil {
		t.Fatal(err)
	}
	_, err = Read(src, 10, 90, "the blob")
	wantKind(t, err, fault.ErrIO, "the blob", "ended at offset 40, 60 more bytes")
}

func TestClosedPathSource(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(path, counting(100), 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := OpenPath(path)
	if err != nil {
		t.Fatal(err)
	}
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			p := make([]byte, 100)
			for src.ReadAt(p, 0) == nil {
				if !bytes.Equal(p, counting(100)) {
					t.Error("wrong bytes")
					return
				}
			}
		})
	}
	if err := errors.Join(src.Close(), src.Close()); err != nil {
		t.Fatal(err)
	}
	readers.Wait()
	wantKind(t, src.ReadAt(make([]byte, 1), 0), fault.ErrState, "closed")
}

func TestErrorsKeepTheirCause(t *testing.T) {
	_, err := OpenPath(filepath.Join(t.TempDir(), "absent"))
	if !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("%v does not carry ENOENT", err)
	}
	src := NewFuncSource(1, func([]byte, int64) (int, error) { return 0, io.ErrClosedPipe })
	if _, err := Read(src, 0, 1, "x"); !errors.Is(err, io.ErrClosedPipe) || !errors.Is(err, fault.ErrIO) {
		t.Fatalf("%v lost its cause", err)
	}
}

func TestLentIsTheMemoryItself(t *testing.T) {
	data := []byte("some bytes")
	if lent, ok := Lent(Memory(data)); !ok || len(lent) != len(data) || &lent[0] != &data[0] {
		t.Errorf("%q, %v", lent, ok)
	}
	if lent, ok := Lent(NewFuncSource(10, nil)); ok || lent != nil {
		t.Errorf("%q, %v", lent, ok)
	}
}

func TestWhatIsReadFromMemoryIsACopy(t *testing.T) {
	data := []byte("some bytes")
	read, err := Read(Memory(data), 5, 5, "bytes")
	data[5] = 'B'
	if string(read) != "bytes" || err != nil {
		t.Errorf("%q, %v", read, err)
	}
}
