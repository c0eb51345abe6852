package inspect

import (
	"unicode/utf8"

	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/mumbling"
)

// report is the JSON object, member for member; the documentation of the package explains them.
type report struct {
	Format            Format      `json:"format"`
	Guessed           bool        `json:"guessed"`
	Size              int64       `json:"size"`
	Version           *int64      `json:"version"`
	Checks            []string    `json:"checks"`
	Fault             *faultInfo  `json:"fault"`
	Footer            *footerInfo `json:"footer"`
	Vectors           []vector    `json:"vectors"`
	VectorCount       int64       `json:"vector_count"`
	VectorsOmitted    int64       `json:"vectors_omitted"`
	VectorsFaulty     int64       `json:"vectors_faulty"`
	VectorsUnexamined int64       `json:"vectors_unexamined"`
	OtherBlobs        []blobInfo  `json:"other_blobs"`
	OtherBlobsOmitted int64       `json:"other_blobs_omitted"`
	Rest              *span       `json:"rest"`
}

type faultInfo struct {
	Status  string `json:"status"`
	Message string `json:"message"`
}

type footerInfo struct {
	Offset     int64   `json:"offset"`
	Size       int64   `json:"size"`
	Compressed bool    `json:"compressed"`
	CreatedBy  *string `json:"created_by"`
}

type blobInfo struct {
	Index            int64   `json:"index"`
	Type             string  `json:"type"`
	CompressionCodec *string `json:"compression_codec"`
	Offset           int64   `json:"offset"`
	Size             int64   `json:"size"`
}

type span struct {
	Offset int64 `json:"offset"`
	Size   int64 `json:"size"`
}

type vector struct {
	Index               int64      `json:"index"`
	Offset              int64      `json:"offset"`
	Size                int64      `json:"size"`
	SizeInBytes         *int64     `json:"size_in_bytes"`
	ReferencedDataFile  *string    `json:"referenced_data_file"`
	DeclaredCardinality *int64     `json:"declared_cardinality"`
	Checks              []string   `json:"checks"`
	Fault               *faultInfo `json:"fault"`
	Complete            bool       `json:"complete"`
	Cardinality         *int64     `json:"cardinality"`
	Bounds              *bounds    `json:"bounds"`
	BitmapCount         *int64     `json:"bitmap_count"`
	EmptyBitmaps        *int64     `json:"empty_bitmaps"`
	Bitmaps             []bitmap   `json:"bitmaps"`
	BitmapsOmitted      int64      `json:"bitmaps_omitted"`
	Containers          any        `json:"containers"` // roaringKinds or mumblingKinds
	Padding             *int64     `json:"padding"`
	Smallest            *bool      `json:"smallest"`
	Canonical           *bool      `json:"canonical"`
	CanonicalSize       *int64     `json:"canonical_size"`
}

type bounds struct {
	First int64 `json:"first"`
	Last  int64 `json:"last"`
}

type bitmap struct {
	Key          uint32 `json:"key"`
	Cookie       uint32 `json:"cookie"`
	Offset       int64  `json:"offset"`
	Size         int64  `json:"size"`
	Cardinality  int64  `json:"cardinality"`
	Containers   int64  `json:"containers"`
	Array        int64  `json:"array"`
	Bitmap       int64  `json:"bitmap"`
	Run          int64  `json:"run"`
	OffsetHeader bool   `json:"offset_header"`
}

type tally struct {
	Count int64 `json:"count"`
	Bytes int64 `json:"bytes"`
}

type roaringKinds struct {
	Array  tally `json:"array"`
	Bitmap tally `json:"bitmap"`
	Run    tally `json:"run"`
}

type mumblingKinds struct {
	Sparse tally `json:"sparse"`
	Dense  tally `json:"dense"`
	Empty  tally `json:"empty"`
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
	v.Containers = roaringKinds{tally(c.Array), tally(c.Bitmap), tally(c.Run)}
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
	v.Containers = mumblingKinds{tally(c.Sparse), tally(c.Dense), tally{Count: c.Empty}}
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
