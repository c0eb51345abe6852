// Package kernel holds the inner loops of libdv: checks, counts and conversions of whole
// arrays of values and whole bitmaps of 8,192 bytes.
//
// Every function is pure Go in generic.go. On amd64 those that the benches show to gain
// from it have a twin in assembly, for AVX-512, for AVX2 or for both, generated with avo
// (gen/) and chosen at run time by the CPU's features: the tag purego leaves the assembly
// out, GODEBUG=cpu.avx512f=off in the environment the part that needs AVX-512. The twins are
// tested for equality.
//
// Values are uint16, little endian, in byte slices; bits are numbered from the least
// significant one of each byte. Nothing here trusts its input beyond the lengths of the
// slices, which bound every access.
package kernel

//go:generate sh -c "cd gen && go run . -out ../kernel_amd64.s -stubs ../stubs_amd64.go -pkg kernel"

// Bitmap is the payload of a bitmap container: 65,536 bits.
type Bitmap = [8192]byte
