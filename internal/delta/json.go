package delta

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/libdv/libdv/internal/fault"
)

// The members of a descriptor, as bits: those that every one has, in the order of memberNames, and the offset.
const (
	hasStorageType = 1 << iota
	hasText
	hasSize
	hasCardinality
	hasOffset
)

var memberNames = [...]string{"storageType", "pathOrInlineDv", "sizeInBytes", "cardinality"}

// memberReader walks the tokens of one descriptor. The decoder below it refuses invalid UTF-8. It is not asked to look for
// members that stand twice: that takes many times the memory of the text where many are unknown, and only the known ones matter.
type memberReader struct {
	decoder *jsontext.Decoder
	seen    int
	d       Descriptor
}

// parseMembers reads the object and checks each member for itself and against the storage type; the path is still open.
func parseMembers(json []byte) (*Descriptor, error) {
	// The decoder reads a bytes.Buffer in place.
	decoder := jsontext.NewDecoder(bytes.NewBuffer(json), jsontext.AllowDuplicateNames(true))
	r := memberReader{decoder: decoder, d: Descriptor{offset: Unknown}}
	if err := r.object(); err != nil {
		return nil, err
	}
	if _, err := r.decoder.ReadToken(); err != io.EOF {
		return nil, fault.Invalid("JSON: something follows the object at byte %d", r.decoder.InputOffset())
	}
	return &r.d, r.check()
}

func (r *memberReader) object() error {
	if kind := r.decoder.PeekKind(); kind != '{' && kind != 0 {
		return fault.Invalid("JSON: %s, expected an object", kindName(kind))
	}
	if _, err := r.decoder.ReadToken(); err != nil {
		return syntaxFault(err)
	}
	for r.decoder.PeekKind() != '}' {
		name, err := r.decoder.ReadToken()
		if err != nil {
			return syntaxFault(err)
		}
		if err := r.member(name.String()); err != nil {
			return err
		}
	}
	_, err := r.decoder.ReadToken()
	return err
}

func (r *memberReader) member(name string) (err error) {
	switch name {
	case "storageType":
		if err = r.once(hasStorageType, name); err == nil {
			r.d.storageType, err = r.text(name)
		}
	case "pathOrInlineDv":
		if err = r.once(hasText, name); err == nil {
			r.d.text, err = r.text(name)
		}
	case "offset":
		if err = r.once(hasOffset, name); err == nil {
			r.d.offset, err = r.offset(name)
		}
	case "sizeInBytes":
		var size int64
		if err = r.once(hasSize, name); err == nil {
			size, err = r.integer(name, math.MaxInt32)
		}
		r.d.size = int32(size)
	case "cardinality":
		if err = r.once(hasCardinality, name); err == nil {
			r.d.cardinality, err = r.integer(name, math.MaxInt64)
		}
	default:
		if err = r.decoder.SkipValue(); err != nil {
			err = syntaxFault(err)
		}
	}
	return err
}

// once notes a member, and refuses it where it stands twice.
func (r *memberReader) once(bit int, name string) error {
	if r.seen&bit != 0 {
		return fault.Invalid("JSON: member %s stands twice, again at byte %d", fault.Quote(name), r.decoder.InputOffset())
	}
	r.seen |= bit
	return nil
}

// expect proves of what kind the value of a member is. Of one that is no JSON the next read tells more.
func (r *memberReader) expect(name string, want jsontext.Kind) error {
	if kind := r.decoder.PeekKind(); kind != want && kind != 0 {
		return fault.Invalid("member %s at byte %d is %s, expected %s",
			name, r.decoder.InputOffset(), kindName(kind), kindName(want))
	}
	return nil
}

// text reads a string. The decoder's own way copies one twice that holds "<", "&" or ">", as Z85 does.
func (r *memberReader) text(name string) (string, error) {
	if err := r.expect(name, '"'); err != nil {
		return "", err
	}
	raw, err := r.decoder.ReadValue()
	if err != nil {
		return "", syntaxFault(err)
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1]), nil
	}
	text, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		return "", fault.Invalid("JSON: member %s: %v", name, err)
	}
	return string(text), nil
}

// integer reads a number from 0 to limit. 1.0 and 1e3 are none: a reader that takes them rounds large ones.
func (r *memberReader) integer(name string, limit int64) (int64, error) {
	if err := r.expect(name, '0'); err != nil {
		return 0, err
	}
	token, err := r.decoder.ReadToken()
	if err != nil {
		return 0, syntaxFault(err)
	}
	digits := token.String()
	if strings.ContainsAny(digits, ".eE") {
		return 0, fault.Invalid("member %s is %s, expected an integer", name, fault.Quote(digits))
	}
	if digits[0] == '-' {
		return 0, fault.Invalid("member %s is %s, expected no negative number", name, fault.Quote(digits))
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n > limit {
		return 0, fault.Invalid("member %s is %s, expected at most %d", name, fault.Quote(digits), limit)
	}
	return n, nil
}

// offset reads the member that may be null, as writers spell an absent one.
func (r *memberReader) offset(name string) (int32, error) {
	if r.decoder.PeekKind() == 'n' {
		_, err := r.decoder.ReadToken()
		if err != nil {
			return 0, syntaxFault(err)
		}
		return Unknown, nil
	}
	n, err := r.integer(name, math.MaxInt32)
	return int32(n), err
}

func (r *memberReader) check() error {
	if r.seen&hasStorageType != 0 {
		switch r.d.storageType {
		case storageUUID, storageAbsolute, storageRelative, storageInline:
		default:
			return fault.Unsupported("storage type %s, expected \"u\", \"p\", \"r\" or \"i\"", fault.Quote(r.d.storageType))
		}
	}
	for i, name := range memberNames {
		if r.seen&(1<<i) == 0 {
			return fault.Invalid("member %s is missing", name)
		}
	}
	if r.d.storageType == storageInline && r.d.offset != Unknown {
		return fault.Invalid("an inline vector has the offset %d, expected none", r.d.offset)
	}
	return nil
}

// syntaxFault words an error of the decoder.
func syntaxFault(err error) error {
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		return fault.Invalid("JSON: nothing there, or cut short: %v", err)
	}
	return fault.Invalid("JSON at byte %d: %v", syntax.ByteOffset, syntax.Err)
}

func kindName(kind jsontext.Kind) string {
	switch kind {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	default:
		return kind.String()
	}
}
