// Package mumbling reads and writes Mumbling bitmaps, version 1: the compact sets of row
// positions that Iceberg v4 stores in its manifests, for the entries of a manifest that are
// deleted. It goes from the stored bytes to masks and positions without building a bitmap.
//
//	offset  size  content
//	0       1     version, 1
//	1       3     cardinality, little endian, at most 2,097,152
//	4       2     number of containers n, little endian, at most 8,192
//	6       ..    n container descriptors of one byte each, PFOR coded (see pfor.go)
//	..      ..    n containers, one after the other, nothing in between or behind
//
// Position p lies in container p >> 8 at place p & 255. A descriptor's two top bits are zero.
//
//	000sssss  sparse: s places (0 to 31), one byte each, strictly ascending
//	001.....  dense: 32 bytes, place 0 is the top bit of byte 0; the low bits are ignored
//
// A container with fewer than 32 places is sparse, every other one dense. Empty containers
// cost their descriptor only, and may end the bitmap.
//
// # Trust
//
// The bytes are hostile until proven otherwise. [Read] checks the header. The descriptors are
// decoded by the first call that needs them, which also proves that every container lies
// inside the bytes; no memory is sized by anything but a container count that was checked.
// What a call meets beyond that it reports; only [Bitmap.Validate] looks at everything.
//
// Source: Iceberg's Mumbling specification, version 1; PFOR is its appendix A.
package mumbling
