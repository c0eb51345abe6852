// Package dv holds deletion vectors: sets of 64-bit row positions, read from and written
// to the portable 64-bit roaring bitmap and the deletion-vector-v1 blob of Iceberg v3,
// which is also a record of a Delta Lake deletion vector file.
//
// The bytes, all little endian unless said otherwise:
//
//	blob       length u32 BE | magic d1 d3 39 64 | bitmap | CRC-32 u32 BE
//	           length counts magic and bitmap, the CRC (IEEE) covers the same bytes
//	bitmap     number of 32-bit bitmaps u64, then per bitmap: key u32 | 32-bit bitmap
//	32-bit     12346 u32 | n u32 | n x {key u16, cardinality-1 u16} | n x offset u32 | containers
//	           12347 u16 | n-1 u16 | ceil(n/8) run flags | n x {key, cardinality-1}
//	           | n x offset u32, only where n >= 4 | containers
//	container  array: cardinality x u16 ascending; bitmap: 1024 x u64;
//	           run: number of runs u16, then {start u16, length-1 u16} ascending
//
// # Two states
//
// A frozen vector is checked bytes and a directory of 16 bytes per container; nothing is
// decoded, every read walks the stored bytes. What is written all at once is frozen too: the first
// positions of a vector, and the union of two frozen ones; it is packed into one piece of memory,
// which the next one uses again. A vector that was changed otherwise holds one slot per
// container: payload bytes as before, or, where single positions were added, a roaring
// bitmap of that container alone. Reading turns only those slots of its window back into
// bytes, so small changes and small reads by turns never cost a whole pass. All read
// kernels run on payload bytes, whatever the state.
//
// # Concurrency
//
// Methods that read may run at the same time; a method that changes the vector needs it for
// itself. The C border holds a read-write lock per handle for that.
//
// Specifications: Iceberg Puffin spec, "deletion-vector-v1 blob type"; Delta protocol,
// "Deletion Vector Format"; Roaring format spec, "extension for 64-bit implementations".
package dv
