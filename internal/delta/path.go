package delta

import (
	"strings"

	"github.com/google/uuid"

	"github.com/libdv/libdv/internal/fault"
)

// The name of a vector file, and the text that stands for its UUID in a "u" descriptor.
const (
	namePrefix    = "deletion_vector_"
	nameSuffix    = ".bin"
	uuidTextBytes = 20 // Z85 of 16 bytes
)

// resolve returns the path that a descriptor's text stands for.
func resolve(storageType, text string) (string, error) {
	if storageType == storageInline {
		return "", nil
	}
	if at := strings.IndexByte(text, 0); at >= 0 {
		// A host that takes the path for a C string would open another file.
		return "", fault.Invalid("pathOrInlineDv %s has U+0000 at byte %d", fault.Quote(text), at)
	}
	switch storageType {
	case storageUUID:
		return uuidPath(text)
	case storageAbsolute:
		return absolutePath(text)
	default:
		return relativePath(text)
	}
}

// uuidPath turns [directory]<20 characters of Z85> into [directory/]deletion_vector_<uuid>.bin.
func uuidPath(text string) (string, error) {
	cut := len(text) - uuidTextBytes
	if cut < 0 {
		return "", fault.Invalid("pathOrInlineDv %s has %d characters, expected at least the %d of a UUID",
			fault.Quote(text), len(text), uuidTextBytes)
	}
	var id uuid.UUID
	if bad := decodeZ85(id[:], text[cut:]); bad != nil {
		return "", fault.Invalid("pathOrInlineDv %s: UUID in the last %d characters: %s",
			fault.Quote(text), uuidTextBytes, describeZ85(text[cut:], bad))
	}
	name := namePrefix + id.String() + nameSuffix
	directory := text[:cut]
	if directory == "" {
		return name, nil
	}
	// Delta's own path class drops a slash at the end of a directory.
	return relativePath(strings.TrimSuffix(directory, "/") + "/" + name)
}

// relativePath refuses what a host that joins it to the table's root could take for absolute, and what leads out of it.
func relativePath(path string) (string, error) {
	if path == "" || path[0] == '/' || strings.HasPrefix(path[schemeBytes(path):], "://") {
		return "", fault.Invalid("path %s is not relative to the table", fault.Quote(path))
	}
	if strayingSegment(path) {
		return "", fault.Invalid("path %s could leave the table: it has a \".\" or \"..\" segment, or begins with \"\\\"",
			fault.Quote(path))
	}
	return path, nil
}

// strayingSegment tells whether a path could lead out of the directory that it is joined to. Where a host takes the
// backslash for a separator, as Windows does, it is one here.
func strayingSegment(path string) bool {
	if path != "" && path[0] == '\\' {
		return true
	}
	isSeparator := func(r rune) bool { return r == '/' || r == '\\' }
	for segment := range strings.FieldsFuncSeq(path, isSeparator) {
		if segment == "." || segment == ".." {
			return true
		}
	}
	return false
}

func absolutePath(path string) (string, error) {
	if !strings.HasPrefix(path, "/") && schemeBytes(path) == 0 {
		return "", fault.Invalid("path %s is not absolute: storage type \"p\" holds a URL", fault.Quote(path))
	}
	return path, nil
}

// schemeBytes returns the length of the URL scheme (RFC 3986, 3.1) before path's first colon, or 0.
func schemeBytes(path string) int {
	for i := range len(path) {
		switch c := path[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		case c == ':':
			return i
		default:
			return 0
		}
	}
	return 0
}

// uuidText turns [directory/]deletion_vector_<uuid>.bin into the text of a "u" descriptor. Only a path that resolves to itself
// passes: a UUID in capitals, or an empty segment, names another file.
func uuidText(path string) (string, error) {
	directory, name := "", path
	if cut := strings.LastIndexByte(path, '/'); cut >= 0 {
		directory, name = path[:cut], path[cut+1:]
		if err := checkDirectory(path, directory); err != nil {
			return "", err
		}
	}
	hex, found := strings.CutPrefix(name, namePrefix)
	hex, ends := strings.CutSuffix(hex, nameSuffix)
	id, err := uuid.Parse(hex)
	if !found || !ends || err != nil || id.String() != hex {
		return "", fault.Invalid("path %s does not end in deletion_vector_<uuid>.bin with a UUID in lower case",
			fault.Quote(path))
	}
	return string(appendZ85([]byte(directory), id[:])), nil
}

// checkDirectory lets through what every reader joins to the table's root in the same way.
func checkDirectory(path, directory string) error {
	if at := strings.IndexByte(directory, 0); at >= 0 {
		return fault.Invalid("path %s has U+0000 at byte %d", fault.Quote(path), at)
	}
	if _, err := relativePath(path); err != nil {
		return err
	}
	if strings.Contains(directory, "//") || strings.HasSuffix(directory, "/") {
		return fault.Invalid("path %s has an empty segment", fault.Quote(path))
	}
	return nil
}
