package puffin

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/libdv/libdv/internal/fault"
)

// reader reads one JSON text strictly, front to back, without building a tree.
//
// Its errors name the byte at which the text is at fault.
type reader struct {
	plain plain                                  // where dec is nil: then errors say nothing
	dec   *jsontext.Decoder                      // takes all of JSON
	fault func(format string, args ...any) error // fault.Corrupt or fault.Invalid
	base  int64                                  // added to offsets in messages
	place string                                 // what offsets count in, " of ...", "" for the file
}

// newReader reads data, which must not change meanwhile.
func newReader(data []byte, kind func(string, ...any) error, base int64, place string) *reader {
	// Duplicates are looked for where they matter: in one pass over all members, with a bit each.
	dec := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true))
	return &reader{dec: dec, fault: kind, base: base, place: place}
}

// newPlainReader reads data, which must not change meanwhile, as long as it is plain. Where that fails, for
// whatever reason, a new reader must read it from its start.
func newPlainReader(data []byte) *reader {
	return &reader{plain: plain{text: data}}
}

// offset is where the reader is.
func (r *reader) offset() int64 {
	if r.dec == nil {
		return int64(r.plain.at)
	}
	return r.dec.InputOffset()
}

// at reports a fault at an offset of the text.
func (r *reader) at(offset int64, format string, args ...any) error {
	if r.dec == nil {
		return errNotPlain
	}
	err := r.fault(format, args...)
	return fault.In(err, "byte %d%s", r.base+offset, r.place)
}

// syntax phrases what the decoder found.
func (r *reader) syntax(err error) error {
	var s *jsontext.SyntacticError
	switch {
	case errors.As(err, &s):
		return r.at(s.ByteOffset, "invalid JSON: %v", s.Err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return r.at(r.dec.InputOffset(), "the JSON ends here, a value was expected")
	}
	return r.at(r.dec.InputOffset(), "invalid JSON: %v", err)
}

// unexpected reports a value of another kind than expected.
func (r *reader) unexpected(raw jsontext.Value, expected string) error {
	return r.at(r.dec.InputOffset()-int64(len(raw)), "found %s, expected %s", brief(raw), expected)
}

// brief shows a value in a message.
func brief(raw jsontext.Value) string {
	switch raw.Kind() {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "the string " + fault.Quote(string(raw[1:len(raw)-1]))
	}
	const most = 40
	if len(raw) > most {
		return string(raw[:most]) + "..."
	}
	return string(raw)
}

// value reads any value; the bytes are good until the next read.
func (r *reader) value() (jsontext.Value, error) {
	raw, err := r.dec.ReadValue()
	if err != nil {
		return nil, r.syntax(err)
	}
	return raw, nil
}

// skip passes over a value of any kind.
func (r *reader) skip() error {
	if r.dec == nil {
		return errNotPlain
	}
	if err := r.dec.SkipValue(); err != nil {
		return r.syntax(err)
	}
	return nil
}

// begin reads the delimiter that starts an object or an array.
func (r *reader) begin(kind jsontext.Kind, expected string) error {
	if found := r.dec.PeekKind(); found != kind {
		raw, err := r.value()
		if err != nil {
			return err
		}
		return r.unexpected(raw, expected)
	}
	return r.delimiter()
}

func (r *reader) delimiter() error {
	if _, err := r.dec.ReadToken(); err != nil {
		return r.syntax(err)
	}
	return nil
}

// object starts to read an object: name and its value follow, until there is no name.
func (r *reader) object() error {
	if r.dec == nil {
		return r.plain.begin('{')
	}
	return r.begin('{', "an object")
}

// name reads the next name of an object, whose bytes are good until the next read, or the
// object's end.
func (r *reader) name() (name []byte, more bool, err error) {
	if r.dec == nil {
		return r.plain.name()
	}
	if r.dec.PeekKind() == '}' {
		return nil, false, r.delimiter()
	}
	raw, err := r.value() // the decoder takes nothing but a string here
	if err != nil {
		return nil, false, err
	}
	name, err = r.unquote(raw)
	return name, err == nil, err
}

// array starts to read an array: while there are more, a value follows.
func (r *reader) array() error {
	if r.dec == nil {
		return r.plain.begin('[')
	}
	return r.begin('[', "an array")
}

// more tells whether a value follows in an array, or reads its end.
func (r *reader) more() (bool, error) {
	if r.dec == nil {
		return r.plain.more(']')
	}
	if r.dec.PeekKind() == ']' {
		return false, r.delimiter()
	}
	return true, nil
}

// unquote gives the text of a string, in place where it holds no escapes.
func (r *reader) unquote(raw jsontext.Value) ([]byte, error) {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1], nil
	}
	text, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		return nil, r.unexpected(raw, "a string")
	}
	return text, nil
}

// text reads a string without U+0000: hosts see it as a C string. The bytes are good until
// the next read.
func (r *reader) text() ([]byte, error) {
	if r.dec == nil {
		return r.plain.string()
	}
	raw, err := r.value()
	if err != nil {
		return nil, err
	}
	if raw.Kind() != '"' {
		return nil, r.unexpected(raw, "a string")
	}
	text, err := r.unquote(raw)
	if err != nil {
		return nil, err
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return nil, r.unexpected(raw, "a string without U+0000")
	}
	return text, nil
}

// integer reads an integer of the given width, written without fraction and exponent.
func (r *reader) integer(bits int) (int64, error) {
	if r.dec == nil {
		return r.plain.integer(bits)
	}
	raw, err := r.value()
	if err != nil {
		return 0, err
	}
	if raw.Kind() == '0' {
		if n, err := strconv.ParseInt(string(raw), 10, bits); err == nil {
			return n, nil
		}
	}
	return 0, r.unexpected(raw, "an integer of "+strconv.Itoa(bits)+" bits")
}

// end proves that nothing follows the value.
func (r *reader) end() error {
	if r.dec == nil {
		return r.plain.end()
	}
	if _, err := r.dec.ReadToken(); err != io.EOF {
		return r.at(r.dec.InputOffset(), "found something after the JSON value, expected its end")
	}
	return nil
}

// members keeps track of which members an object has, one bit each.
type members uint32

// once notes a member, and refuses it where it stands twice.
func (r *reader) once(seen *members, bit members, name []byte) error {
	if *seen&bit != 0 {
		return r.at(r.offset(), "member %s stands twice", fault.Quote(string(name)))
	}
	*seen |= bit
	return nil
}

// require reports the first of names, whose bits count up from 1, that an object lacks.
func (r *reader) require(seen members, names ...string) error {
	for i, name := range names {
		if seen&(1<<i) == 0 {
			return r.at(r.offset(), "the object that ends here lacks the member %q", name)
		}
	}
	return nil
}

// appendQuoted appends s as a JSON string the way that Iceberg Java's writer does: nothing is
// escaped that need not be, control characters with upper-case hexadecimal digits.
func appendQuoted(dst []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\r':
			dst = append(dst, '\\', 'r')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}

// checkName proves that a name given by the caller can stand in a file: not empty, UTF-8,
// without NUL.
func checkName(what, name string) error {
	switch {
	case name == "":
		return fault.Invalid("%s: it is empty", what)
	case !utf8.ValidString(name):
		return fault.Invalid("%s %s: it is not valid UTF-8", what, fault.Quote(name))
	case strings.IndexByte(name, 0) >= 0:
		return fault.Invalid("%s %s: it holds a NUL", what, fault.Quote(name))
	}
	return nil
}
