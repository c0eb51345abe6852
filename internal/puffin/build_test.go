package puffin

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/pierrec/lz4/v4"

	"github.com/libdv/libdv/internal/storage"
)

// oneBlob is the example of the format: the vector {1}.
var oneBlob = unhex("00000022" + "d1d33964" + "0100000000000000" + "00000000" + "3a300000010000000000000010000000" + "0100" + "eebd85f4")

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

// build frames blobs and a payload as a Puffin file.
func build(blobs []byte, payload string, flags ...byte) []byte {
	out := append([]byte(magic), blobs...)
	out = append(out, magic...)
	out = append(out, payload...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(payload)))
	out = append(out, append(flags, 0, 0, 0, 0)[:4]...)
	return append(out, magic...)
}

// entryJSON is a footer's entry for a vector, with properties as given.
func entryJSON(offset, length int, properties string) string {
	return fmt.Sprintf(`{"type":"deletion-vector-v1","fields":[2147483645],"snapshot-id":-1,"sequence-number":-1,`+
		`"offset":%d,"length":%d,"properties":{%s}}`, offset, length, properties)
}

func footerJSON(entries ...string) string { return `{"blobs":[` + strings.Join(entries, ",") + `]}` }

// deflate makes one LZ4 frame.
func deflate(t testing.TB, payload string, options ...lz4.Option) string {
	t.Helper()
	var out bytes.Buffer
	w := lz4.NewWriter(&out)
	if err := w.Apply(options...); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(payload)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// recorder is a source that notes its requests.
type recorder struct {
	storage.Source
	requests [][2]int64 // offset, size
	failAt   int        // the request that fails, from 1 on
	failure  error
}

func record(data []byte) *recorder { return &recorder{Source: storage.Memory(data)} }

func (r *recorder) ReadAt(p []byte, off int64) error {
	r.requests = append(r.requests, [2]int64{off, int64(len(p))})
	if len(r.requests) == r.failAt {
		return r.failure
	}
	return r.Source.ReadAt(p, off)
}
