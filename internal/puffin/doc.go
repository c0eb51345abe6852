// Package puffin reads and writes Puffin files and the deletion vectors of Apache Iceberg v3
// in them.
//
// # Layout of a file
//
//	offset         bytes  what
//	0              4      magic 50464131, "PFA1"
//	4              ...    blobs, and bytes that belong to none
//	F              4      magic, where the footer starts
//	F + 4          P      footer payload: JSON, or one LZ4 frame of JSON
//	size - 12      4      P, little endian, signed
//	size - 8       4      flags; bit 0 of the first byte: the payload is compressed
//	size - 4       4      magic
//
// F is size - 16 - P: it follows from the real size of the file. Every blob of the payload
// lies within [4, F). Source: https://iceberg.apache.org/puffin-spec/.
//
// # Reading
//
// Open proves the frame, the payload and that every blob lies where a blob may; File is then
// immutable and holds no source, so that any number of threads may read vectors through it.
// ReadEntry goes from a manifest entry to its vector in at most three requests, in one where
// the file has no more than 64 KiB.
//
// The payload is read strictly, because two readers that see different blobs see different
// rows: member names are exact, the members that matter may not stand twice, numbers are
// integers without fraction and exponent, text is valid UTF-8 without lone surrogates and
// without U+0000, nothing but white space stands around the object. A null is not an absent
// member: "properties": null and "compression-codec": null are corrupt. Members that the
// format does not know are skipped, at most 10,000 levels deep, even where they stand twice.
//
// Where the format leaves a choice: blobs may overlap, and one range may carry vectors for
// several data files, of which the one with the entry's name counts; blobs need not be listed
// in the order of their offsets; field ids, snapshot id and sequence number of a vector may
// have any value; a cardinality property is decimal digits, with leading zeros if need be; an
// LZ4 frame may leave out its content size, and inflates to at most 8 MiB more than the size
// of the file. A blob of a vector that names no data file, or has a codec, even an empty one,
// is listed but not read. Other compressed blobs are listed and never inflated.
//
// # Writing
//
// Writer collects positions per data file and writes them as one file with one blob per data
// file, and their entries in the form of the Iceberg REST catalog's ContentFile. The bytes
// are those of Iceberg Java but for the created-by property.
package puffin
