// Package fault holds the kinds of failure that every layer of libdv reports and the
// few helpers that phrase them.
//
// A fault has one kind, which the C border maps to a dv_status, and one line of text that
// says what was being read, at which byte offset, what was found and what was expected.
package fault

import (
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// The kinds. Exactly one of them is in the chain of every error that leaves a codec.
var (
	ErrInvalidArgument = errors.New("invalid argument")
	ErrCorrupt         = errors.New("corrupt")
	ErrMismatch        = errors.New("mismatch")
	ErrUnsupported     = errors.New("unsupported")
	ErrLimit           = errors.New("limit exceeded")
	ErrIO              = errors.New("input/output failed")
	ErrTooSmall        = errors.New("buffer too small")
	ErrState           = errors.New("wrong state")
	ErrNoMemory        = errors.New("out of memory")
)

// Error is a failure of one kind with a one-line message and, for I/O, its cause.
type Error struct {
	kind  error
	text  string
	cause error
}

// Error returns the one-line message.
func (e *Error) Error() string { return e.text }

// Unwrap gives the kind and, where there is one, the cause to errors.Is and errors.As.
func (e *Error) Unwrap() []error {
	if e.cause == nil {
		return []error{e.kind}
	}
	return []error{e.kind, e.cause}
}

func newf(kind error, format string, args []any) error {
	return &Error{kind: kind, text: fmt.Sprintf(format, args...)}
}

// Invalid reports an argument of the caller that no call could accept.
func Invalid(format string, args ...any) error { return newf(ErrInvalidArgument, format, args) }

// Corrupt reports bytes that break their format.
func Corrupt(format string, args ...any) error { return newf(ErrCorrupt, format, args) }

// Mismatch reports well-formed bytes that are not what the caller says they are.
func Mismatch(format string, args ...any) error { return newf(ErrMismatch, format, args) }

// Unsupported reports a version, codec or encoding that libdv does not read.
func Unsupported(format string, args ...any) error { return newf(ErrUnsupported, format, args) }

// Limit reports a result that would not fit its format.
func Limit(format string, args ...any) error { return newf(ErrLimit, format, args) }

// TooSmall reports a caller's buffer that cannot hold the result.
func TooSmall(format string, args ...any) error { return newf(ErrTooSmall, format, args) }

// State reports a call on an object that is finished or in use by its own callback.
func State(format string, args ...any) error { return newf(ErrState, format, args) }

// NoMemory reports an allocation that the system refused.
func NoMemory(format string, args ...any) error { return newf(ErrNoMemory, format, args) }

// IO reports a failed file or callback; cause may be nil and is otherwise kept and printed.
func IO(cause error, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	if cause != nil {
		text += ": " + cause.Error()
	}
	return &Error{kind: ErrIO, text: text, cause: cause}
}

// In puts a context before the message of err and keeps its kind and causes.
func In(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return &Error{kind: err, text: fmt.Sprintf(format, args...) + ": " + err.Error()}
}

var kinds = []error{
	ErrInvalidArgument, ErrCorrupt, ErrMismatch, ErrUnsupported, ErrLimit,
	ErrIO, ErrTooSmall, ErrState, ErrNoMemory,
}

// Kinds returns every kind, for the tables that must cover all of them.
func Kinds() []error { return append([]error(nil), kinds...) }

// Kind returns the kind of err, or nil where err carries none.
func Kind(err error) error {
	for _, k := range kinds {
		if errors.Is(err, k) {
			return k
		}
	}
	return nil
}

const quoteLimit = 120 // bytes of a foreign name that a message repeats

// Quote renders a name from outside for a message: quoted, escaped and cut if long.
func Quote(s string) string {
	if len(s) <= quoteLimit {
		return strconv.Quote(s)
	}
	cut := quoteLimit
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return strconv.Quote(s[:cut]) + "... (" + strconv.Itoa(len(s)) + " bytes)"
}
