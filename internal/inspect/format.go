package inspect

import (
	"strings"

	"github.com/libdv/libdv/internal/fault"
)

// Format names what bytes are.
type Format string

const (
	Puffin   Format = "puffin"
	Blob     Format = "dv-blob"
	Delta    Format = "delta-dv"
	Roaring  Format = "roaring-64"
	Mumbling Format = "mumbling"
	Unknown  Format = "unknown" // to be guessed, and what became of that
)

var formats = []Format{Puffin, Blob, Delta, Roaring, Mumbling, Unknown}

// Named returns the format of a name. ErrInvalidArgument: there is none.
func Named(name string) (Format, error) {
	names := make([]string, len(formats))
	for i, f := range formats {
		if string(f) == name {
			return f, nil
		}
		names[i] = string(f)
	}
	return Unknown, fault.Invalid("format %s, expected one of %s", fault.Quote(name), strings.Join(names, ", "))
}
