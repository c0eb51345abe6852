package storage

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/libdv/libdv/internal/fault"
)

// create returns a path sink of either make.
func create(t *testing.T, path string, named bool) *pathSink {
	t.Helper()
	s, err := newPathSink(path)
	if err != nil {
		t.Fatal(err)
	}
	if named {
		err = s.createNamed()
	} else {
		err = s.createUnnamed()
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// eachMake runs a test with nameless and with temporary files.
func eachMake(t *testing.T, test func(t *testing.T, named bool)) {
	t.Run("nameless", func(t *testing.T) {
		probe, err := newPathSink(filepath.Join(t.TempDir(), "probe"))
		if err != nil {
			t.Fatal(err)
		}
		err = probe.createUnnamed()
		probe.Abort()
		if err != nil {
			t.Logf("the file system has no nameless files (%v): testing temporary ones twice", err)
		}
		test(t, err != nil)
	})
	t.Run("named", func(t *testing.T) { test(t, true) })
}

func listing(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestPathSinkCommitsTheWholeFile(t *testing.T) {
	eachMake(t, func(t *testing.T, named bool) {
		dir := t.TempDir()
		path := filepath.Join(dir, "out")
		data := counting(100_000)
		s := create(t, path, named)
		for off := 0; off < len(data); off += 10_000 {
			if err := s.Write(data[off : off+10_000]); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
				t.Fatalf("the target is there before the commit: %v", err)
			}
		}
		if err := s.Commit(); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, data) {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
		if names := listing(t, dir); len(names) != 1 {
			t.Fatalf("left behind: %q", names)
		}
		wantEnded(t, s)
		if got, _ := os.ReadFile(path); !bytes.Equal(got, data) {
			t.Fatal("the finished sink changed the file")
		}
	})
}

func TestPathSinkMode(t *testing.T) {
	old := unix.Umask(0o027)
	defer unix.Umask(old)
	eachMake(t, func(t *testing.T, named bool) {
		path := filepath.Join(t.TempDir(), "out")
		if err := create(t, path, named).Commit(); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode() != 0o640 || info.Size() != 0 {
			t.Fatalf("%v, %v", info, err)
		}
	})
}

func TestPathSinkNeverReplaces(t *testing.T) {
	makers := map[string]func(path string) error{
		"file":             func(p string) error { return os.WriteFile(p, []byte("old"), 0o600) },
		"directory":        func(p string) error { return os.Mkdir(p, 0o700) },
		"dangling symlink": func(p string) error { return os.Symlink("nowhere", p) },
	}
	eachMake(t, func(t *testing.T, named bool) {
		for what, make := range makers {
			dir := t.TempDir()
			path := filepath.Join(dir, "out")
			s := create(t, path, named)
			if err := s.Write([]byte("new")); err != nil {
				t.Fatal(err)
			}
			if err := make(path); err != nil { // after the sink was made: only the commit can see it
				t.Fatal(err)
			}
			err := s.Commit()
			wantKind(t, err, fault.ErrIO, "out", "file exists")
			if !errors.Is(err, os.ErrExist) {
				t.Fatalf("%s: %v does not carry EEXIST", what, err)
			}
			if names := listing(t, dir); len(names) != 1 {
				t.Fatalf("%s: left behind: %q", what, names)
			}
			if what == "file" {
				if got, _ := os.ReadFile(path); string(got) != "old" {
					t.Fatalf("the old file holds %q", got)
				}
			}
			wantEnded(t, s)
		}
	})
}

func TestOneOfTwoSinksForOneTargetWins(t *testing.T) {
	eachMake(t, func(t *testing.T, named bool) {
		path := filepath.Join(t.TempDir(), "out")
		a, b := create(t, path, named), create(t, path, named)
		if err := errors.Join(a.Write([]byte("a")), b.Write([]byte("b")), b.Commit()); err != nil {
			t.Fatal(err)
		}
		wantKind(t, a.Commit(), fault.ErrIO, "file exists")
		if got, _ := os.ReadFile(path); string(got) != "b" {
			t.Fatalf("%q", got)
		}
	})
}

func TestPathSinkLinksWhereItCannotRename(t *testing.T) {
	dir := t.TempDir()
	s := create(t, filepath.Join(dir, "out"), true)
	if err := errors.Join(s.Write([]byte("x")), s.link()); err != nil {
		t.Fatal(err)
	}
	if names := listing(t, dir); len(names) != 1 || names[0] != "out" {
		t.Fatalf("%q", names)
	}
	s.Abort()
	again := create(t, filepath.Join(dir, "out"), true)
	defer again.Abort()
	if err := again.link(); err != unix.EEXIST {
		t.Fatalf("link over a file: %v", err)
	}
}

func TestPathSinkAbortLeavesNothing(t *testing.T) {
	eachMake(t, func(t *testing.T, named bool) {
		dir := t.TempDir()
		s := create(t, filepath.Join(dir, "out"), named)
		if err := s.Write(counting(5000)); err != nil {
			t.Fatal(err)
		}
		s.Abort()
		if names := listing(t, dir); len(names) != 0 {
			t.Fatalf("left behind: %q", names)
		}
		wantEnded(t, s)
	})
}

func TestPathSinkOnAFullDevice(t *testing.T) {
	eachMake(t, func(t *testing.T, named bool) {
		dir := t.TempDir()
		s := create(t, filepath.Join(dir, "out"), named)
		full, err := unix.Open("/dev/full", unix.O_WRONLY|unix.O_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(unix.Dup3(full, s.fd, unix.O_CLOEXEC), unix.Close(full)); err != nil {
			t.Fatal(err)
		}
		err = s.Write(counting(10))
		wantKind(t, err, fault.ErrIO, "at offset 0", "no space left on device")
		if !errors.Is(err, unix.ENOSPC) {
			t.Fatalf("%v does not carry ENOSPC", err)
		}
		if names := listing(t, dir); len(names) != 0 {
			t.Fatalf("left behind: %q", names)
		}
		wantEnded(t, s)
	})
}

func TestPathSinkAtTheFileSizeLimit(t *testing.T) {
	var old unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	eachMake(t, func(t *testing.T, named bool) {
		dir := t.TempDir()
		s := create(t, filepath.Join(dir, "out"), named)
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 4096, Max: old.Max}); err != nil {
			t.Fatal(err)
		}
		first, second := s.Write(counting(4096)), s.Write([]byte{0})
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &old); err != nil {
			t.Fatal(err)
		}
		if first != nil {
			t.Fatal(first)
		}
		wantKind(t, second, fault.ErrIO, "at offset 4096", "file too large")
		if names := listing(t, dir); len(names) != 0 {
			t.Fatalf("left behind: %q", names)
		}
	})
}

func TestCreatePathFailsEarly(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	long := string(bytes.Repeat([]byte("n"), 300))
	for path, says := range map[string]string{
		filepath.Join(dir, "absent", "out"): "no such file or directory",
		filepath.Join(dir, "file", "out"):   "not a directory",
		dir + "/":                           "does not name a file",
		dir + "/.":                          "does not name a file",
		dir + "/..":                         "does not name a file",
		"":                                  "does not name a file",
		filepath.Join(dir, long):            "file name too long",
		dir + "/a\x00b":                     "invalid argument",
	} {
		_, err := CreatePath(path)
		wantKind(t, err, fault.ErrIO, says)
	}
	if names := listing(t, dir); len(names) != 1 {
		t.Fatalf("left behind: %q", names)
	}
}

func TestPathSinkIsBoundToItsDirectory(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	t.Chdir(dir)
	s, err := CreatePath("out")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(other)
	if err := errors.Join(s.Write([]byte("x")), s.Commit()); err != nil {
		t.Fatal(err)
	}
	if len(listing(t, dir)) != 1 || len(listing(t, other)) != 0 {
		t.Fatal("the file went elsewhere")
	}
}

const victimVariable = "LIBDV_STORAGE_VICTIM"

// TestVictim is the process that TestAKilledProcessLeavesNothing kills.
func TestVictim(t *testing.T) {
	path := os.Getenv(victimVariable)
	if path == "" {
		return
	}
	s, err := CreatePath(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(counting(10_000)); err != nil {
		t.Fatal(err)
	}
	_ = unix.Kill(os.Getpid(), unix.SIGKILL)
}

func TestAKilledProcessLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	probe, err := newPathSink(filepath.Join(dir, "probe"))
	if err != nil {
		t.Fatal(err)
	}
	nameless := probe.createUnnamed() == nil
	probe.Abort()
	cmd := exec.Command(os.Args[0], "-test.run=^TestVictim$")
	cmd.Env = append(os.Environ(), victimVariable+"="+filepath.Join(dir, "out"))
	if err := cmd.Run(); err == nil || cmd.ProcessState.ExitCode() != -1 {
		t.Fatalf("the victim was not killed: %v", err)
	}
	names := listing(t, dir)
	if nameless && len(names) != 0 || len(names) > 1 || len(names) == 1 && names[0] == "out" {
		t.Fatalf("left behind: %q", names)
	}
}

// TestPathSinkSyncs gives the sink descriptors on which fsync alone fails.
func TestPathSinkSyncs(t *testing.T) {
	replace := func(t *testing.T, target, by int, err error) {
		t.Helper()
		if err := errors.Join(err, unix.Dup3(by, target, unix.O_CLOEXEC), unix.Close(by)); err != nil {
			t.Fatal(err)
		}
	}
	eachMake(t, func(t *testing.T, named bool) {
		dir := t.TempDir()
		s := create(t, filepath.Join(dir, "out"), named)
		var pipe [2]int
		err := unix.Pipe2(pipe[:], unix.O_CLOEXEC)
		defer func() { _ = unix.Close(pipe[0]) }()
		replace(t, s.fd, pipe[1], err)
		wantKind(t, s.Commit(), fault.ErrIO, "sync", "invalid argument")
		wantEnded(t, s)

		s = create(t, filepath.Join(dir, "out"), named)
		fd, err := unix.Open(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		replace(t, s.dir, fd, err)
		wantKind(t, s.Commit(), fault.ErrIO, "sync the directory", "bad file descriptor")
		wantEnded(t, s)
		if names := listing(t, dir); len(names) != 0 {
			t.Fatalf("left behind: %q", names)
		}
	})
}

func TestNoDescriptorLeaks(t *testing.T) {
	open := func() int { return len(listing(t, "/proc/self/fd")) }
	dir := t.TempDir()
	before := open()
	for i := range 20 {
		path := filepath.Join(dir, "out")
		s := create(t, path, i%2 == 0)
		switch i % 4 {
		case 0, 1:
			s.Abort()
		default:
			_ = s.Commit() // the second and later ones fail: the target exists
		}
		_, _ = CreatePath(filepath.Join(dir, "absent", "out"))
		_, _ = OpenPath(dir)
		if src, err := OpenPath(path); err == nil {
			_ = src.Close()
		}
	}
	if after := open(); after != before {
		t.Fatalf("%d descriptors before, %d after", before, after)
	}
}
