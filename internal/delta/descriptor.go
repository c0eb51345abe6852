package delta

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/storage"
)

// The storage types of a descriptor (PROTOCOL.md, "Deletion Vector Descriptor Schema"). "r" belongs to the adaptive metadata
// feature, which is not in the protocol document yet.
const (
	storageUUID     = "u" // a file of the table, named by a UUID behind an optional directory
	storageAbsolute = "p" // a file anywhere, by URL
	storageRelative = "r" // a file of the table, by its raw relative path
	storageInline   = "i" // the vector itself
)

// Descriptor is the deletionVector object of an add or remove action, checked: its numbers are in range and its path
// resolves. It does not change, and any number of threads may use it.
type Descriptor struct {
	storageType string
	text        string // pathOrInlineDv as it stands
	path        string // resolved; "" for an inline vector
	offset      int32  // Unknown where absent
	size        int32
	cardinality int64
}

// ParseDescriptor reads a descriptor from its JSON object. Members that it does not know are ignored; the known ones count
// by exact name, once. offset alone may be absent or null. An inline text is decoded by Read, not here.
//
// ErrInvalidArgument: not one JSON object in UTF-8, a known member twice, missing or of another type, a number that is negative,
// no integer or too large, an offset on an inline vector, or a path that does not resolve. ErrUnsupported: another storage
// type.
func ParseDescriptor(json []byte) (*Descriptor, error) {
	d, err := parseMembers(json)
	if err != nil {
		return nil, fault.In(err, "delta descriptor")
	}
	if d.path, err = resolve(d.storageType, d.text); err != nil {
		return nil, fault.In(err, "delta descriptor")
	}
	return d, nil
}

// Path returns where the file is: relative to the table's root for "u" and "r", as given for "p", "" for "i". The path of "u" and
// "r" is plain text: it is not URL-encoded, and a "%20" in it is three characters of a file name. That of "p" is a URL and
// encoded like one. Those of "u" and "r" have no ".." segment; a "p" may point anywhere:
// who does not trust the log checks it.
func (d *Descriptor) Path() string { return d.path }

// UniqueID returns the vector's key within a table (PROTOCOL.md, "Derived Fields"): storage type, path or inline text, and
// "@offset" where there is an offset.
func (d *Descriptor) UniqueID() string {
	id := d.storageType + d.text
	if d.offset != Unknown {
		id += "@" + strconv.Itoa(int(d.offset))
	}
	return id
}

// Read returns the vector and checks its size and cardinality. src is the file that Path names; an inline vector needs none and
// ignores it. Errors: those of the functions Read and DecodeInline; ErrInvalidArgument where src is missing.
func (d *Descriptor) Read(src storage.Source) (*dv.Vector, error) {
	if d.storageType == storageInline {
		return decodeInline(d.text, d.size, d.cardinality)
	}
	if src == nil {
		return nil, fault.Invalid("delta descriptor: storage type %q needs the file %s to read from",
			d.storageType, fault.Quote(d.path))
	}
	return Read(src, d.offset, d.size, d.cardinality)
}

// NewDescriptor returns the JSON of a "u" descriptor for a vector that a Writer wrote. relativePath is
// [directory/]deletion_vector_<uuid>.bin as the file is named below the table's root: plain text, not URL-encoded.
//
// ErrInvalidArgument: a path of another form, or a result that no Writer returns.
func NewDescriptor(relativePath string, r Result) (json []byte, err error) {
	text, err := uuidText(relativePath)
	if err != nil {
		return nil, fault.In(err, "new delta descriptor")
	}
	if err := r.check(); err != nil {
		return nil, fault.In(err, "new delta descriptor")
	}
	json = append(json, `{"storageType":"u","pathOrInlineDv":`...)
	if json, err = jsontext.AppendQuote(json, text); err != nil {
		return nil, fault.Invalid("new delta descriptor: path %s is not UTF-8", fault.Quote(relativePath))
	}
	json = append(json, `,"offset":`...)
	json = strconv.AppendInt(json, int64(r.Offset), 10)
	return appendNumbers(json, r.SizeInBytes, r.Cardinality), nil
}

// InlineDescriptor returns the JSON of an "i" descriptor that holds v. ErrLimit: as for EncodeInline.
func InlineDescriptor(v *dv.Vector) (json []byte, err error) {
	payload, size, cardinality, err := inlinePayload(v)
	if err != nil {
		return nil, err
	}
	const head = `{"storageType":"i","pathOrInlineDv":"`
	json = make([]byte, 0, len(head)+inlineTextSize(payload)+80)
	json = append(json, head...)
	json = appendZ85(json, payload) // no Z85 digit needs an escape
	json = append(json, '"')
	return appendNumbers(json, size, cardinality), nil
}

// appendNumbers ends the object with the two members that every descriptor has.
func appendNumbers(json []byte, size int32, cardinality int64) []byte {
	json = append(json, `,"sizeInBytes":`...)
	json = strconv.AppendInt(json, int64(size), 10)
	json = append(json, `,"cardinality":`...)
	json = strconv.AppendInt(json, cardinality, 10)
	return append(json, '}')
}
