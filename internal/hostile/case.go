// Package hostile makes and reads testdata/hostile/table.txt: inputs that are broken, or look so, with the status that
// reading each of them has to end with. Go, C, Python and Java run the same table.
//
// The expectations come from the formats' rules. Where an input is a mutation, a judge in this package says what it has
// become: a second reading of the formats, written plainly and shared with no codec (judge_*.go). Nothing here imports a
// codec, and nothing but tests imports this package.
package hostile

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// How an input is read. testdata/hostile/README.md says which calls each stands for.
const (
	Blob           = "blob"            // a deletion-vector-v1 blob; Cardinality
	Bitmap         = "bitmap"          // a bare 64-bit roaring bitmap
	Range          = "range"           // a blob at Offset, Size of a source; Cardinality
	Puffin         = "puffin"          // a Puffin file: opened, then every vector in it read
	Entry          = "entry"           // the vector of a manifest entry: Offset, Size, Cardinality, data file in Text
	Delta          = "delta"           // a record of a Delta file: Offset, Size, Cardinality
	Inline         = "inline"          // Z85 text: Size, Cardinality
	Descriptor     = "descriptor"      // a descriptor's JSON: its path and unique id
	DescriptorRead = "descriptor-read" // the vector of the descriptor in Text, from a file
	Mumbling       = "mumbling"        // a Mumbling bitmap: read, then validated
	PFOR           = "pfor"            // Size values from their PFOR coding
	Specs          = "specs"           // a writer's partition specs
	View           = "view"            // a blob, borrowed: not in the table, where Blob stands for it
	Partition      = "partition"       // a partition under the specs in Text; Offset is the spec id
)

// Unknown is "no expectation" for a number, and what a number is where it does not matter.
const Unknown = -1

// Case is one line of the table.
type Case struct {
	Name        string // unique, without blanks
	How         string
	Status      string // "DV_CORRUPT"
	Offset      int64
	Size        int64
	Cardinality int64
	Text        string
	Data        []byte
	File        string // where Data is, below testdata/golden; "" for in the table
}

// Format gives the line of a case, without its end: eight columns, one blank between them.
func (c *Case) Format() string {
	data := "@" + c.File
	if c.File == "" {
		data = spell(c.Data)
	}
	return fmt.Sprintf("%s %s %s %d %d %d %s %s",
		c.Name, c.How, c.Status, c.Offset, c.Size, c.Cardinality, spell([]byte(c.Text)), data)
}

// spell writes bytes as hexadecimal digits, none of them as "-".
func spell(b []byte) string {
	if len(b) == 0 {
		return "-"
	}
	return hex.EncodeToString(b)
}

func unspell(s string) ([]byte, error) {
	if s == "-" {
		return nil, nil
	}
	return hex.DecodeString(s)
}

// parse reads a line.
func parse(line string) (Case, error) {
	columns := strings.Split(line, " ")
	if len(columns) != 8 {
		return Case{}, fmt.Errorf("%d columns, expected 8", len(columns))
	}
	c := Case{Name: columns[0], How: columns[1], Status: columns[2]}
	for i, number := range []*int64{&c.Offset, &c.Size, &c.Cardinality} {
		var err error
		if *number, err = strconv.ParseInt(columns[3+i], 10, 64); err != nil {
			return c, err
		}
	}
	text, err := unspell(columns[6])
	if err != nil {
		return c, err
	}
	c.Text = string(text)
	if name, ok := strings.CutPrefix(columns[7], "@"); ok {
		c.File = name
		c.Data, err = os.ReadFile(filepath.Join(testdata(), "golden", name))
	} else {
		c.Data, err = unspell(columns[7])
	}
	return c, err
}

func testdata() string {
	_, here, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(here), "..", "..", "testdata")
}

// Path is where the table is.
func Path() string { return filepath.Join(testdata(), "hostile", "table.txt") }

// Load reads the table.
func Load() ([]Case, error) {
	raw, err := os.ReadFile(Path())
	if err != nil {
		return nil, err
	}
	var cases []Case
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 1<<20)
	for number := 1; lines.Scan(); number++ {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		c, err := parse(lines.Text())
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", Path(), number, err)
		}
		cases = append(cases, c)
	}
	return cases, lines.Err()
}

// Table gives the whole text of the table.
func Table(cases []Case) []byte {
	var out bytes.Buffer
	out.WriteString("# Written by: go run ./internal/hostile/write table. Columns: README.md beside this file.\n")
	for i := range cases {
		out.WriteString(cases[i].Format() + "\n")
	}
	return out.Bytes()
}
