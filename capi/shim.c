/*
 * shim.c - every public symbol of libdv. One line each: what must hold before Go is entered, then the Go function.
 *
 * It is C because a child of a fork() must not enter Go, because a call that comes back out of the caller's own
 * callback must be told before it waits for itself, and because cgo's prototypes know no const.
 */
#include "shim.h"

#include "_cgo_export.h"

#include <stdlib.h>

#pragma GCC diagnostic error "-Wall"
#pragma GCC diagnostic error "-Wextra"

#define RAW(pointer) ((void *)(pointer)) /* for cgo: without const and type */

#define REFUSE(status, argument, text) return shim_refuse(status, self, argument, text)

/* Go ends the process where it finds a pointer below its first page, other than NULL, on a stack that it moves. */
#define NO_ADDRESS(p) ((p) != NULL && (uintptr_t)(p) < 4096)

/* What a public function asks of its arguments. */
#define POINTER(p) \
  if ((p) == NULL) REFUSE(DV_INVALID_ARGUMENT, #p, " is NULL");
#define DATA(p, count)                                                                                   \
  if ((p) == NULL && (count) != 0) REFUSE(DV_INVALID_ARGUMENT, #p, " is NULL, but " #count " is not 0"); \
  if ((count) == 0) (p) = NULL; /* what an empty array of another language points at is no address for Go */
#define OPTIONAL(handle)                                                         \
  if (NO_ADDRESS(handle)) REFUSE(DV_INVALID_ARGUMENT, #handle, " is no handle"); \
  if (shim_frames != NULL && shim_in_use(handle))                                \
    REFUSE(DV_STATE, #handle, " is being used by the call whose callback this is");
#define HANDLE(handle) POINTER(handle) OPTIONAL(handle)

/* A public function that can fail. */
#define CALL(name, parameters, checks, go)                                                                       \
  dv_status name parameters {                                                                                    \
    static const char self[] = #name;                                                                            \
    if (shim_forked) REFUSE(DV_FORKED, "this process", " is a fork() child of the one that loaded the library"); \
    checks return go;                                                                                            \
  }

/* A public function that frees a handle. */
#define FREE(name, type, kind)                                       \
  void name(type *handle) {                                          \
    if (handle == NULL || NO_ADDRESS(handle) || shim_forked) return; \
    if (shim_frames != NULL && shim_in_use(handle)) {                \
      godv_free_later(handle, kind);                                 \
    } else {                                                         \
      godv_free(handle, kind);                                       \
    }                                                                \
  }

/* ------------------------------------------------------------------ library */

int32_t dv_abi_version(void) { return DV_ABI_VERSION; }
const char *dv_version(void) { return DV_VERSION; }
const char *dv_last_error(void) { return shim_text(); }
int64_t dv_live_handles(void) { return __atomic_load_n(&shim_live_handles, __ATOMIC_SEQ_CST); }

const char *dv_status_name(dv_status status) {
  static const char *const names[] = {
      "DV_OK", "DV_INVALID_ARGUMENT", "DV_CORRUPT", "DV_MISMATCH",  "DV_UNSUPPORTED", "DV_LIMIT",
      "DV_IO", "DV_TOO_SMALL",        "DV_STATE",   "DV_NO_MEMORY", "DV_FORKED",      "DV_INTERNAL",
  };
  bool known = status >= 0 && (size_t)status < sizeof names / sizeof names[0];
  return known ? names[status] : "DV_UNKNOWN_STATUS";
}

void dv_bytes_free(dv_bytes *bytes) {
  if (bytes == NULL) return;
  free(bytes->data);
  bytes->data = NULL;
  bytes->size = 0;
}

/* clang-format off: it takes the parameters below for expressions. */

/* ---------------------------------------------------------- deletion vector */

CALL(dv_new, (dv_t * *out), POINTER(out), godv_new(RAW(out)))
CALL(dv_copy, (const dv_t *dv, dv_t **out), HANDLE(dv) POINTER(out), godv_copy(RAW(dv), RAW(out)))
FREE(dv_free, dv_t, SHIM_VECTOR)

CALL(dv_set, (dv_t * dv, int64_t position), HANDLE(dv), godv_set(dv, position))
CALL(dv_set_many, (dv_t * dv, const int64_t *positions, size_t count), HANDLE(dv) DATA(positions, count),
     godv_set_many(dv, RAW(positions), count))
CALL(dv_set_range, (dv_t * dv, int64_t start, int64_t end), HANDLE(dv), godv_set_range(dv, start, end))
CALL(dv_or, (dv_t * dv, const dv_t *other), HANDLE(dv) OPTIONAL(other), godv_or(dv, RAW(other)))
CALL(dv_andnot, (dv_t * dv, const dv_t *other), HANDLE(dv) OPTIONAL(other), godv_andnot(dv, RAW(other)))
CALL(dv_run_length_encode, (dv_t * dv), HANDLE(dv), godv_run_length_encode(dv))

CALL(dv_contains, (const dv_t *dv, int64_t position, bool *out), HANDLE(dv) POINTER(out),
     godv_contains(RAW(dv), position, out))
CALL(dv_contains_many, (const dv_t *dv, const int64_t *positions, size_t count, uint8_t *out),
     HANDLE(dv) DATA(positions, count) DATA(out, count), godv_contains_many(RAW(dv), RAW(positions), count, out))
CALL(dv_cardinality, (const dv_t *dv, int64_t *out), HANDLE(dv) POINTER(out), godv_cardinality(RAW(dv), out))
CALL(dv_count, (const dv_t *dv, int64_t start, int64_t end, int64_t *out), HANDLE(dv) POINTER(out),
     godv_count(RAW(dv), start, end, out))
CALL(dv_is_empty, (const dv_t *dv, bool *out), HANDLE(dv) POINTER(out), godv_is_empty(RAW(dv), out))
CALL(dv_equals, (const dv_t *a, const dv_t *b, bool *out), HANDLE(a) HANDLE(b) POINTER(out),
     godv_equals(RAW(a), RAW(b), out))

CALL(dv_positions, (const dv_t *dv, int64_t start, int64_t end, int64_t *out, size_t capacity, size_t *count),
     HANDLE(dv) DATA(out, capacity) POINTER(count), godv_positions(RAW(dv), start, end, out, capacity, count))
CALL(dv_keep_mask, (const dv_t *dv, int64_t start, int64_t length, uint8_t *out, size_t out_size),
     HANDLE(dv) DATA(out, out_size), godv_keep_mask(RAW(dv), start, length, out, out_size))
CALL(dv_delete_mask, (const dv_t *dv, int64_t start, int64_t length, uint8_t *out, size_t out_size),
     HANDLE(dv) DATA(out, out_size), godv_delete_mask(RAW(dv), start, length, out, out_size))
CALL(dv_keep_bytes, (const dv_t *dv, int64_t start, int64_t length, uint8_t *out, size_t out_size),
     HANDLE(dv) DATA(out, out_size), godv_keep_bytes(RAW(dv), start, length, out, out_size))
CALL(dv_keep_indices, (const dv_t *dv, int64_t start, int64_t length, uint32_t *out, size_t capacity, size_t *count),
     HANDLE(dv) DATA(out, capacity) POINTER(count), godv_keep_indices(RAW(dv), start, length, out, capacity, count))

/* ---------------------------------------------------------- sources, sinks */

CALL(dv_source_memory, (const uint8_t *data, size_t size, dv_source_t **out), DATA(data, size) POINTER(out),
     godv_source_memory(RAW(data), size, RAW(out)))
CALL(dv_source_path, (const char *path, dv_source_t **out), POINTER(path) POINTER(out),
     godv_source_path(RAW(path), RAW(out)))
CALL(dv_source_callbacks, (void *context, int64_t size, dv_read_at_fn read_at, dv_source_t **out),
     POINTER(read_at) POINTER(out), godv_source_callbacks((uintptr_t)context, size, read_at, RAW(out)))
FREE(dv_source_free, dv_source_t, SHIM_SOURCE)

CALL(dv_sink_memory, (dv_sink_t * *out), POINTER(out), godv_sink_memory(RAW(out)))
CALL(dv_sink_take, (dv_sink_t * sink, dv_bytes *out), HANDLE(sink) POINTER(out), godv_sink_take(sink, out))
CALL(dv_sink_path, (const char *path, dv_sink_t **out), POINTER(path) POINTER(out), godv_sink_path(RAW(path), RAW(out)))
CALL(dv_sink_callbacks, (void *context, dv_write_fn write, dv_finish_fn finish, dv_sink_t **out),
     POINTER(write) POINTER(finish) POINTER(out), godv_sink_callbacks((uintptr_t)context, write, finish, RAW(out)))
FREE(dv_sink_free, dv_sink_t, SHIM_SINK)

/* ------------------------------------------------------------ bitmap codecs */

CALL(dv_serialize, (const dv_t *dv, dv_bytes *out), HANDLE(dv) POINTER(out), godv_serialize(RAW(dv), out))
CALL(dv_deserialize, (const uint8_t *data, size_t size, int64_t expected_cardinality, dv_t **out),
     DATA(data, size) POINTER(out), godv_deserialize(RAW(data), size, expected_cardinality, RAW(out)))
CALL(dv_view, (const uint8_t *data, size_t size, int64_t expected_cardinality, dv_t **out),
     DATA(data, size) POINTER(out), godv_view(RAW(data), size, expected_cardinality, RAW(out)))
CALL(dv_blob_keep_mask,
     (const uint8_t *data, size_t size, int64_t expected_cardinality, int64_t start, int64_t length, uint8_t *out,
      size_t out_size),
     DATA(data, size) DATA(out, out_size),
     godv_blob_keep_mask(RAW(data), size, expected_cardinality, start, length, out, out_size))
CALL(dv_blob_positions,
     (const uint8_t *data, size_t size, int64_t expected_cardinality, int64_t *out, size_t capacity, size_t *count),
     DATA(data, size) DATA(out, capacity) POINTER(count),
     godv_blob_positions(RAW(data), size, expected_cardinality, out, capacity, count))
CALL(dv_blob_from_positions, (const int64_t *positions, size_t count, dv_bytes *out),
     DATA(positions, count) POINTER(out), godv_blob_from_positions(RAW(positions), count, out))
CALL(dv_read_range, (const dv_source_t *source, int64_t offset, int64_t size, int64_t expected_cardinality, dv_t **out),
     HANDLE(source) POINTER(out), godv_read_range(RAW(source), offset, size, expected_cardinality, RAW(out)))
CALL(dv_serialize_bitmap, (const dv_t *dv, dv_bytes *out), HANDLE(dv) POINTER(out), godv_serialize_bitmap(RAW(dv), out))
CALL(dv_deserialize_bitmap, (const uint8_t *data, size_t size, dv_t **out), DATA(data, size) POINTER(out),
     godv_deserialize_bitmap(RAW(data), size, RAW(out)))

/* ------------------------------------------------------------------- Puffin */

CALL(dv_puffin_open, (const dv_source_t *source, dv_puffin_t **out), HANDLE(source) POINTER(out),
     godv_puffin_open(RAW(source), RAW(out)))
CALL(dv_puffin_count, (const dv_puffin_t *puffin, size_t *out), HANDLE(puffin) POINTER(out),
     godv_puffin_count(RAW(puffin), out))
CALL(dv_puffin_blob_at, (const dv_puffin_t *puffin, size_t index, const dv_puffin_blob **out),
     HANDLE(puffin) POINTER(out), godv_puffin_blob_at(RAW(puffin), index, RAW(out)))
CALL(dv_puffin_footer_json, (const dv_puffin_t *puffin, dv_bytes *out), HANDLE(puffin) POINTER(out),
     godv_puffin_footer_json(RAW(puffin), out))
CALL(dv_puffin_read, (const dv_puffin_t *puffin, size_t index, dv_t **out), HANDLE(puffin) POINTER(out),
     godv_puffin_read(RAW(puffin), index, RAW(out)))
CALL(dv_puffin_keep_masks,
     (const dv_puffin_t *puffin, const size_t *indices, const int64_t *lengths, size_t count, uint8_t *out,
      size_t out_size),
     HANDLE(puffin) DATA(lengths, count) DATA(out, out_size) if (count == 0) indices = NULL;
     , godv_puffin_keep_masks(RAW(puffin), RAW(indices), RAW(lengths), count, out, out_size))
FREE(dv_puffin_free, dv_puffin_t, SHIM_PUFFIN)

CALL(dv_puffin_read_entry,
     (const dv_puffin_t *puffin, int64_t content_offset, int64_t content_size, int64_t record_count,
      const char *referenced_data_file, dv_t **out, uint32_t *warnings),
     HANDLE(puffin) POINTER(referenced_data_file) POINTER(out),
     godv_puffin_read_entry(RAW(puffin), content_offset, content_size, record_count, RAW(referenced_data_file),
                            RAW(out), warnings))
CALL(dv_read,
     (const dv_source_t *source, int64_t content_offset, int64_t content_size, int64_t record_count,
      const char *referenced_data_file, dv_t **out, uint32_t *warnings),
     HANDLE(source) POINTER(referenced_data_file) POINTER(out),
     godv_read(RAW(source), content_offset, content_size, record_count, RAW(referenced_data_file), RAW(out), warnings))

CALL(dv_writer_new, (const char *partition_specs_json, dv_writer_t **out), POINTER(out),
     godv_writer_new(RAW(partition_specs_json), RAW(out)))
CALL(dv_writer_add,
     (dv_writer_t * writer, const char *data_file, const int64_t *positions, size_t count, int32_t spec_id,
      const char *partition_json),
     HANDLE(writer) POINTER(data_file) DATA(positions, count),
     godv_writer_add(writer, RAW(data_file), RAW(positions), count, spec_id, RAW(partition_json)))
CALL(dv_writer_load,
     (dv_writer_t * writer, const char *data_file, const dv_t *existing, int32_t spec_id, const char *partition_json),
     HANDLE(writer) POINTER(data_file) HANDLE(existing),
     godv_writer_load(writer, RAW(data_file), RAW(existing), spec_id, RAW(partition_json)))
CALL(dv_writer_flush, (dv_writer_t * writer, dv_sink_t *sink, const char *location, dv_bytes *entries_json),
     HANDLE(writer) HANDLE(sink) POINTER(location) POINTER(entries_json),
     godv_writer_flush(writer, sink, RAW(location), entries_json))
FREE(dv_writer_free, dv_writer_t, SHIM_WRITER)

/* -------------------------------------------------------------------- Delta */

CALL(dv_delta_writer_new, (dv_sink_t * sink, dv_delta_writer_t **out), HANDLE(sink) POINTER(out),
     godv_delta_writer_new(sink, RAW(out)))
CALL(dv_delta_writer_write, (dv_delta_writer_t * writer, const dv_t *dv, dv_delta_result *out),
     HANDLE(writer) HANDLE(dv) POINTER(out), godv_delta_writer_write(writer, RAW(dv), out))
CALL(dv_delta_writer_finalize, (dv_delta_writer_t * writer), HANDLE(writer), godv_delta_writer_finalize(writer))
FREE(dv_delta_writer_free, dv_delta_writer_t, SHIM_DELTA_WRITER)

CALL(dv_delta_read, (const dv_source_t *source, int32_t offset, int32_t size_in_bytes, int64_t cardinality, dv_t **out),
     HANDLE(source) POINTER(out), godv_delta_read(RAW(source), offset, size_in_bytes, cardinality, RAW(out)))
CALL(dv_delta_inline_encode, (const dv_t *dv, dv_bytes *text, int32_t *size_in_bytes),
     HANDLE(dv) POINTER(text) POINTER(size_in_bytes), godv_delta_inline_encode(RAW(dv), text, size_in_bytes))
CALL(dv_delta_inline_decode, (const char *text, size_t size, int32_t size_in_bytes, int64_t cardinality, dv_t **out),
     DATA(text, size) POINTER(out), godv_delta_inline_decode(RAW(text), size, size_in_bytes, cardinality, RAW(out)))

CALL(dv_delta_descriptor_new, (const char *relative_path, const dv_delta_result *result, dv_bytes *json),
     POINTER(relative_path) POINTER(result) POINTER(json),
     godv_delta_descriptor_new(RAW(relative_path), RAW(result), json))
CALL(dv_delta_descriptor_inline, (const dv_t *dv, dv_bytes *json), HANDLE(dv) POINTER(json),
     godv_delta_descriptor_inline(RAW(dv), json))
CALL(dv_delta_descriptor_path, (const char *json, dv_bytes *path), POINTER(json) POINTER(path),
     godv_delta_descriptor_path(RAW(json), path))
CALL(dv_delta_descriptor_unique_id, (const char *json, dv_bytes *unique_id), POINTER(json) POINTER(unique_id),
     godv_delta_descriptor_unique_id(RAW(json), unique_id))
CALL(dv_delta_descriptor_read, (const dv_source_t *source, const char *json, dv_t **out),
     OPTIONAL(source) POINTER(json) POINTER(out), godv_delta_descriptor_read(RAW(source), RAW(json), RAW(out)))

/* ----------------------------------------------------------------- Mumbling */

CALL(mumbling_read, (const uint8_t *data, size_t size, mumbling_t **out), DATA(data, size) POINTER(out),
     gomumbling_read(RAW(data), size, RAW(out)))
FREE(mumbling_free, mumbling_t, SHIM_MUMBLING)
CALL(mumbling_validate, (const mumbling_t *bitmap), HANDLE(bitmap), gomumbling_validate(RAW(bitmap)))
CALL(mumbling_cardinality, (const mumbling_t *bitmap, int32_t *out), HANDLE(bitmap) POINTER(out),
     gomumbling_cardinality(RAW(bitmap), out))
CALL(mumbling_is_set, (const mumbling_t *bitmap, int32_t position, bool *out), HANDLE(bitmap) POINTER(out),
     gomumbling_is_set(RAW(bitmap), position, out))
CALL(mumbling_is_set_many, (const mumbling_t *bitmap, const int32_t *positions, size_t count, uint8_t *out),
     HANDLE(bitmap) DATA(positions, count) DATA(out, count),
     gomumbling_is_set_many(RAW(bitmap), RAW(positions), count, out))
CALL(mumbling_positions, (const mumbling_t *bitmap, int32_t *out, size_t capacity, size_t *count),
     HANDLE(bitmap) DATA(out, capacity) POINTER(count), gomumbling_positions(RAW(bitmap), out, capacity, count))
CALL(mumbling_keep_mask, (const mumbling_t *bitmap, int32_t start, int32_t length, uint8_t *out, size_t out_size),
     HANDLE(bitmap) DATA(out, out_size), gomumbling_keep_mask(RAW(bitmap), start, length, out, out_size))
CALL(mumbling_buffer, (const mumbling_t *bitmap, const uint8_t **data, size_t *size),
     HANDLE(bitmap) POINTER(data) POINTER(size), gomumbling_buffer(RAW(bitmap), RAW(data), size))
CALL(mumbling_to_dv, (const mumbling_t *bitmap, dv_t **out), HANDLE(bitmap) POINTER(out),
     gomumbling_to_dv(RAW(bitmap), RAW(out)))
CALL(mumbling_from_dv, (const dv_t *dv, dv_bytes *out), HANDLE(dv) POINTER(out), gomumbling_from_dv(RAW(dv), out))

CALL(mumbling_pfor_encode, (const uint8_t *values, size_t count, dv_bytes *out), DATA(values, count) POINTER(out),
     gomumbling_pfor_encode(RAW(values), count, out))
CALL(mumbling_pfor_decode, (const uint8_t *data, size_t size, uint8_t *values, size_t count, size_t *consumed),
     DATA(data, size) DATA(values, count) POINTER(consumed),
     gomumbling_pfor_decode(RAW(data), size, values, count, consumed))
CALL(mumbling_pfor_estimate, (size_t count, size_t *out), POINTER(out), gomumbling_pfor_estimate(count, out))

/* --------------------------------------------------------------- inspection */

CALL(dv_inspect, (const dv_source_t *source, const char *format, dv_bytes *json), HANDLE(source) POINTER(json),
     godv_inspect(RAW(source), RAW(format), json))

/* clang-format on */
