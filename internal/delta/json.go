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

// The members that every descriptor has, as bits.
const (
	hasStorageType = 1 << iota
	hasText
	hasSize
	hasCardinality
	hasAll = hasStorageType | hasText | hasSize | hasCardinality
)

var memberNames = [...]string{"storageType", "pathOrInlineDv", "sizeInBytes", "cardinality"}

// memberReader walks the tokens of one descriptor. The decoder below it refuses invalid UTF-8 and members that stand twice.
type memberReader struct {
	decoder *jsontext.Decoder
	seen    int
	d       Descriptor
}

// parseMembers reads the object and checks each member for itself and against the storage type; the path is still open.
func parseMembers(json []byte) (*Descriptor, error) {
	// The decoder reads a bytes.Buffer in place.
	r := memberReader{decoder: jsontext.NewDecoder(bytes.NewBuffer(json)), d: Descriptor{offset: Unknown}}
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
		r.seen |= hasStorageType
		r.d.storageType, err = r.text(name)
	case "pathOrInlineDv":
		r.seen |= hasText
		r.d.text, err = r.text(name)
	case "offset":
		r.d.offset, err = r.offset(name)
	case "sizeInBytes":
		r.seen |= hasSize
		var size int64
		size, err = r.integer(name, math.MaxInt32)
		r.d.size = int32(size)
	case "cardinality":
		r.seen |= hasCardinality
		r.d.cardinality, err = r.integer(name, math.MaxInt64)
	default:
		if err = r.decoder.SkipValue(); err != nil {
			err = syntaxFault(err)
		}
	}
	return err
}

// scalar reads the value of a member as its text, without quotes.
func (r *memberReader) scalar(name string, want jsontext.Kind) (string, error) {
	if kind := r.decoder.PeekKind(); kind != want && kind != 0 {
		return "", fault.Invalid("member %s at byte %d is %s, expected %s",
			name, r.decoder.InputOffset(), kindName(kind), kindName(want))
	}
	token, err := r.decoder.ReadToken()
	if err != nil {
		return "", syntaxFault(err)
	}
	return token.String(), nil
}

func (r *memberReader) text(name string) (string, error) { return r.scalar(name, '"') }

// integer reads a number from 0 to limit. 1.0 and 1e3 are none: a reader that takes them rounds large ones.
func (r *memberReader) integer(name string, limit int64) (int64, error) {
	digits, err := r.scalar(name, '0')
	if err != nil {
		return 0, err
	}
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
	switch {
	case !errors.As(err, &syntax):
		return fault.Invalid("JSON: nothing there, or cut short: %v", err)
	case errors.Is(err, jsontext.ErrDuplicateName):
		return fault.Invalid("JSON: member %s stands twice, again at byte %d",
			fault.Quote(syntax.JSONPointer.LastToken()), syntax.ByteOffset)
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
