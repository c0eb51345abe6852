// Package inspect tells what bytes are and how they are built, as one JSON object. It succeeds
// on damaged bytes too: every fault is in the object, the first one in full. Only a source that
// cannot be read, and a format that is none, fail the call.
//
// # The object
//
// All members are always there, in this order; later versions may add some. Sizes and offsets
// are in bytes, offsets count from the start of the source.
//
//	format              "puffin", "dv-blob", "delta-dv", "roaring-64", "mumbling", "unknown"
//	guessed             whether the format was found by looking at the bytes
//	size                of the source
//	version             the version byte of "delta-dv" and "mumbling", else null
//	checks              names of the checks that were passed: those of the file, then those that every
//	                    vector passed
//	fault               the first fault, or null: a reader of the format accepts everything
//	  status            its dv_status by name, "DV_CORRUPT"
//	  message           one line: what was read, where, what was found and expected
//	footer              of "puffin", where it could be read, else null
//	  offset, size      from its first magic to the end of the file
//	  compressed        the payload is an LZ4 frame
//	  created_by        the property created-by, or null
//	vectors             the first 1,024 vectors, in the order of the file (of the footer); see below
//	vector_count        how many vectors there are,
//	vectors_omitted     how many of them are not listed,
//	vectors_faulty      how many of them a reader refuses
//	vectors_unexamined  and how many of them nobody looked at, see "Bounds"
//	other_blobs         the first 256 blobs of "puffin" that are no deletion vectors
//	  index, type, compression_codec (null: none), offset, size
//	other_blobs_omitted how many more there are
//	rest                what follows the first faulty record of "delta-dv" and was not looked at, or null
//	  offset, size
//
// A vector:
//
//	index                  its place in the footer or among the records; else 0
//	offset, size           the range of its bytes: with length and CRC where the form has them
//	size_in_bytes          of "delta-dv": the record's size field, a descriptor's sizeInBytes; else null
//	referenced_data_file   of "puffin": the property, or null
//	declared_cardinality   the property of "puffin", the header's number of "mumbling"; null: none
//	checks, fault          as above, of this vector alone
//	complete               the end of the bitmap was reached. If not, the members from here on count what
//	                       is before the fault, and those after containers are null
//	cardinality            positions, counted; null here and below: nothing could be counted
//	bounds                 {first, last}: the smallest and the largest position; null where there is none
//	bitmap_count           32-bit bitmaps; null for "mumbling"
//	empty_bitmaps          those of them without a container
//	bitmaps                the first 64 of a vector, 4,096 in all
//	  key                  upper 32 bits of the positions
//	  cookie               12346, or 12347 where there may be run containers
//	  offset, size         with the key
//	  cardinality, containers
//	  array, bitmap, run   containers by kind
//	  offset_header        the offsets of the containers are stored
//	bitmaps_omitted        how many more there are
//	containers             by kind, each {count, bytes}: array, bitmap and run; of "mumbling" sparse,
//	                       dense and empty. bytes are those of the payloads
//	padding                zero bytes after the bitmap, of "delta-dv"
//	smallest               every container is in the form that dv_serialize would give it, and nothing is
//	                       stored that could be left out
//	canonical              the bytes are exactly those that this library writes for these positions
//	canonical_size         how many bytes those are
//
// A text from a file is cut after 512 bytes, and then ends with "...".
//
// # Checks
//
//	end_magic, footer, footer_json, head_magic    a Puffin file
//	version                                       a Delta file
//	footer_entry                                  what a Puffin footer says of a vector: codec, data file, cardinality, length
//	length, magic, crc                            the frame of a vector
//	header, descriptors                           of a Mumbling bitmap
//	structure                                     all that is in the bitmap
//	end                                           nothing follows it but the padding that the format allows
//	cardinality                                   as declared; made where a number is declared
//
// They are made in the order of the readers, but one that fails does not stop the others: a wrong
// CRC does not hide the containers. A wrong magic does, and so does a codec. What a descriptor or a
// manifest entry expects is not known here, so a sound file may still not be what its table says.
//
// # Guessing
//
// The first of these that fits:
//
//  1. "puffin": PFA1 at byte 0
//  2. "dv-blob": the magic of a vector, also an older or a byte-swapped one, at byte 4
//  3. "delta-dv": the same at byte 5
//  4. "roaring-64": eight zero bytes and no more; or a possible count at byte 0 and the cookie of a
//     32-bit bitmap at byte 12
//  5. "puffin": PFA1 in the last four bytes
//  6. "dv-blob": the length at byte 0 is that of the source
//  7. "delta-dv": 01 and a size that is that of the source; or 01 alone
//  8. "roaring-64": the cookie 12346 at byte 12
//  9. "mumbling": 01 and a cardinality and a number of containers within their limits
//
// else it is "unknown", with a fault that says what else the bytes look like, and no vectors. To name
// the format "unknown" is to let it be guessed.
//
// Rules 5 to 8 are for damaged bytes. Ambiguous are the single byte 01, a Delta file without records
// but also a Mumbling bitmap cut short, and bytes that begin with 01: Mumbling has no magic, so any
// others of that beginning may pass for it. Where it is known, name the format.
//
// # Bounds
//
// Vectors are read one at a time. Memory stays within 64 MiB and four times the source's size, the
// object within some megabytes. Blobs of a Puffin file may overlap without end; once twice the size
// of the file and 64 MiB were examined, the vectors that are left are counted as unexamined.
package inspect
