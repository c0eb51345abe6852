package puffin

import (
	"strconv"

	"github.com/libdv/libdv/internal/version"
)

// The parts of a footer that are the same for every vector. 2147483645 is the reserved id of
// the row position column.
// Source: https://iceberg.apache.org/spec/#reserved-field-ids.
const (
	blobHead = `{"type":"` + DeletionVector + `","fields":[2147483645],"snapshot-id":-1,"sequence-number":-1,"offset":`
	footEnd  = `],"properties":{"` + createdByProperty + `":"` + version.Product + `"}}`
)

// payload renders the footer payload, member for member in the order of Iceberg Java.
func (p *plan) payload() []byte {
	size := len(`{"blobs":[`) + len(footEnd)
	for i := range p.files {
		size += len(p.files[i].name) + len(blobHead) + 128
	}
	out := append(make([]byte, 0, size), `{"blobs":[`...)
	for i := range p.blobs {
		if i > 0 {
			out = append(out, ',')
		}
		b := &p.blobs[i]
		out = append(out, blobHead...)
		out = strconv.AppendInt(out, b.offset, 10)
		out = append(out, `,"length":`...)
		out = strconv.AppendInt(out, int64(b.Size()), 10)
		out = append(out, `,"properties":{"`+dataFileProperty+`":`...)
		out = appendQuoted(out, p.files[i].name)
		out = append(out, `,"`+cardinalityProperty+`":"`...)
		out = strconv.AppendInt(out, b.Cardinality(), 10)
		out = append(out, `"}}`...)
	}
	return append(out, footEnd...)
}

// entries renders the content files, member for member in the order of Iceberg Java.
func (p *plan) entries(location string) []byte {
	size := 2
	for i := range p.files {
		size += len(p.files[i].name) + len(p.files[i].partition) + len(location) + 352
	}
	out := append(make([]byte, 0, size), '[')
	for i := range p.blobs {
		if i > 0 {
			out = append(out, ',')
		}
		out = p.entry(out, location, i)
	}
	return append(out, ']')
}

// entry appends the content file of data file i.
// Source: ContentFile of the Iceberg REST catalog's OpenAPI document.
func (p *plan) entry(out []byte, location string, i int) []byte {
	file, b := &p.files[i], &p.blobs[i]
	out = append(out, `{"spec-id":`...)
	out = strconv.AppendInt(out, int64(file.specID), 10)
	out = append(out, `,"content":"position-deletes","file-path":`...)
	out = appendQuoted(out, location)
	out = append(out, `,"file-format":"puffin","partition":`...)
	out = append(out, file.partition...)
	out = append(out, `,"file-size-in-bytes":`...)
	out = strconv.AppendInt(out, p.size, 10)
	out = append(out, `,"record-count":`...)
	out = strconv.AppendInt(out, b.Cardinality(), 10)
	out = append(out, `,"referenced-data-file":`...)
	out = appendQuoted(out, file.name)
	out = append(out, `,"content-offset":`...)
	out = strconv.AppendInt(out, b.offset, 10)
	out = append(out, `,"content-size-in-bytes":`...)
	out = strconv.AppendInt(out, int64(b.Size()), 10)
	return append(out, '}')
}
