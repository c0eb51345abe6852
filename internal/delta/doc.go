// Package delta reads and writes the deletion vectors of Delta Lake: vector files, inline vectors and the descriptors that
// point at both.
//
// # A vector file
//
//	file       version 01 | record*
//	record     size u32 BE | magic d1 d3 39 64 | bitmap | CRC-32 u32 BE
//	           size counts magic and bitmap, the CRC (IEEE) covers the same bytes
//	bitmap     the portable 64-bit roaring bitmap; package dv has its bytes
//
// A descriptor's offset is that of the size field, so the first record is at 1; its sizeInBytes is the size field. Writer streams
// records into a sink, Read fetches one of them and nothing else.
//
// Readers differ where the protocol is silent or its writers were not exact. This package decides:
//
//   - The version byte is checked by every read; it must be 1.
//   - No offset means the first record, at 1. The protocol's default of 0 is where the version byte is: an offset of 0 is
//     refused, and NewDescriptor always writes one.
//   - Zero bytes after the bitmap, inside size and CRC, are accepted from a file: some writers padded so. They are not
//     accepted in an inline vector, nor by the Iceberg reader, even where an Iceberg entry points at the record.
//   - A cardinality of 0 is an expectation like any other: the record is read and compared.
//   - The magic 1681511376 marks an older form and is ErrUnsupported; so does the same number in big endian, which the protocol
//     document's inline example begins with.
//   - A writer that is finalized without a vector commits the version byte alone: a whole file of no records. Delta's own
//     writer leaves the same behind, and a sink that was promised a commit gets one.
//
// # Inline vectors
//
// Magic and bitmap alone, padded with 0 to 3 zero bytes to whole groups and spelt in Z85. Decoding is strict: whole groups of five,
// no group above 2^32-1, no foreign character, zero padding. Each vector that this package writes has one text.
//
// # Descriptors
//
//	"u"  [directory]<UUID in 20 characters of Z85>: directory/deletion_vector_<uuid>.bin below the table's root
//	"p"  a URL or absolute path, as given
//	"r"  a raw path below the table's root (adaptive metadata)
//	"i"  an inline vector, without an offset
//
// What Path returns for "u" and "r" is plain text below the table's root. Delta's readers disagree on whether a "%20" in it is
// three characters (its Java readers) or a blank (one that joins it to the root as a URL); this package takes the side of the
// writers. To join it to a root that is a URL, encode it first; to join it to a file system path, do not.
//
// # A record is an Iceberg blob
//
// A record without padding is byte for byte a deletion-vector-v1 blob of Iceberg v3, so the two formats convert without
// decoding a bitmap:
//
//	Delta to Iceberg   the range [offset, offset + sizeInBytes + 8) of the vector file is the blob: content offset and size
//	                   of an Iceberg entry could even point there. ReadBlob checks it and hands out the bytes.
//	Iceberg to Delta   WriteBlob appends a checked blob as it stands; sizeInBytes is its length - 8. The byte 01 with the
//	                   blob behind it is a whole vector file, the record at 1.
//
// An inline vector is the blob without its first and last four bytes.
//
// # Concurrency
//
// Functions and Descriptor may be used by any number of threads; a Writer serves one at a time.
//
// Specification: Delta protocol (PROTOCOL.md), "Deletion Vectors" and "Deletion Vector Descriptor Schema".
package delta
