package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/libdv/libdv/internal/fault"
)

// The numbers are those of dv.h, which never change.
var wantStatus = map[error]int32{
	fault.ErrInvalidArgument: 1,
	fault.ErrCorrupt:         2,
	fault.ErrMismatch:        3,
	fault.ErrUnsupported:     4,
	fault.ErrLimit:           5,
	fault.ErrIO:              6,
	fault.ErrTooSmall:        7,
	fault.ErrState:           8,
	fault.ErrNoMemory:        9,
}

const internal = 11

func TestEveryKindHasItsStatus(t *testing.T) {
	kinds := fault.Kinds()
	if len(kinds) != len(wantStatus) || len(statuses) != len(wantStatus) {
		t.Fatalf("%d kinds, %d statuses, expected %d", len(kinds), len(statuses), len(wantStatus))
	}
	for _, kind := range kinds {
		wrapped := fault.In(fmt.Errorf("somewhere: %w", kind), "context")
		for _, err := range []error{kind, wrapped} {
			if got := int32(statusOf(err)); got != wantStatus[kind] {
				t.Errorf("%v: status %d, expected %d", err, got, wantStatus[kind])
			}
		}
	}
	if got := int32(statusOf(fault.IO(fs.ErrNotExist, "open"))); got != wantStatus[fault.ErrIO] {
		t.Errorf("an I/O failure with a cause: status %d", got)
	}
	for _, err := range []error{errors.New("of no kind"), bug{"x", "y.go:1"}} {
		if got := int32(statusOf(err)); got != internal {
			t.Errorf("%v: status %d, expected %d", err, got, internal)
		}
	}
}

func recovered(f func()) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = caught(value)
		}
	}()
	f()
	return nil
}

func TestPanicsAreNamedByTheirPlace(t *testing.T) {
	var none []int
	for name, f := range map[string]func(){
		"explicit":     func() { panic("on purpose") },
		"error":        func() { panic(fault.Corrupt("a fault that nobody returned")) },
		"out of range": func() { _ = none[3] },
		"wrong type":   func() { _ = any(1).(string) },
		"nil pointer":  func() { var c *call; c.n = 1 },
	} {
		err := recovered(f)
		if err == nil || !strings.Contains(err.Error(), "guard_test.go:") || int32(statusOf(err)) != internal {
			t.Errorf("%s: %v (status %d)", name, err, statusOf(err))
		}
	}
}
