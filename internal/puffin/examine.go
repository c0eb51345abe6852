package puffin

import (
	"bytes"

	"github.com/libdv/libdv/internal/storage"
)

// Footer is where a file's footer is and how it is stored.
type Footer struct {
	Offset     int64  // of its first magic
	Size       int64  // in bytes as stored, with both magics
	Compressed bool   // the payload is an LZ4 frame
	CreatedBy  string // the file property created-by, "" where there is none
}

// The checks of a file, in the order in which they are made.
const (
	CheckEnd    = "end_magic"   // the file ends with the magic
	CheckFooter = "footer"      // payload size, flags, the magic before the payload, LZ4 frame
	CheckJSON   = "footer_json" // the payload, and that every blob lies where a blob may
	CheckHead   = "head_magic"  // the file starts with the magic
)

// Examine is Open for those who want to know how far it comes: it names the checks that were
// passed before err, and gives the file also where nothing but the head magic is wrong.
func Examine(src storage.Source) (f *File, passed []string, err error) {
	t, err := readTail(src)
	if err != nil {
		return nil, nil, err
	}
	if err := t.checkEnd(); err != nil {
		return nil, nil, err
	}
	footer, err := t.footer()
	if err != nil {
		return nil, []string{CheckEnd}, err
	}
	if footer.inTail {
		footer.payload = bytes.Clone(footer.payload) // so that the rest of the tail need not stay
	}
	f, err = footer.file()
	if err != nil {
		return nil, []string{CheckEnd, CheckFooter}, err
	}
	passed = []string{CheckEnd, CheckFooter, CheckJSON}
	if err := t.checkHead(); err != nil {
		return f, passed, err
	}
	return f, append(passed, CheckHead), nil
}
