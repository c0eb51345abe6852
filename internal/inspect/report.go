package inspect

import (
	"unicode/utf8"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/mumbling"
)

// report is what becomes the JSON object; the documentation of the package explains its members.
type report struct {
	Format            Format
	Guessed           bool
	Size              int64
	Version           *int64
	Checks            []string
	Fault             *faultInfo
	Footer            *footerInfo
	Vectors           []vector
	VectorCount       int64
	VectorsOmitted    int64
	VectorsFaulty     int64
	VectorsUnexamined int64
	OtherBlobs        []blobInfo
	OtherBlobsOmitted int64
	Rest              *span
}

type faultInfo struct{ Status, Message string }

type footerInfo struct {
	Offset, Size int64
	Compressed   bool
	CreatedBy    *string
}

type blobInfo struct {
	Index            int64
	Type             string
	CompressionCodec *string
	Offset, Size     int64
}

type span struct{ Offset, Size int64 }

type vector struct {
	Index               int64
	Offset, Size        int64
	SizeInBytes         *int64
	ReferencedDataFile  *string
	DeclaredCardinality *int64
	Checks              []string
	Fault               *faultInfo
	Complete            bool
	Cardinality         *int64
	Bounds              *bounds
	BitmapCount         *int64
	EmptyBitmaps        *int64
	Bitmaps             []bitmap
	BitmapsOmitted      int64
	Containers          []kind
	Padding             *int64
	Smallest            *bool
	Canonical           *bool
	CanonicalSize       *int64
}

type bounds struct{ First, Last int64 }

type bitmap struct {
	Key, Cookie        uint32
	Offset, Size       int64
	Cardinality        int64
	Containers         int64
	Array, Bitmap, Run int64
	OffsetHeader       bool
}

// kind is how many containers of a kind there are.
type kind struct {
	Name         string
	Count, Bytes int64
}

// count fills in what a bitmap consists of. The vector's offset is known.
func (v *vector) count(c *dv.Census) {
	v.Complete = c.Complete
	v.Cardinality, v.Bounds = &c.Cardinality, boundsOf(c.Cardinality, c.First, c.Last)
	v.BitmapCount, v.EmptyBitmaps = &c.Bitmaps, &c.EmptyBitmaps
	v.BitmapsOmitted = c.Bitmaps - int64(len(c.Listed))
	v.Bitmaps = make([]bitmap, len(c.Listed))
	for i := range c.Listed {
		v.Bitmaps[i] = bitmapOf(&c.Listed[i], v.Offset)
	}
	v.Containers = []kind{
		{"array", c.Array.Count, c.Array.Bytes}, {"bitmap", c.Bitmap.Count, c.Bitmap.Bytes}, {"run", c.Run.Count, c.Run.Bytes},
	}
	if c.Complete {
		v.Padding, v.Smallest, v.Canonical, v.CanonicalSize = &c.Padding, &c.Smallest, &c.Canonical, &c.CanonicalSize
	}
}

func bitmapOf(p *dv.Part32, offset int64) bitmap {
	return bitmap{
		Key: p.Key, Cookie: p.Cookie, Offset: offset + int64(p.Offset), Size: int64(p.Size),
		Cardinality: p.Cardinality, Containers: p.Containers(),
		Array: p.Array.Count, Bitmap: p.Bitmap.Count, Run: p.Run.Count, OffsetHeader: p.HasOffsets,
	}
}

// countMumbling is count for a Mumbling bitmap.
func (v *vector) countMumbling(c *mumbling.Census) {
	v.Complete = c.Complete
	v.Cardinality, v.Bounds = &c.Cardinality, boundsOf(c.Cardinality, c.First, c.Last)
	v.Containers = []kind{{"sparse", c.Sparse.Count, c.Sparse.Bytes}, {"dense", c.Dense.Count, c.Dense.Bytes}, {"empty", c.Empty, 0}}
	if c.Complete {
		smallest := v.Size == c.CanonicalSize
		v.Padding, v.Smallest, v.Canonical, v.CanonicalSize = new(int64), &smallest, &c.Canonical, &c.CanonicalSize
	}
}

func boundsOf(cardinality, first, last int64) *bounds {
	if cardinality == 0 {
		return nil
	}
	return &bounds{first, last}
}

// textMost is how many bytes of a foreign text the object repeats.
const textMost = 512

// cut shortens a text from a file.
func cut(text string) string {
	if len(text) <= textMost {
		return text
	}
	end := textMost
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "..."
}

// optional is a text that may be absent.
func optional(text string, there bool) *string {
	if !there {
		return nil
	}
	text = cut(text)
	return &text
}
