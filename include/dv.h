/*
 * dv.h - deletion vectors for data lakes, as a C library.
 *
 * libdv reads and writes the deletion vectors of Apache Iceberg v3 ("deletion-vector-v1" blobs in Puffin files), of
 * Delta Lake (vector files, inline vectors, descriptors) and Mumbling bitmaps (the manifest deletion vectors of Iceberg
 * v4). It goes from the stored bytes to what a scan filters with, and checks everything on the way.
 *
 *     dv_source_t *file = NULL;
 *     dv_t *dv = NULL;
 *     uint8_t mask[(1000 + 7) / 8];
 *     if (dv_source_path("deletes.puffin", &file) == DV_OK &&
 *         dv_read(file, 4, 44, 2, "s3://lake/t/data.parquet", &dv, NULL) == DV_OK &&
 *         dv_keep_mask(dv, 0, 1000, mask, sizeof mask) == DV_OK) {
 *       ... keep row i where mask[i / 8] >> i % 8 & 1 ...
 *     } else {
 *       fprintf(stderr, "%s\n", dv_last_error());
 *     }
 *     dv_free(dv);
 *     dv_source_free(file);
 *
 * Conventions, of every function below unless it says otherwise
 *
 *   Result     Functions return dv_status; DV_OK is 0, later versions may add numbers. On failure handles, structs and
 *              scalars are untouched and dv_last_error() holds one line of text for this thread, until its next failing
 *              call; the contents of output buffers are then unspecified. DV_TOO_SMALL alone sets *count, to the number
 *              of elements needed. A failed call leaves its object as it was.
 *   Positions  are 0-based row numbers in a data file, int64_t, 0 <= position <= DV_MAX_POSITION; any other is
 *              DV_INVALID_ARGUMENT.
 *   Ranges     are half-open, [start, end), start >= 0. Changing calls: end <= DV_MAX_POSITION + 1; empty or inverted:
 *              no-op. Reading calls: any end (INT64_MAX: all); empty or inverted: nothing. start + length must fit
 *              int64_t, and length >= 0. A range that breaks these rules is DV_INVALID_ARGUMENT.
 *   Buffers    A buffer may be larger than needed, up to SIZE_MAX; the rest is untouched. Sizes are in bytes, counts
 *              and capacities in elements. An input that no memory can hold is DV_INVALID_ARGUMENT. An input, positions
 *              and bytes alike, must not change during the call, nor while it is lent: where it does, the result is
 *              unspecified, and the process is safe.
 *   NULL       A data pointer may be NULL where its count or size is 0, and so may the context of callbacks. Any other
 *              NULL, or a handle of another kind, is DV_INVALID_ARGUMENT unless said otherwise. One handle may be
 *              passed twice to a call.
 *   Strings    are NUL-terminated UTF-8 and are copied; file system paths are taken byte for byte. A dv_bytes filled by
 *              a successful call has data[size] == 0 and belongs to the caller, who frees it with dv_bytes_free.
 *   Ownership  A handle that a function stores in *out belongs to the caller, who frees it with the *_free of its type.
 *              Vectors read from a source, and copies, own their bytes; only dv_view and dv_source_memory borrow.
 *   Freeing    *_free(NULL) does nothing. *_free waits for calls on that handle in other threads: after it, what it
 *              borrowed may go. Inside the object's own callback it takes effect when the outer call returns. Handles
 *              may be freed in any order: an object whose source or sink is gone answers DV_STATE. A handle used after
 *              free is usually DV_INVALID_ARGUMENT, never a crash; a second free does nothing.
 *   Threads    Any number of threads may read one handle at a time. Changing calls exclude each other and readers: a
 *              race never harms the process. A call that waits for another one waits for its callbacks too, so two
 *              threads whose callbacks change each other's objects can lock each other out, as with any locks.
 *   Hosts      No call panics, aborts or hangs the host, whatever bytes it is given. In a fork()ed child every function
 *              that returns a status returns DV_FORKED at once and frees do nothing; dv_bytes_free and the functions
 *              about the library work. An object that a call was changing when it failed with DV_INTERNAL, or because
 *              memory lent to it was gone, may be half changed: it answers DV_STATE from then on and can only be freed.
 *   Signals    Install handlers with sigaction() and SA_ONSTACK, as CPython since 3.10 does; those that exist when the
 *              library is loaded, the JVM's among them, get the flag by that. A handler without it runs on the stack of
 *              the call that it interrupts, which begins with 48 KiB for it; one that needs more writes over what is
 *              not its own.
 *              The library's own threads block the host's signals, but for SIGCHLD, SIGPROF, SIGURG and 34, which Go
 *              needs. Their stacks have no room for a handler: one of these four needs SA_ONSTACK. Go sends itself
 *              SIGURG all the time, and a handler for that without the flag ends the process sooner or later.
 *
 * Every status-returning function may give DV_INVALID_ARGUMENT (as above), DV_STATE (a handle is in use by the very
 * call whose callback makes this one), DV_NO_MEMORY, DV_FORKED and DV_INTERNAL. "Errors" below lists what comes on top
 * of these.
 *
 * Specifications
 *   Iceberg    https://iceberg.apache.org/puffin-spec/ ("deletion-vector-v1 blob type"),
 *              https://iceberg.apache.org/spec/
 *   Delta      https://github.com/delta-io/delta/blob/master/PROTOCOL.md ("Deletion Vectors", "Deletion Vector
 *              Descriptor Schema")
 *   Roaring    https://github.com/RoaringBitmap/RoaringFormatSpec ("extension for 64-bit implementations")
 *   Mumbling   the Iceberg Mumbling specification, version 1
 */
#ifndef LIBDV_DELETION_VECTORS_H
#define LIBDV_DELETION_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(DV_BUILD)
#define DV_API __declspec(dllexport)
#elif defined(_WIN32) && !defined(DV_STATIC)
#define DV_API __declspec(dllimport)
#elif defined(__GNUC__)
#define DV_API __attribute__((visibility("default")))
#else
#define DV_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ library */

#define DV_VERSION "0.1.0"                          /* of this header; dv_version() is that of the library */
#define DV_ABI_VERSION 1                            /* raised by an incompatible change; the number in the soname */
#define DV_MAGIC UINT32_C(0x6439D3D1)               /* of Iceberg and Delta vectors, little endian: d1 d3 39 64 */
#define DV_MAX_POSITION INT64_C(0x7FFFFFFE80000000) /* the largest that Iceberg Java and Delta Spark can hold */
#define DV_UNKNOWN (-1)                             /* "no expectation" for a cardinality, a size, an offset */

typedef int32_t dv_status; /* one of the constants below; the numbers never change */
enum {
  DV_OK = 0,
  DV_INVALID_ARGUMENT = 1, /* NULL, wrong handle, negative or too large position, bad JSON given by the caller */
  DV_CORRUPT = 2,          /* the bytes break their format: magic, CRC, length, order, truncated, trailing */
  DV_MISMATCH = 3,         /* well formed, but not what the caller says: cardinality, size, data file, type */
  DV_UNSUPPORTED = 4,      /* well formed, but a version, codec or encoding that this library does not read */
  DV_LIMIT = 5,            /* the result would not fit its format: 2 GiB blob, int32 offset, 8,192 containers */
  DV_IO = 6,               /* a file, or a caller's callback, failed */
  DV_TOO_SMALL = 7,        /* the caller's buffer cannot hold the result */
  DV_STATE = 8,            /* the object is finished, or is being used by its own callback */
  DV_NO_MEMORY = 9,        /* a refused allocation, where it can be told */
  DV_FORKED = 10,          /* the process is a fork() child of the one that loaded the library */
  DV_INTERNAL = 11         /* a bug in the library; the process lives on */
};

/* DV_ABI_VERSION of the library that was loaded. Compare it with the header's before anything else: where they differ,
 * structs and meanings do. */
DV_API int32_t dv_abi_version(void);

/* The library's version, "MAJOR.MINOR.PATCH". Static. */
DV_API const char *dv_version(void);

/* The name of a status, such as "DV_CORRUPT"; "DV_UNKNOWN_STATUS" for a number that this version does not have.
 * Static. */
DV_API const char *dv_status_name(dv_status status);

/* What was wrong with this thread's last failing call, in one line of UTF-8: what was read, at which byte offset, what
 * was found and what was expected. "" before the first failure; successful calls leave it alone. The text stays valid
 * until the thread's next failing call, or its end: copy it to keep it. */
DV_API const char *dv_last_error(void);

/* How many handles, of every kind, were made and not yet freed. For leak tests. */
DV_API int64_t dv_live_handles(void);

/* Bytes that the library hands to the caller. */
typedef struct dv_bytes {
  uint8_t *data;
  size_t size;
} dv_bytes;

/* Frees what a call put into *bytes and clears it, so that a second free does nothing. NULL and {NULL, 0} are fine. */
DV_API void dv_bytes_free(dv_bytes *bytes);

/* ---------------------------------------------------------- deletion vector */

typedef struct dv_t dv_t; /* a set of 64-bit positions */

/* Makes an empty vector. */
DV_API dv_status dv_new(dv_t **out);

/* Makes an independent vector of the same positions. The copy of a view owns its bytes. */
DV_API dv_status dv_copy(const dv_t *dv, dv_t **out);

/* Frees a vector. */
DV_API void dv_free(dv_t *dv);

/* Adds one position. For more than a few use dv_set_many: a call costs more than a position does. */
DV_API dv_status dv_set(dv_t *dv, int64_t position);

/* Adds count positions, in any order and with duplicates: all of them, or none where one of them is out of range. */
DV_API dv_status dv_set_many(dv_t *dv, const int64_t *positions, size_t count);

/* Adds the positions of [start, end). Errors: DV_LIMIT for a range of more than 2^36 positions. */
DV_API dv_status dv_set_range(dv_t *dv, int64_t start, int64_t end);

/* Adds the positions of other, which may be dv itself. other NULL: nothing happens. */
DV_API dv_status dv_or(dv_t *dv, const dv_t *other);

/* Removes the positions of other, which may be dv itself. other NULL: nothing happens. */
DV_API dv_status dv_andnot(dv_t *dv, const dv_t *other);

/* Brings every container into its smallest form, a run container only where that is strictly smaller. The positions
 * stay; what dv_serialize_bitmap writes changes. */
DV_API dv_status dv_run_length_encode(dv_t *dv);

/* Stores in *out whether position is deleted. */
DV_API dv_status dv_contains(const dv_t *dv, int64_t position, bool *out);

/* Sets out[i], of count bytes, to 1 where positions[i] is deleted, else to 0. Any order; fastest where they ascend. */
DV_API dv_status dv_contains_many(const dv_t *dv, const int64_t *positions, size_t count, uint8_t *out);

/* Stores in *out how many positions the vector holds. */
DV_API dv_status dv_cardinality(const dv_t *dv, int64_t *out);

/* Stores in *out how many positions lie in [start, end): the deleted rows of that range. */
DV_API dv_status dv_count(const dv_t *dv, int64_t start, int64_t end, int64_t *out);

/* Stores in *out whether the vector holds no position. */
DV_API dv_status dv_is_empty(const dv_t *dv, bool *out);

/* Stores in *out whether a and b hold the same positions, however they are encoded. */
DV_API dv_status dv_equals(const dv_t *a, const dv_t *b, bool *out);

/* Writes the positions in [start, end) to out, ascending, at most capacity of them, and their number to *count. *count
 * < capacity: there are no more. To page, go on from the last position + 1. Never DV_TOO_SMALL. */
DV_API dv_status dv_positions(const dv_t *dv, int64_t start, int64_t end, int64_t *out, size_t capacity, size_t *count);

/* What a scan filters with, for the length rows from start on. Rows beyond the last deleted one are kept.
 * Errors of all four: DV_TOO_SMALL. */

/* Writes (length + 7) / 8 bytes: bit i (least significant first, as in an Arrow Boolean buffer) is 1 iff row start + i
 * is kept; bits past length are 0. */
DV_API dv_status dv_keep_mask(const dv_t *dv, int64_t start, int64_t length, uint8_t *out, size_t out_size);

/* dv_keep_mask with 1 for deleted. Bits past length are 0 here too. */
DV_API dv_status dv_delete_mask(const dv_t *dv, int64_t start, int64_t length, uint8_t *out, size_t out_size);

/* Writes length bytes, 1 iff row start + i is kept, else 0: a NumPy bool array, a Parquet reader's byte mask. */
DV_API dv_status dv_keep_bytes(const dv_t *dv, int64_t start, int64_t length, uint8_t *out, size_t out_size);

/* Writes i of every kept row start + i, ascending, to out (a selection vector), and their number to *count. length <=
 * 2^32, else DV_INVALID_ARGUMENT. out must hold all: DV_TOO_SMALL sets *count to the capacity needed. */
DV_API dv_status dv_keep_indices(const dv_t *dv, int64_t start, int64_t length, uint32_t *out, size_t capacity,
                                 size_t *count);

/* ---------------------------------------------------------- sources, sinks */

typedef struct dv_source_t dv_source_t; /* random-access bytes to read from */
typedef struct dv_sink_t dv_sink_t;     /* where one file goes */

/* Callbacks run inside the call, on the calling thread; threads that read one source at once call read_at at once. They
 * must return, to the process that called them: no exception, longjmp, thread exit or fork() child may leave them. They
 * may use the library, but a call on a handle that the outer call uses is DV_STATE, and freeing such a handle takes
 * effect when the outer call returns.
 *
 *   read_at  Like pread: stores up to size bytes from offset on in buffer and returns how many. Fewer than size: the
 *            rest is asked for again. 0: end. Negative: failure. A failure, an end before size of the source, or more
 *            than was asked for, is DV_IO. offset and size always lie within the source.
 *   write    The next size bytes of the file, size > 0. 0 when all of them are taken, anything else is DV_IO.
 *   finish   success: commit the file; non-zero is DV_IO. Else drop it; the result is ignored. Nothing follows it. */
typedef int64_t (*dv_read_at_fn)(void *context, int64_t offset, uint8_t *buffer, size_t size);
typedef int32_t (*dv_write_fn)(void *context, const uint8_t *data, size_t size);
typedef int32_t (*dv_finish_fn)(void *context, bool success);

/* Makes a source over size bytes at data. They are borrowed, and must not change, until dv_source_free returns.
 * A file may be mapped there: where it is truncated, reading is DV_IO. */
DV_API dv_status dv_source_memory(const uint8_t *data, size_t size, dv_source_t **out);

/* Opens a regular file; its size is that of this moment. Errors: DV_IO where it cannot be opened, or is a directory, a
 * pipe or a device (opening never waits for a peer). Reading is DV_IO where the file has become shorter. */
DV_API dv_status dv_source_path(const char *path, dv_source_t **out);

/* Makes a source of size bytes, size >= 0, that are read through read_at. context is handed to it as it is. */
DV_API dv_status dv_source_callbacks(void *context, int64_t size, dv_read_at_fn read_at, dv_source_t **out);

/* Frees a source, and closes its file. What was opened on it answers DV_STATE from now on where it would have to
 * read. */
DV_API void dv_source_free(dv_source_t *source);

/* A sink serves one file. A successful dv_writer_flush or dv_delta_writer_finalize commits it; their failure, a failed
 * write, or freeing an unfinished sink or its delta writer drops it. Once it is attached to a writer, finish runs
 * exactly once, before the call that brings the end about returns; freeing a sink that was never attached drops it in
 * the same way. A committed or dropped sink, or one attached to another writer, is DV_STATE. Where nothing was added,
 * flush drops it. */

/* Makes a sink that collects the file in memory, for dv_sink_take. */
DV_API dv_status dv_sink_memory(dv_sink_t **out);

/* Hands over the committed bytes of a memory sink, without a copy, once. Errors: DV_STATE before the commit, after a
 * drop, a second time, and on a sink of another make. */
DV_API dv_status dv_sink_take(dv_sink_t *sink, dv_bytes *out);

/* Makes a sink for a new file at path. The file appears at the commit, whole and synced to the device with its
 * directory entry, or not at all; its mode is 0666 less the umask. Errors: DV_IO where the directory is missing or
 * cannot be written. An existing target is DV_IO of the commit, tested atomically: nothing is ever replaced. */
DV_API dv_status dv_sink_path(const char *path, dv_sink_t **out);

/* Makes a sink that hands the file to write, piece by piece, and its end to finish. context is handed to both as it
 * is. */
DV_API dv_status dv_sink_callbacks(void *context, dv_write_fn write, dv_finish_fn finish, dv_sink_t **out);

/* Frees a sink, and drops its file unless it is committed. */
DV_API void dv_sink_free(dv_sink_t *sink);

/* ------------------------------------------------------------ bitmap codecs */

/* The Iceberg v3 deletion-vector-v1 blob: length, magic, bitmap, CRC-32 (Puffin spec, "deletion-vector-v1 blob type").
 * expected_cardinality is what the vector must hold: >= 0, or DV_UNKNOWN. 0 is an expectation too.
 *
 * Reading checks length, magic, CRC, order and every container, in time linear in size. Errors of all reading
 * functions: DV_CORRUPT for bytes that break the format, are truncated, or go on after the bitmap; DV_MISMATCH for
 * another cardinality. */

/* Encodes the vector as a blob. The bytes depend on the positions alone: every container in its smallest form (a run
 * container only where strictly smaller), no empty bitmaps; the writers below emit the same. Errors: DV_LIMIT for a
 * blob beyond 2^31 - 1 bytes. */
DV_API dv_status dv_serialize(const dv_t *dv, dv_bytes *out);

/* Decodes a blob of size bytes, which are copied. */
DV_API dv_status dv_deserialize(const uint8_t *data, size_t size, int64_t expected_cardinality, dv_t **out);

/* dv_deserialize without the copy: data is borrowed, and must not change, until dv_free returns. It becomes an ordinary
 * vector, with memory of its own, when it is first changed. */
DV_API dv_status dv_view(const uint8_t *data, size_t size, int64_t expected_cardinality, dv_t **out);

/* dv_keep_mask straight from a blob: one call, no handle, checked like dv_deserialize. Errors: DV_TOO_SMALL too. */
DV_API dv_status dv_blob_keep_mask(const uint8_t *data, size_t size, int64_t expected_cardinality, int64_t start,
                                   int64_t length, uint8_t *out, size_t out_size);

/* All positions of a blob, ascending: one call, no handle, checked like dv_deserialize. out must hold all: DV_TOO_SMALL
 * sets *count to the capacity needed. */
DV_API dv_status dv_blob_positions(const uint8_t *data, size_t size, int64_t expected_cardinality, int64_t *out,
                                   size_t capacity, size_t *count);

/* dv_new, dv_set_many and dv_serialize in one call, with no handle: the blob of count positions, in any order and
 * repeated at will. Errors: those of both. */
DV_API dv_status dv_blob_from_positions(const int64_t *positions, size_t count, dv_bytes *out);

/* dv_deserialize of the size bytes at offset of a source, in one request. No container is needed around the blob, and
 * none is looked at: dv_read is the checked way through a Puffin file. Errors: DV_IO too; DV_CORRUPT also where the
 * range does not lie in the source; DV_INVALID_ARGUMENT for a negative offset, or a size that is negative or beyond
 * 2^31 - 1. */
DV_API dv_status dv_read_range(const dv_source_t *source, int64_t offset, int64_t size, int64_t expected_cardinality,
                               dv_t **out);

/* Encodes the vector as a bare 64-bit roaring bitmap in the portable format (Roaring spec, "extension for 64-bit
 * implementations"): count, then key and 32-bit bitmap, ascending. Containers are written as they stand:
 * dv_run_length_encode first for the smallest. */
DV_API dv_status dv_serialize_bitmap(const dv_t *dv, dv_bytes *out);

/* Decodes such a bitmap of size bytes, which are copied. Empty bitmaps in it are read and dropped. Errors:
 * DV_CORRUPT. */
DV_API dv_status dv_deserialize_bitmap(const uint8_t *data, size_t size, dv_t **out);

/* ------------------------------------------------------------------- Puffin */

typedef struct dv_puffin_t dv_puffin_t; /* an opened Puffin file: its footer, checked; reads from its source */

/* What a footer says of one blob. The strings live as long as the dv_puffin_t. */
typedef struct dv_puffin_blob {     /* later versions may append members */
  const char *type;                 /* "deletion-vector-v1", ... */
  const char *compression_codec;    /* NULL: none */
  const char *referenced_data_file; /* NULL: absent */
  int64_t cardinality;              /* the property; DV_UNKNOWN: absent, or no number */
  int64_t offset;                   /* of the first byte, in the file */
  int64_t length;                   /* in bytes, as stored */
  int64_t snapshot_id;              /* -1: none */
  int64_t sequence_number;          /* -1: none */
} dv_puffin_blob;

/* Reads and checks the footer of a Puffin file (Puffin spec, "File structure"): frame, JSON, the place of every blob,
 * the head magic. The source must outlive the reading, not the handle: once it is freed, reading vectors is DV_STATE,
 * the rest goes on. It takes one request for a file of up to 64 KiB, else at most three. Errors: DV_IO; DV_CORRUPT;
 * DV_UNSUPPORTED for unknown flags; DV_LIMIT for a compressed footer that inflates beyond all reason. */
DV_API dv_status dv_puffin_open(const dv_source_t *source, dv_puffin_t **out);

/* Stores in *out how many blobs the file has, of every type. */
DV_API dv_status dv_puffin_count(const dv_puffin_t *puffin, size_t *out);

/* Stores in *out what the footer says of blob number index, in its order. It lives as long as puffin. */
DV_API dv_status dv_puffin_blob_at(const dv_puffin_t *puffin, size_t index, const dv_puffin_blob **out);

/* The footer's JSON payload as it is in the file, inflated where it is compressed. */
DV_API dv_status dv_puffin_footer_json(const dv_puffin_t *puffin, dv_bytes *out);

/* Reads blob number index as a deletion vector, in one request. Its cardinality property is checked where there is one.
 * Errors: DV_IO; DV_STATE where the source is freed; DV_MISMATCH for a blob of another type, or of another cardinality
 * than its property says; DV_UNSUPPORTED for one with a codec; DV_CORRUPT for bytes that are no deletion-vector-v1
 * blob, a property that is no number, or a missing data file. */
DV_API dv_status dv_puffin_read(const dv_puffin_t *puffin, size_t index, dv_t **out);

/* dv_puffin_read and dv_keep_mask of many blobs in one call, with no handle for each: for i < count the mask of blob
 * number indices[i], of its rows 0 to lengths[i] - 1; indices may be NULL for the blobs 0 to count - 1. The masks follow
 * each other in out, each from a multiple of 64 bytes on and with zero bytes behind it up to there (Arrow format,
 * "Buffer Alignment and Padding"): mask i takes (lengths[i] + 511) / 512 * 64 bytes. It takes one request for each blob,
 * none for one in memory. Errors: those of dv_puffin_read, their text names the blob, after which the contents of out
 * are unspecified; DV_INVALID_ARGUMENT for a blob that is not there or a negative length, and DV_TOO_SMALL where out
 * does not hold all masks, for which nothing is read or written. */
DV_API dv_status dv_puffin_keep_masks(const dv_puffin_t *puffin, const size_t *indices, const int64_t *lengths,
                                      size_t count, uint8_t *out, size_t out_size);

/* Frees an opened file, and what dv_puffin_blob_at gave out. */
DV_API void dv_puffin_free(dv_puffin_t *puffin);

#define DV_WARN_NO_CARDINALITY 1u /* the blob lacks its cardinality property; record_count was used alone */

/* Reads the deletion vector that a manifest entry points at, in one request, and checks all that the entry, the footer
 * and the bytes say of it against each other (Iceberg spec, "Deletion Vectors"). content_offset, content_size,
 * record_count and referenced_data_file are the entry's. warnings may be NULL; else it receives DV_WARN_* bits. Errors:
 * DV_IO; DV_STATE where the source is freed; DV_INVALID_ARGUMENT for a negative number or an empty name; DV_MISMATCH
 * where the footer has no vector at exactly that offset and length for that data file, or a count differs from
 * record_count; DV_UNSUPPORTED for a blob with a codec; DV_CORRUPT as for dv_puffin_read. */
DV_API dv_status dv_puffin_read_entry(const dv_puffin_t *puffin, int64_t content_offset, int64_t content_size,
                                      int64_t record_count, const char *referenced_data_file, dv_t **out,
                                      uint32_t *warnings);

/* dv_puffin_open and dv_puffin_read_entry in one go: at most three requests, one for a file of up to 64 KiB. For many
 * entries of one file open it once. Errors: those of both. */
DV_API dv_status dv_read(const dv_source_t *source, int64_t content_offset, int64_t content_size, int64_t record_count,
                         const char *referenced_data_file, dv_t **out, uint32_t *warnings);

/* Collects deletes per data file; flush writes one Puffin file with one blob per data file. */
typedef struct dv_writer_t dv_writer_t;

/* Makes an empty writer. partition_specs_json: the table metadata's "partition-specs" array (Iceberg spec, "Partition
 * Specs"). NULL: unpartitioned, spec 0 alone. Errors: DV_INVALID_ARGUMENT where it is no such JSON. */
DV_API dv_status dv_writer_new(const char *partition_specs_json, dv_writer_t **out);

/* Adds deleted positions of a data file, in any order and with duplicates: all, or none on a failure. No positions:
 * no-op. The first add or load of a data file fixes its spec id and partition, and checks them; later ones ignore
 * theirs. partition_json: {"<partition field id>": value} with every field of the spec, null written out, or an array
 * in the spec's order; NULL, {} or [] if unpartitioned. Values (Iceberg spec, "JSON single-value serialization") are
 * copied verbatim. Errors: DV_INVALID_ARGUMENT for an unknown spec id, a partition that does not fit it, or an empty
 * name. */
DV_API dv_status dv_writer_add(dv_writer_t *writer, const char *data_file, const int64_t *positions, size_t count,
                               int32_t spec_id, const char *partition_json);

/* dv_writer_add of the positions of a vector: merges the one that a data file already has. existing is copied. */
DV_API dv_status dv_writer_load(dv_writer_t *writer, const char *data_file, const dv_t *existing, int32_t spec_id,
                                const char *partition_json);

/* Writes all that was added as one Puffin file, in the order in which the data files came, and commits the sink.
 * location: the file's path as the table will know it. entries_json: a JSON array of content files, in the form of the
 * Iceberg REST catalog's ContentFile, one per data file. Nothing added: "[]", and the sink is dropped. After success
 * the writer is empty and can be used again; after failure it still holds everything, and the sink is dropped. Errors:
 * DV_IO; DV_STATE for a sink that is finished or attached; DV_LIMIT, before the first byte is written, for a blob or a
 * footer beyond 2 GiB; DV_INVALID_ARGUMENT for an empty location. */
DV_API dv_status dv_writer_flush(dv_writer_t *writer, dv_sink_t *sink, const char *location, dv_bytes *entries_json);

/* Frees a writer, with all that was added and not flushed. */
DV_API void dv_writer_free(dv_writer_t *writer);

/* -------------------------------------------------------------------- Delta */

typedef struct dv_delta_writer_t dv_delta_writer_t; /* streams deletion vectors into one Delta file */

/* Where a vector is in its file: what a descriptor repeats. */
typedef struct dv_delta_result {
  int64_t cardinality;
  int32_t offset;        /* of the size field, from the start of the file */
  int32_t size_in_bytes; /* of magic and bitmap: the record has 8 bytes more */
} dv_delta_result;

/* Makes a writer of one deletion vector file (Delta protocol, "Deletion Vector File Storage Format") and attaches the
 * sink to it. Errors: DV_STATE for a sink that is finished or attached.
 *
 * A failed write or finalize of the sink ends the writer: further calls are DV_STATE and repeat the cause. A vector
 * that is refused before a byte of it is written (DV_LIMIT) does not. Where the sink is freed first, its writer is
 * DV_STATE. */
DV_API dv_status dv_delta_writer_new(dv_sink_t *sink, dv_delta_writer_t **out);

/* Appends a vector and stores in *out where it is. Errors: DV_IO; DV_STATE where the writer has ended; DV_LIMIT, before
 * anything of that vector is written, where its offset or its size + 8 does not fit int32_t. */
DV_API dv_status dv_delta_writer_write(dv_delta_writer_t *writer, const dv_t *dv, dv_delta_result *out);

/* Commits the file; one without a vector is the version byte alone. Errors: DV_IO; DV_STATE where the writer has
 * ended. */
DV_API dv_status dv_delta_writer_finalize(dv_delta_writer_t *writer);

/* Frees a writer; one that was not finalized drops its file. */
DV_API void dv_delta_writer_free(dv_delta_writer_t *writer);

/* Reads the vector whose record begins at offset of a deletion vector file. offset, size_in_bytes, cardinality: the
 * descriptor's, or DV_UNKNOWN where absent: without an offset it is the first record. What is given is checked, and the
 * file's version byte; zero bytes that some writers put after the bitmap are accepted. Errors: DV_IO; DV_CORRUPT;
 * DV_MISMATCH for another size or cardinality; DV_UNSUPPORTED for another version, or the older form of a vector;
 * DV_INVALID_ARGUMENT for a number that no descriptor has. */
DV_API dv_status dv_delta_read(const dv_source_t *source, int32_t offset, int32_t size_in_bytes, int64_t cardinality,
                               dv_t **out);

/* Encodes a vector inline: Z85 text of magic and bitmap. *size_in_bytes is what the descriptor says: the length before
 * the padding to whole groups. Errors: DV_LIMIT for a vector that fits no record. */
DV_API dv_status dv_delta_inline_encode(const dv_t *dv, dv_bytes *text, int32_t *size_in_bytes);

/* Decodes an inline text of size characters. size_in_bytes, cardinality: the descriptor's, or DV_UNKNOWN. The empty
 * text is the empty vector, where both are given as 0. Errors: DV_CORRUPT; DV_MISMATCH; DV_UNSUPPORTED for an obsolete
 * form. */
DV_API dv_status dv_delta_inline_decode(const char *text, size_t size, int32_t size_in_bytes, int64_t cardinality,
                                        dv_t **out);

/* Descriptors: the deletionVector object of an add or remove action, as JSON (Delta protocol, "Deletion Vector
 * Descriptor Schema"). Unknown members are ignored. Errors of all that take one: DV_INVALID_ARGUMENT where it is no
 * such JSON, or says what cannot be; DV_UNSUPPORTED for another storage type than "u", "p", "r" and "i". */

/* Makes a "u" descriptor for a vector that was written; relative_path is [prefix/]deletion_vector_<uuid>.bin, relative
 * to the table, not URL-encoded. Errors: DV_INVALID_ARGUMENT for a path of another form, or a result that no write
 * gave. */
DV_API dv_status dv_delta_descriptor_new(const char *relative_path, const dv_delta_result *result, dv_bytes *json);

/* Makes an "i" descriptor, which holds the vector. Errors: DV_LIMIT as for dv_delta_inline_encode. */
DV_API dv_status dv_delta_descriptor_inline(const dv_t *dv, dv_bytes *json);

/* Where its file is: relative to the table for "u" and "r", as given for "p", empty for "i". A "u" or "r" that could
 * leave the table's directory is DV_INVALID_ARGUMENT in every function: an absolute path, a "." or ".." segment (also
 * between backslashes), a backslash in front. Symbolic links are the host's business. A "p" may point anywhere: check
 * it where the table's log is not trusted. */
DV_API dv_status dv_delta_descriptor_path(const char *json, dv_bytes *path);

/* The vector's key within a table ("Derived Fields"): storage type, path or inline text, and "@offset" where there is
 * one. */
DV_API dv_status dv_delta_descriptor_unique_id(const char *json, dv_bytes *unique_id);

/* Reads the vector and checks its size and cardinality. source is the file that dv_delta_descriptor_path names, or NULL
 * for "i". Errors: those of dv_delta_read or dv_delta_inline_decode too. */
DV_API dv_status dv_delta_descriptor_read(const dv_source_t *source, const char *json, dv_t **out);

/* ----------------------------------------------------------------- Mumbling */

#define MUMBLING_MAX_CARDINALITY 2097152
#define MUMBLING_MAX_CONTAINERS 8192

typedef struct mumbling_t mumbling_t; /* a read-only Mumbling bitmap, version 1; positions below 2,097,152 */

/* Reads a bitmap of size bytes, which are copied once. It checks version, counts and bounds; descriptors are decoded on
 * first use, once, and a fault found then is DV_CORRUPT from that call and every later one that needs them. Errors:
 * DV_CORRUPT; DV_UNSUPPORTED for another version. */
DV_API dv_status mumbling_read(const uint8_t *data, size_t size, mumbling_t **out);

/* Frees a bitmap, and what mumbling_buffer gave out. */
DV_API void mumbling_free(mumbling_t *bitmap);

/* Checks everything that the format promises: descriptors, order, dense and sparse containers, the end of the bytes,
 * the cardinality. The other functions check what they need. Errors: DV_CORRUPT, with the first fault. */
DV_API dv_status mumbling_validate(const mumbling_t *bitmap);

/* Stores in *out the cardinality that the header states. It is counted by mumbling_validate, mumbling_positions and
 * mumbling_to_dv only. */
DV_API dv_status mumbling_cardinality(const mumbling_t *bitmap, int32_t *out);

/* Stores in *out whether position is set; past the end none is. Errors: DV_INVALID_ARGUMENT for a negative position;
 * DV_CORRUPT. */
DV_API dv_status mumbling_is_set(const mumbling_t *bitmap, int32_t position, bool *out);

/* Sets out[i], of count bytes, to 1 where positions[i] is set, else to 0; any order. Errors: as mumbling_is_set. */
DV_API dv_status mumbling_is_set_many(const mumbling_t *bitmap, const int32_t *positions, size_t count, uint8_t *out);

/* Writes all positions, ascending, to out, and their number to *count. out must hold all: DV_TOO_SMALL sets *count to
 * the capacity needed. Errors: DV_CORRUPT, also where the header states another number. */
DV_API dv_status mumbling_positions(const mumbling_t *bitmap, int32_t *out, size_t capacity, size_t *count);

/* dv_keep_mask of a bitmap; start, length >= 0. Errors: DV_TOO_SMALL; DV_CORRUPT. */
DV_API dv_status mumbling_keep_mask(const mumbling_t *bitmap, int32_t start, int32_t length, uint8_t *out,
                                    size_t out_size);

/* Stores where the bitmap's own bytes are. They live as long as bitmap, and must not be changed. */
DV_API dv_status mumbling_buffer(const mumbling_t *bitmap, const uint8_t **data, size_t *size);

/* Makes a deletion vector of the same positions. Errors: as mumbling_positions. */
DV_API dv_status mumbling_to_dv(const mumbling_t *bitmap, dv_t **out);

/* Encodes a vector as a bitmap, up to its last container that is not empty. Errors: DV_LIMIT if a position does not
 * fit. */
DV_API dv_status mumbling_from_dv(const dv_t *dv, dv_bytes *out);

/* Appendix A of the format, for implementers: the PFOR coding of an array of unsigned bytes. */

/* Encodes count values, byte for byte as Iceberg Java does. */
DV_API dv_status mumbling_pfor_encode(const uint8_t *values, size_t count, dv_bytes *out);

/* Decodes count values from the first bytes of data and stores in *consumed how many those were; what follows them is
 * not looked at. Errors: DV_CORRUPT. */
DV_API dv_status mumbling_pfor_decode(const uint8_t *data, size_t size, uint8_t *values, size_t count,
                                      size_t *consumed);

/* Stores in *out an upper bound of the encoded size of count values, in bytes. */
DV_API dv_status mumbling_pfor_estimate(size_t count, size_t *out);

/* ---------------------------------------------------------------- inspection */

/* Tells what the bytes of a source are and how they are built, as one JSON object; docs/inspect.md explains every
 * member:
 *
 *   format, guessed, size, version, checks, fault {status, message}, footer {offset, size, compressed, created_by},
 *   vectors [{index, offset, size, size_in_bytes, referenced_data_file, declared_cardinality, checks, fault, complete,
 *     cardinality, bounds {first, last}, bitmap_count, empty_bitmaps, bitmaps [{key, cookie, offset, size, cardinality,
 *     containers, array, bitmap, run, offset_header}], bitmaps_omitted, containers {kind: {count, bytes}}, padding,
 *     smallest, canonical, canonical_size}],
 *   vector_count, vectors_omitted, vectors_faulty, vectors_unexamined,
 *   other_blobs [{index, type, compression_codec, offset, size}], other_blobs_omitted, rest {offset, size}
 *
 * All members are always there, in this order, null where they do not apply; later versions may add some. It succeeds
 * on damaged input too, for that is what it is for: fault is null, or the first fault in full, with status the
 * dv_status_name of what a reader would return; checks names what was passed, and what is sound is counted all the
 * same. Of a Puffin file all vectors are examined, of a Delta file the records up to the first faulty one. At most
 * 1,024 vectors and 4,096 bitmaps are listed.
 *
 * format: "puffin", "dv-blob" (a bare deletion-vector-v1 blob), "delta-dv" (a Delta file), "roaring-64" (a bare
 * bitmap), "mumbling"; or NULL or "unknown" to have it guessed, from magics and counts at fixed places. Bytes that are
 * none of them are "unknown", with a fault that says what else they look like. Mumbling has no magic: name the format
 * where it is known. Memory stays within 64 MiB and four times the size of the source.
 * Errors: DV_IO; DV_INVALID_ARGUMENT for any other format. */
DV_API dv_status dv_inspect(const dv_source_t *source, const char *format, dv_bytes *json);

#ifdef __cplusplus
}
#endif
#endif /* LIBDV_DELETION_VECTORS_H */
