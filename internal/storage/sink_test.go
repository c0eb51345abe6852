package storage

import (
	"bytes"
	"errors"
	"testing"

	"github.com/libdv/libdv/internal/fault"
)

func wantEnded(t *testing.T, s Sink) {
	t.Helper()
	wantKind(t, s.Write([]byte("x")), fault.ErrState)
	wantKind(t, s.Commit(), fault.ErrState)
	s.Abort()
}

func TestMemorySink(t *testing.T) {
	s := NewMemorySink()
	_, err := s.Take()
	wantKind(t, err, fault.ErrState, "not committed")
	data := counting(1000)
	if err := errors.Join(s.Write(data[:400]), s.Write(nil), s.Write(data[400:]), s.Commit()); err != nil {
		t.Fatal(err)
	}
	wantEnded(t, s)
	got, err := s.Take()
	if err != nil || !bytes.Equal(got, data) {
		t.Fatalf("%d bytes, %v", len(got), err)
	}
	_, err = s.Take()
	wantKind(t, err, fault.ErrState, "taken already")

	dropped := NewMemorySink()
	if err := dropped.Write(data); err != nil {
		t.Fatal(err)
	}
	dropped.Abort()
	_, err = dropped.Take()
	wantKind(t, err, fault.ErrState, "take from a sink that was dropped")
	wantEnded(t, dropped)
}

// script is a func sink whose functions fail on demand and record what they were called with.
type script struct {
	data        []byte
	finishes    []bool
	failWrite   error
	failFinish  error
	writesUntil int
}

func (s *script) sink() Sink {
	return NewFuncSink(func(p []byte) error {
		if s.writesUntil--; s.writesUntil < 0 && s.failWrite != nil {
			return s.failWrite
		}
		s.data = append(s.data, p...)
		return nil
	}, func(success bool) error {
		s.finishes = append(s.finishes, success)
		return s.failFinish
	})
}

func (s *script) wantFinish(t *testing.T, success bool) {
	t.Helper()
	if len(s.finishes) != 1 || s.finishes[0] != success {
		t.Fatalf("finish was called with %v, want once with %v", s.finishes, success)
	}
}

func TestFuncSink(t *testing.T) {
	broken := errors.New("quota exceeded")
	t.Run("commit", func(t *testing.T) {
		var s script
		sink := s.sink()
		if err := errors.Join(sink.Write([]byte("ab")), sink.Write(nil), sink.Write([]byte("c")), sink.Commit()); err != nil {
			t.Fatal(err)
		}
		wantEnded(t, sink)
		s.wantFinish(t, true)
		if string(s.data) != "abc" {
			t.Fatalf("%q", s.data)
		}
	})
	t.Run("abort", func(t *testing.T) {
		s := script{failFinish: broken}
		sink := s.sink()
		sink.Abort()
		wantEnded(t, sink)
		s.wantFinish(t, false)
	})
	t.Run("failed write", func(t *testing.T) {
		s := script{failWrite: broken, writesUntil: 1}
		sink := s.sink()
		if err := sink.Write([]byte("ab")); err != nil {
			t.Fatal(err)
		}
		err := sink.Write([]byte("cde"))
		wantKind(t, err, fault.ErrIO, "3 bytes", "quota exceeded")
		if !errors.Is(err, broken) {
			t.Fatalf("%v lost its cause", err)
		}
		wantKind(t, sink.Commit(), fault.ErrState, "quota exceeded")
		wantEnded(t, sink)
		s.wantFinish(t, false)
	})
	t.Run("failed commit", func(t *testing.T) {
		s := script{failFinish: broken}
		sink := s.sink()
		err := errors.Join(sink.Write([]byte("ab")), sink.Commit())
		if !errors.Is(err, broken) || !errors.Is(err, fault.ErrIO) {
			t.Fatalf("%v", err)
		}
		wantEnded(t, sink)
		s.wantFinish(t, true)
	})
}
