package dv

import "github.com/libdv/libdv/internal/storage"

const (
	MaxPosition int64  = 0x7FFFFFFE80000000
	Magic       uint32 = 0x6439D3D1
	Unknown     int64  = -1
)

type Vector struct{}

func New() *Vector                                                         { panic("stub") }
func (v *Vector) Clone() *Vector                                           { panic("stub") }
func (v *Vector) Set(position int64) error                                 { panic("stub") }
func (v *Vector) SetMany(positions []int64) error                          { panic("stub") }
func (v *Vector) SetRange(start, end int64) error                          { panic("stub") }
func (v *Vector) Or(other *Vector) error                                   { panic("stub") }
func (v *Vector) AndNot(other *Vector) error                               { panic("stub") }
func (v *Vector) RunLengthEncode()                                         { panic("stub") }
func (v *Vector) Contains(position int64) (bool, error)                    { panic("stub") }
func (v *Vector) ContainsMany(positions []int64, out []byte) error         { panic("stub") }
func (v *Vector) Cardinality() int64                                       { panic("stub") }
func (v *Vector) Count(start, end int64) (int64, error)                    { panic("stub") }
func (v *Vector) IsEmpty() bool                                            { panic("stub") }
func (v *Vector) Equals(other *Vector) bool                                { panic("stub") }
func (v *Vector) Positions(start, end int64, out []int64) (int, error)     { panic("stub") }
func (v *Vector) KeepMask(start, length int64, out []byte) error           { panic("stub") }
func (v *Vector) DeleteMask(start, length int64, out []byte) error         { panic("stub") }
func (v *Vector) KeepBytes(start, length int64, out []byte) error          { panic("stub") }
func (v *Vector) KeepIndices(start, length int64, out []uint32) (int, error) { panic("stub") }

// Encoding is a serialisation that was planned: its size is known, its bytes are written once.
// It is valid until the vector changes.
type Encoding struct{}

func (v *Vector) EncodeBlob() (*Encoding, error)   { panic("stub") } // ErrLimit beyond 2^31-1 bytes
func (v *Vector) EncodeBitmap() (*Encoding, error) { panic("stub") }
func (e *Encoding) Size() int                      { panic("stub") }
func (e *Encoding) Cardinality() int64             { panic("stub") }
func (e *Encoding) Put(dst []byte)                 { panic("stub") } // len(dst) == Size()
func (e *Encoding) Bytes() []byte                  { panic("stub") }

// The parsers keep data, which must not change any more. expected: Unknown or >= 0.
func ParseBlob(data []byte, expected int64) (*Vector, error)    { panic("stub") }
func ViewBlob(data []byte, expected int64) (*Vector, error)     { panic("stub") } // borrowed: copied when first changed or cloned
func ParseBitmap(data []byte) (*Vector, error)                  { panic("stub") }
func ParseRecord(data []byte, expected int64) (*Vector, error)  { panic("stub") } // a blob, zero padding after the bitmap accepted (Delta)
func ParsePayload(data []byte, expected int64) (*Vector, error) { panic("stub") } // magic and bitmap (Delta inline)

func BlobKeepMask(data []byte, expected, start, length int64, out []byte) error { panic("stub") }
func BlobPositions(data []byte, expected int64, out []int64) (int, error)       { panic("stub") }

func ReadRange(src storage.Source, offset, size, expected int64) (*Vector, error) { panic("stub") }
