/*
 * dv.h - deletion vectors for data lakes, as a C library.
 *
 * THE CONTRACT. include/dv.h in the project must declare everything below, with these names, types and
 * meanings; it may say more and add functions. Acceptance programs are compiled against these names.
 *
 * Conventions
 *   - Functions return dv_status; DV_OK is 0, later versions may add numbers. On failure handles, structs and scalars
 *     are untouched and dv_last_error() holds one line of text for this thread, until its next failing call; the contents
 *     of output buffers are then unspecified. DV_TOO_SMALL alone sets *count, to the number of elements needed.
 *   - Positions are 0-based row numbers in a data file, int64_t, 0 <= position <= DV_MAX_POSITION.
 *   - Ranges are half-open, [start, end), start >= 0. Changing calls: end <= DV_MAX_POSITION + 1; empty or inverted: no-op.
 *     Reading calls: any end (INT64_MAX: all); empty or inverted: nothing. start + length must fit int64_t. A buffer may be
 *     larger than needed; the rest is untouched.
 *   - A data pointer may be NULL where its count or size is 0. Any other NULL, or a handle of another kind, is
 *     DV_INVALID_ARGUMENT unless said otherwise. One handle may be passed twice to a call.
 *   - Strings are NUL-terminated UTF-8 and are copied; file system paths are taken byte for byte. A dv_bytes filled by a
 *     successful call has data[size] == 0 and belongs to the caller, who frees it with dv_bytes_free.
 *   - Vectors read from a source, and copies, own their bytes; only dv_view and dv_source_memory borrow.
 *   - *_free(NULL) does nothing. *_free waits for calls on that handle in other threads: after it, what it borrowed may go.
 *     Inside the object's own callback it takes effect when the outer call returns. Handles may be freed in any order: an
 *     object whose source or sink is gone answers DV_STATE. A handle used after free is usually DV_INVALID_ARGUMENT, never a
 *     crash. In a fork()ed child frees do nothing (dv_bytes_free works).
 *   - Any number of threads may read one handle at a time. Changing calls exclude each other and readers: a race never
 *     harms the process. No call panics, aborts or hangs the host, whatever bytes it is given.
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

#define DV_VERSION "0.1.0" /* of this header; dv_version() is the library's */
#define DV_ABI_VERSION 1 /* raised by an incompatible change; a binding compares it with dv_abi_version() on loading */
#define DV_MAGIC UINT32_C(0x6439D3D1)                /* of Iceberg and Delta vectors, little endian: d1 d3 39 64 */
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

DV_API int32_t dv_abi_version(void);
DV_API const char *dv_version(void);                 /* "MAJOR.MINOR.PATCH", static */
DV_API const char *dv_status_name(dv_status status); /* "DV_CORRUPT", static; "DV_UNKNOWN_STATUS" for other numbers */
DV_API const char *dv_last_error(void);              /* this thread's last failure, "" if none */
DV_API int64_t dv_live_handles(void);                /* handles made and not yet freed, of every kind: for leak tests */

typedef struct dv_bytes {
  uint8_t *data;
  size_t size;
} dv_bytes;

DV_API void dv_bytes_free(dv_bytes *bytes); /* frees data and clears *bytes; NULL and {NULL, 0} are fine */

/* ---------------------------------------------------------- deletion vector */

typedef struct dv_t dv_t; /* a set of 64-bit positions */

DV_API dv_status dv_new(dv_t **out);
DV_API dv_status dv_copy(const dv_t *dv, dv_t **out);
DV_API void dv_free(dv_t *dv);

/* set_many: any order, duplicates fine, all or nothing. or, andnot: other NULL is a no-op. */
DV_API dv_status dv_set(dv_t *dv, int64_t position);
DV_API dv_status dv_set_many(dv_t *dv, const int64_t *positions, size_t count);
DV_API dv_status dv_set_range(dv_t *dv, int64_t start, int64_t end);
DV_API dv_status dv_or(dv_t *dv, const dv_t *other);
DV_API dv_status dv_andnot(dv_t *dv, const dv_t *other);
DV_API dv_status dv_run_length_encode(dv_t *dv);

/* contains_many: count bytes, 0 or 1. count: deleted rows in the range. equals: the same positions, however encoded. */
DV_API dv_status dv_contains(const dv_t *dv, int64_t position, bool *out);
DV_API dv_status dv_contains_many(const dv_t *dv, const int64_t *positions, size_t count, uint8_t *out);
DV_API dv_status dv_cardinality(const dv_t *dv, int64_t *out);
DV_API dv_status dv_count(const dv_t *dv, int64_t start, int64_t end, int64_t *out);
DV_API dv_status dv_is_empty(const dv_t *dv, bool *out);
DV_API dv_status dv_equals(const dv_t *a, const dv_t *b, bool *out);

/* Deleted positions in [start, end), ascending, at most capacity of them. *count < capacity: there are no more.
 * To page, go on from the last position + 1. */
DV_API dv_status dv_positions(const dv_t *dv, int64_t start, int64_t end, int64_t *out, size_t capacity, size_t *count);

/* What a scan filters with, for the length rows from start on.
 *   keep_mask:    (length + 7) / 8 bytes, bit i (LSB first, as in an Arrow Boolean buffer) 1 iff row start + i is kept;
 *                 bits past length are 0.
 *   delete_mask:  the same with 1 for deleted.
 *   keep_bytes:   length bytes, 1 iff kept (a NumPy bool array, a Parquet reader's byte mask).
 *   keep_indices: i of every kept row, ascending (a selection vector); length <= 2^32; must hold all. */
DV_API dv_status dv_keep_mask(const dv_t *dv, int64_t start, int64_t length, uint8_t *out, size_t out_size);
DV_API dv_status dv_delete_mask(const dv_t *dv, int64_t start, int64_t length, uint8_t *out, size_t out_size);
DV_API dv_status dv_keep_bytes(const dv_t *dv, int64_t start, int64_t length, uint8_t *out, size_t out_size);
DV_API dv_status dv_keep_indices(const dv_t *dv, int64_t start, int64_t length, uint32_t *out, size_t capacity,
                                 size_t *count);

/* ---------------------------------------------------------- sources, sinks */

typedef struct dv_source_t dv_source_t; /* random-access bytes to read from */
typedef struct dv_sink_t dv_sink_t;     /* where one file goes */

/* Callbacks run inside the call, on the calling thread; threads that read one source at once call read_at at once. They must
 * return: no exception, longjmp or thread exit may leave them.
 *   read_at: like pread, the bytes read; fewer than size: the rest is asked for again; 0: end; negative: failure (DV_IO).
 *   write:   0 when all of size is taken, else failure (DV_IO).
 *   finish:  success: commit the file, non-zero is DV_IO; else: drop it. */
typedef int64_t (*dv_read_at_fn)(void *context, int64_t offset, uint8_t *buffer, size_t size);
typedef int32_t (*dv_write_fn)(void *context, const uint8_t *data, size_t size);
typedef int32_t (*dv_finish_fn)(void *context, bool success);

DV_API dv_status dv_source_memory(const uint8_t *data, size_t size, dv_source_t **out); /* borrowed until freed */
DV_API dv_status dv_source_path(const char *path, dv_source_t **out);
DV_API dv_status dv_source_callbacks(void *context, int64_t size, dv_read_at_fn read_at, dv_source_t **out);
DV_API void dv_source_free(dv_source_t *source);

/* A sink serves one file. A successful dv_writer_flush or dv_delta_writer_finalize commits it; their failure, a failed write, or
 * freeing an unfinished sink or its delta writer drops it. Once it is attached, finish runs exactly once, before that call
 * returns. A committed or dropped sink, or one attached to another writer, is DV_STATE. Where nothing was added, flush drops it.
 *   path: the file appears whole or not at all; an existing one is DV_IO, tested atomically at commit.
 *   take: the committed bytes of a memory sink, once; else DV_STATE. */
DV_API dv_status dv_sink_memory(dv_sink_t **out);
DV_API dv_status dv_sink_take(dv_sink_t *sink, dv_bytes *out);
DV_API dv_status dv_sink_path(const char *path, dv_sink_t **out);
DV_API dv_status dv_sink_callbacks(void *context, dv_write_fn write, dv_finish_fn finish, dv_sink_t **out);
DV_API void dv_sink_free(dv_sink_t *sink);

/* ------------------------------------------------------------ bitmap codecs */

/* The Iceberg v3 deletion-vector-v1 blob: length, magic, bitmap, CRC-32. expected_cardinality: DV_UNKNOWN or >= 0.
 * serialize: the bytes depend on the positions alone: every container in its smallest form (a run container only where
 * strictly smaller), no empty bitmaps; the writers below emit the same. view reads like deserialize but borrows data, which
 * must stay unchanged until dv_free; it becomes an ordinary vector when it is first changed. */
DV_API dv_status dv_serialize(const dv_t *dv, dv_bytes *out);
DV_API dv_status dv_deserialize(const uint8_t *data, size_t size, int64_t expected_cardinality, dv_t **out);
DV_API dv_status dv_view(const uint8_t *data, size_t size, int64_t expected_cardinality, dv_t **out);

/* Straight from a blob to what a scan needs: one call, no handle. Checked like dv_deserialize. positions must hold all. */
DV_API dv_status dv_blob_keep_mask(const uint8_t *data, size_t size, int64_t expected_cardinality, int64_t start,
                                   int64_t length, uint8_t *out, size_t out_size);
DV_API dv_status dv_blob_positions(const uint8_t *data, size_t size, int64_t expected_cardinality, int64_t *out,
                                   size_t capacity, size_t *count);

/* The same blob out of a source, by range alone: no container is needed around it. dv_read is the checked way through
 * a Puffin file. */
DV_API dv_status dv_read_range(const dv_source_t *source, int64_t offset, int64_t size, int64_t expected_cardinality,
                               dv_t **out);

/* The bare 64-bit roaring bitmap in the portable format: count, then key and 32-bit bitmap, ascending. Containers are
 * written as they stand: dv_run_length_encode first for the smallest. */
DV_API dv_status dv_serialize_bitmap(const dv_t *dv, dv_bytes *out);
DV_API dv_status dv_deserialize_bitmap(const uint8_t *data, size_t size, dv_t **out);

/* ------------------------------------------------------------------- Puffin */

typedef struct dv_puffin_t dv_puffin_t; /* an opened Puffin file: its footer, checked; reads from its source */

typedef struct dv_puffin_blob { /* later versions may append members */
  const char *type;                 /* "deletion-vector-v1", ... */
  const char *compression_codec;    /* NULL: none */
  const char *referenced_data_file; /* NULL: absent */
  int64_t cardinality;              /* the property; DV_UNKNOWN: absent */
  int64_t offset;
  int64_t length;
  int64_t snapshot_id;
  int64_t sequence_number;
} dv_puffin_blob;

DV_API dv_status dv_puffin_open(const dv_source_t *source, dv_puffin_t **out);
DV_API dv_status dv_puffin_count(const dv_puffin_t *puffin, size_t *out);
DV_API dv_status dv_puffin_blob_at(const dv_puffin_t *puffin, size_t index, const dv_puffin_blob **out); /* lives as puffin */
DV_API dv_status dv_puffin_footer_json(const dv_puffin_t *puffin, dv_bytes *out); /* the payload, decompressed */
DV_API dv_status dv_puffin_read(const dv_puffin_t *puffin, size_t index, dv_t **out);
DV_API void dv_puffin_free(dv_puffin_t *puffin);

#define DV_WARN_NO_CARDINALITY 1u /* the blob lacks its cardinality property; record_count was used alone */

/* The deletion vector that a manifest entry points at, cross-checked against the entry and the footer; read_entry on an
 * opened file, dv_read in one go. warnings may be NULL; else it receives DV_WARN_* bits. */
DV_API dv_status dv_puffin_read_entry(const dv_puffin_t *puffin, int64_t content_offset, int64_t content_size,
                                      int64_t record_count, const char *referenced_data_file, dv_t **out,
                                      uint32_t *warnings);
DV_API dv_status dv_read(const dv_source_t *source, int64_t content_offset, int64_t content_size, int64_t record_count,
                         const char *referenced_data_file, dv_t **out, uint32_t *warnings);

/* Collects deletes per data file; flush writes one Puffin file with one blob per data file. */
typedef struct dv_writer_t dv_writer_t;

/* partition_specs_json: the table metadata's "partition-specs" array. NULL: unpartitioned, spec 0 alone. */
DV_API dv_status dv_writer_new(const char *partition_specs_json, dv_writer_t **out);
/* partition_json: {"<partition field id>": value} with every field of the spec, null written out, or an array in the spec's
 * order; NULL, {} or [] if unpartitioned. Values (Iceberg's single-value JSON) are copied verbatim. Spec id and partition are
 * checked by the first add or load of a data file and ignored later. No positions, or an empty vector: no-op. */
DV_API dv_status dv_writer_add(dv_writer_t *writer, const char *data_file, const int64_t *positions, size_t count,
                               int32_t spec_id, const char *partition_json);
DV_API dv_status dv_writer_load(dv_writer_t *writer, const char *data_file, const dv_t *existing, int32_t spec_id,
                                const char *partition_json);
/* location: the file's path as the table will know it. entries_json: a JSON array of content files, in the form of
 * the Iceberg REST catalog's ContentFile. Nothing added: "[]", and nothing is written. After success the writer is
 * empty and can be used again; after failure it still holds everything. */
DV_API dv_status dv_writer_flush(dv_writer_t *writer, dv_sink_t *sink, const char *location, dv_bytes *entries_json);
DV_API void dv_writer_free(dv_writer_t *writer);

/* -------------------------------------------------------------------- Delta */

typedef struct dv_delta_writer_t dv_delta_writer_t; /* streams deletion vectors into one Delta file */

typedef struct dv_delta_result {
  int64_t cardinality;
  int32_t offset; /* of the size field, from the start of the file */
  int32_t size_in_bytes;
} dv_delta_result;

/* A failed write or finalize of the sink ends the writer: further calls are DV_STATE and repeat the cause. A vector that is
 * refused before a byte of it is written (DV_LIMIT) does not. */
DV_API dv_status dv_delta_writer_new(dv_sink_t *sink, dv_delta_writer_t **out);
DV_API dv_status dv_delta_writer_write(dv_delta_writer_t *writer, const dv_t *dv, dv_delta_result *out);
DV_API dv_status dv_delta_writer_finalize(dv_delta_writer_t *writer);
DV_API void dv_delta_writer_free(dv_delta_writer_t *writer);

/* offset, size_in_bytes, cardinality: the descriptor's, or DV_UNKNOWN where absent. */
DV_API dv_status dv_delta_read(const dv_source_t *source, int32_t offset, int32_t size_in_bytes, int64_t cardinality,
                               dv_t **out);
/* Inline: Z85 text of magic and bitmap. size_in_bytes: the descriptor's, or DV_UNKNOWN. */
DV_API dv_status dv_delta_inline_encode(const dv_t *dv, dv_bytes *text, int32_t *size_in_bytes);
DV_API dv_status dv_delta_inline_decode(const char *text, size_t size, int32_t size_in_bytes, int64_t cardinality,
                                        dv_t **out);

/* Descriptors: the deletionVector object of an add or remove action, as JSON; unknown members are ignored.
 *   new:       a "u" descriptor; relative_path is [prefix/]deletion_vector_<uuid>.bin, relative to the table.
 *   inline:    an "i" descriptor.
 *   path:      where its file is: relative to the table for "u" and "r", as given for "p", empty for "i".
 *   unique_id: storage type, path or inline text, and "@offset" where there is one.
 *   read:      source is that file, or NULL for "i"; size and cardinality are checked. */
DV_API dv_status dv_delta_descriptor_new(const char *relative_path, const dv_delta_result *result, dv_bytes *json);
DV_API dv_status dv_delta_descriptor_inline(const dv_t *dv, dv_bytes *json);
DV_API dv_status dv_delta_descriptor_path(const char *json, dv_bytes *path);
DV_API dv_status dv_delta_descriptor_unique_id(const char *json, dv_bytes *unique_id);
DV_API dv_status dv_delta_descriptor_read(const dv_source_t *source, const char *json, dv_t **out);

/* ----------------------------------------------------------------- Mumbling */

#define MUMBLING_MAX_CARDINALITY 2097152
#define MUMBLING_MAX_CONTAINERS 8192

typedef struct mumbling_t mumbling_t; /* a read-only Mumbling bitmap, version 1; positions below 2,097,152 */

/* read checks version, counts and bounds and copies data once; descriptors are decoded on first use, once, and a fault found
 * then is DV_CORRUPT from that call and every later one that needs them. positions and to_dv also compare the count with the
 * header; validate checks everything that the format promises.
 * is_set: past the end false, negative DV_INVALID_ARGUMENT. positions must hold all. buffer lives as long as bitmap. */
DV_API dv_status mumbling_read(const uint8_t *data, size_t size, mumbling_t **out);
DV_API void mumbling_free(mumbling_t *bitmap);
DV_API dv_status mumbling_validate(const mumbling_t *bitmap);
DV_API dv_status mumbling_cardinality(const mumbling_t *bitmap, int32_t *out);
DV_API dv_status mumbling_is_set(const mumbling_t *bitmap, int32_t position, bool *out);
DV_API dv_status mumbling_is_set_many(const mumbling_t *bitmap, const int32_t *positions, size_t count, uint8_t *out);
DV_API dv_status mumbling_positions(const mumbling_t *bitmap, int32_t *out, size_t capacity, size_t *count);
DV_API dv_status mumbling_keep_mask(const mumbling_t *bitmap, int32_t start, int32_t length, uint8_t *out,
                                    size_t out_size);
DV_API dv_status mumbling_buffer(const mumbling_t *bitmap, const uint8_t **data, size_t *size);
DV_API dv_status mumbling_to_dv(const mumbling_t *bitmap, dv_t **out);
DV_API dv_status mumbling_from_dv(const dv_t *dv, dv_bytes *out); /* DV_LIMIT if a position does not fit */

/* Appendix A of the format, for implementers: the PFOR coding of an array of unsigned bytes. estimate: an upper bound of the
 * encoded size, in bytes. */
DV_API dv_status mumbling_pfor_encode(const uint8_t *values, size_t count, dv_bytes *out);
DV_API dv_status mumbling_pfor_decode(const uint8_t *data, size_t size, uint8_t *values, size_t count, size_t *consumed);
DV_API dv_status mumbling_pfor_estimate(size_t count, size_t *out);

#ifdef __cplusplus
}
#endif
#endif /* LIBDV_DELETION_VECTORS_H */
