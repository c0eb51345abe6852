package inspect

import (
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"testing"

	"github.com/libdv/libdv/internal/delta"
	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/mumbling"
	"github.com/libdv/libdv/internal/puffin"
	"github.com/libdv/libdv/internal/storage"
)

// object is what a caller makes of the JSON: it knows the names as the documentation writes them.
type object struct {
	Format  string
	Guessed bool
	Size    int64
	Version *int64
	Checks  []string
	Fault   *struct{ Status, Message string }
	Footer  *struct {
		Offset, Size int64
		Compressed   bool
		CreatedBy    *string `json:"created_by"`
	}
	Vectors    []vectorObject
	Count      int64 `json:"vector_count"`
	Omitted    int64 `json:"vectors_omitted"`
	Faulty     int64 `json:"vectors_faulty"`
	Unexamined int64 `json:"vectors_unexamined"`
	OtherBlobs []struct {
		Index            int64
		Type             string
		CompressionCodec *string `json:"compression_codec"`
		Offset, Size     int64
	} `json:"other_blobs"`
	OtherOmitted int64 `json:"other_blobs_omitted"`
	Rest         *struct{ Offset, Size int64 }
}

type vectorObject struct {
	Index, Offset, Size int64
	SizeInBytes         *int64  `json:"size_in_bytes"`
	DataFile            *string `json:"referenced_data_file"`
	Declared            *int64  `json:"declared_cardinality"`
	Checks              []string
	Fault               *struct{ Status, Message string }
	Complete            bool
	Cardinality         *int64
	Bounds              *struct{ First, Last int64 }
	BitmapCount         *int64 `json:"bitmap_count"`
	EmptyBitmaps        *int64 `json:"empty_bitmaps"`
	Bitmaps             []struct {
		Key, Cookie, Offset, Size, Cardinality, Containers, Array, Bitmap, Run int64
		OffsetHeader                                                           bool `json:"offset_header"`
	}
	BitmapsOmitted int64 `json:"bitmaps_omitted"`
	Containers     map[string]struct{ Count, Bytes int64 }
	Padding        *int64
	Smallest       *bool
	Canonical      *bool
	CanonicalSize  *int64 `json:"canonical_size"`
}

// look inspects bytes, which must not fail, and parses the object with the standard library.
func look(t testing.TB, data []byte, format Format) *object {
	t.Helper()
	return lookAt(t, storage.Memory(data), format)
}

func lookAt(t testing.TB, src storage.Source, format Format) *object {
	t.Helper()
	out, err := Inspect(src, format)
	if err != nil {
		t.Fatalf("as %s: %v", format, err)
	}
	o := new(object)
	if err := json.Unmarshal(out, o); err != nil {
		t.Fatalf("%s: %v", out, err)
	}
	if o.Size != src.Size() || o.Guessed != (format == Unknown) || !o.Guessed && o.Format != string(format) {
		t.Fatalf("asked for %s of %d bytes: %s", format, src.Size(), out)
	}
	if int64(len(o.Vectors))+o.Omitted != o.Count || (o.Faulty > 0) && o.Fault == nil {
		t.Fatalf("vectors and faults do not add up: %s", out)
	}
	return o
}

// read is how the library's readers take bytes: everything in them, expecting nothing.
func read(data []byte, format Format) error {
	switch format {
	case Puffin:
		return readPuffin(storage.Memory(data))
	case Blob:
		_, err := dv.ParseBlob(data, dv.Unknown)
		return err
	case Delta:
		return readDelta(data)
	case Roaring:
		_, err := dv.ParseBitmap(data)
		return err
	default:
		b, err := mumbling.Read(data)
		if err == nil {
			err = b.Validate()
		}
		return err
	}
}

func readPuffin(src storage.Source) error {
	f, err := puffin.Open(src)
	if err != nil {
		return err
	}
	for i, b := range f.Blobs() {
		if b.Type != puffin.DeletionVector {
			continue
		}
		if _, err := f.Read(src, i); err != nil {
			return err
		}
	}
	return nil
}

// readDelta reads record by record; a file of the version byte alone has none.
func readDelta(data []byte) error {
	for at := 1; ; {
		_, err := delta.Read(storage.Memory(data), int32(at), delta.Unknown, dv.Unknown)
		if at == len(data) && data[0] == 1 {
			return nil
		}
		if err != nil {
			return err
		}
		at += 8 + int(binary.BigEndian.Uint32(data[at:]))
	}
}

// readable are the formats that have readers.
var readable = []Format{Puffin, Blob, Delta, Roaring, Mumbling}

func crcOf(p []byte) uint32 { return crc32.ChecksumIEEE(p) }
