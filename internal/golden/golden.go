// Package golden gives tests the vectors of testdata/golden and what their manifest says
// of them. Nothing but tests imports it.
package golden

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// File is a file that a real implementation wrote.
type File struct {
	File        string    `json:"file"`
	Format      string    `json:"format"`
	How         string    `json:"how"`
	Set         string    `json:"set"`
	Magic       string    `json:"magic"`
	Cardinality int64     `json:"cardinality"`
	Positions   Positions `json:"positions"`
	Blobs       []Blob    `json:"blobs"`
	Records     []Record  `json:"dvs"`
	Structure   Structure `json:"structure"`
	Containers  int64     `json:"container_count"` // of a Mumbling bitmap
}

// Structure is how a 64-bit bitmap is built.
type Structure struct {
	BitmapCount  int64    `json:"bitmap_count"`
	EmptyBitmaps int64    `json:"empty_bitmaps"`
	Bitmaps      []Bitmap `json:"bitmaps"` // at least the first of them
}

// Bitmap is how a 32-bit bitmap in it is built.
type Bitmap struct {
	Key          int64 `json:"key"`
	Cookie       int64 `json:"cookie"`
	Containers   int64 `json:"containers"`
	Array        int64 `json:"array"`
	Bitmap       int64 `json:"bitmap"`
	Run          int64 `json:"run"`
	OffsetHeader bool  `json:"offset_header"`
}

// Blob is an entry of a Puffin footer.
type Blob struct {
	Type             string            `json:"type"`
	Set              string            `json:"set"`
	Offset           int64             `json:"offset"`
	Length           int64             `json:"length"`
	SnapshotID       int64             `json:"snapshot-id"`
	SequenceNumber   int64             `json:"sequence-number"`
	CompressionCodec *string           `json:"compression-codec"`
	Properties       map[string]string `json:"properties"`
	Cardinality      int64             `json:"cardinality"`
	Positions        Positions         `json:"positions"`
}

// Record is a vector of a Delta file.
type Record struct {
	Set         string    `json:"set"`
	Offset      int32     `json:"offset"`
	SizeInBytes int32     `json:"sizeInBytes"`
	Cardinality int64     `json:"cardinality"`
	Positions   Positions `json:"positions"`
	Structure   Structure `json:"structure"`
}

// Positions are half-open ranges, or the name of a file that has them.
type Positions struct {
	Ranges     [][2]int64 `json:"ranges"`
	RangesFile string     `json:"ranges_file"`
}

// Hostile is a broken input, in one or more files.
type Hostile struct {
	Name     string `json:"name"`
	Format   string `json:"format"`
	Wrong    string `json:"wrong"`
	Expected string `json:"expected"` // accept, reject, either
	Runs     []Run  `json:"runs"`
}

// Run is one file or text of a hostile input and how to read it.
type Run struct {
	Kind   string `json:"kind"`
	File   string `json:"file"`
	Text   string `json:"text"`
	Card   *int64 `json:"card"`
	Offset *int64 `json:"offset"`
	Size   *int64 `json:"size"`
}

// Manifest is all of testdata/golden/manifest.json that tests use.
type Manifest struct {
	Files   []File    `json:"files"`
	Hostile []Hostile `json:"hostile"`
}

// Dir is testdata/golden.
func Dir() string {
	_, here, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(here), "..", "..", "testdata", "golden")
}

var load = sync.OnceValues(func() (*Manifest, error) {
	m := new(Manifest)
	raw, err := os.ReadFile(filepath.Join(Dir(), "manifest.json"))
	if err != nil {
		return nil, err
	}
	return m, json.Unmarshal(raw, m)
})

// Load reads the manifest.
func Load(t testing.TB) *Manifest {
	t.Helper()
	m, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Read returns the bytes of a file that the manifest names.
func Read(t testing.TB, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(Dir(), name))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// All lists the positions, ascending.
func (p Positions) All(t testing.TB) []int64 {
	t.Helper()
	ranges := p.Ranges
	if p.RangesFile != "" {
		ranges = readRanges(t, p.RangesFile)
	}
	out := []int64{}
	for _, r := range ranges {
		for i := r[0]; i < r[1]; i++ {
			out = append(out, i)
		}
	}
	return out
}

func readRanges(t testing.TB, name string) [][2]int64 {
	t.Helper()
	f, err := os.Open(filepath.Join(Dir(), name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var positions Positions
	if err := json.NewDecoder(z).Decode(&positions); err != nil {
		t.Fatal(err)
	}
	return positions.Ranges
}
