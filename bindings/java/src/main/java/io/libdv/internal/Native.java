package io.libdv.internal;

import java.lang.invoke.MethodHandle;

/**
 * One method handle for each function of {@code include/dv.h}, under the function's name.
 *
 * <p>The handles are static and final, so that calls through them compile to plain calls. None is
 * linked as {@code critical}: a call may take long, and a critical call holds up every garbage
 * collection of the process.
 */
public final class Native {
  /** {@code dv_abi_version}. */
  public static final MethodHandle DV_ABI_VERSION =
      NativeLibrary.CURRENT.function("dv_abi_version");

  /** {@code dv_version}. */
  public static final MethodHandle DV_VERSION = NativeLibrary.CURRENT.function("dv_version");

  /** {@code dv_status_name}. */
  public static final MethodHandle DV_STATUS_NAME =
      NativeLibrary.CURRENT.function("dv_status_name");

  /** {@code dv_last_error}. */
  public static final MethodHandle DV_LAST_ERROR = NativeLibrary.CURRENT.function("dv_last_error");

  /** {@code dv_live_handles}. */
  public static final MethodHandle DV_LIVE_HANDLES =
      NativeLibrary.CURRENT.function("dv_live_handles");

  /** {@code dv_bytes_free}. */
  public static final MethodHandle DV_BYTES_FREE = NativeLibrary.CURRENT.function("dv_bytes_free");

  /** {@code dv_new}. */
  public static final MethodHandle DV_NEW = NativeLibrary.CURRENT.function("dv_new");

  /** {@code dv_copy}. */
  public static final MethodHandle DV_COPY = NativeLibrary.CURRENT.function("dv_copy");

  /** {@code dv_free}. */
  public static final MethodHandle DV_FREE = NativeLibrary.CURRENT.function("dv_free");

  /** {@code dv_set}. */
  public static final MethodHandle DV_SET = NativeLibrary.CURRENT.function("dv_set");

  /** {@code dv_set_many}. */
  public static final MethodHandle DV_SET_MANY = NativeLibrary.CURRENT.function("dv_set_many");

  /** {@code dv_set_range}. */
  public static final MethodHandle DV_SET_RANGE = NativeLibrary.CURRENT.function("dv_set_range");

  /** {@code dv_or}. */
  public static final MethodHandle DV_OR = NativeLibrary.CURRENT.function("dv_or");

  /** {@code dv_andnot}. */
  public static final MethodHandle DV_ANDNOT = NativeLibrary.CURRENT.function("dv_andnot");

  /** {@code dv_run_length_encode}. */
  public static final MethodHandle DV_RUN_LENGTH_ENCODE =
      NativeLibrary.CURRENT.function("dv_run_length_encode");

  /** {@code dv_contains}. */
  public static final MethodHandle DV_CONTAINS = NativeLibrary.CURRENT.function("dv_contains");

  /** {@code dv_contains_many}. */
  public static final MethodHandle DV_CONTAINS_MANY =
      NativeLibrary.CURRENT.function("dv_contains_many");

  /** {@code dv_cardinality}. */
  public static final MethodHandle DV_CARDINALITY =
      NativeLibrary.CURRENT.function("dv_cardinality");

  /** {@code dv_count}. */
  public static final MethodHandle DV_COUNT = NativeLibrary.CURRENT.function("dv_count");

  /** {@code dv_is_empty}. */
  public static final MethodHandle DV_IS_EMPTY = NativeLibrary.CURRENT.function("dv_is_empty");

  /** {@code dv_equals}. */
  public static final MethodHandle DV_EQUALS = NativeLibrary.CURRENT.function("dv_equals");

  /** {@code dv_positions}. */
  public static final MethodHandle DV_POSITIONS = NativeLibrary.CURRENT.function("dv_positions");

  /** {@code dv_keep_mask}. */
  public static final MethodHandle DV_KEEP_MASK = NativeLibrary.CURRENT.function("dv_keep_mask");

  /** {@code dv_delete_mask}. */
  public static final MethodHandle DV_DELETE_MASK =
      NativeLibrary.CURRENT.function("dv_delete_mask");

  /** {@code dv_keep_bytes}. */
  public static final MethodHandle DV_KEEP_BYTES = NativeLibrary.CURRENT.function("dv_keep_bytes");

  /** {@code dv_keep_indices}. */
  public static final MethodHandle DV_KEEP_INDICES =
      NativeLibrary.CURRENT.function("dv_keep_indices");

  /** {@code dv_source_memory}. */
  public static final MethodHandle DV_SOURCE_MEMORY =
      NativeLibrary.CURRENT.function("dv_source_memory");

  /** {@code dv_source_path}. */
  public static final MethodHandle DV_SOURCE_PATH =
      NativeLibrary.CURRENT.function("dv_source_path");

  /** {@code dv_source_callbacks}. */
  public static final MethodHandle DV_SOURCE_CALLBACKS =
      NativeLibrary.CURRENT.function("dv_source_callbacks");

  /** {@code dv_source_free}. */
  public static final MethodHandle DV_SOURCE_FREE =
      NativeLibrary.CURRENT.function("dv_source_free");

  /** {@code dv_sink_memory}. */
  public static final MethodHandle DV_SINK_MEMORY =
      NativeLibrary.CURRENT.function("dv_sink_memory");

  /** {@code dv_sink_take}. */
  public static final MethodHandle DV_SINK_TAKE = NativeLibrary.CURRENT.function("dv_sink_take");

  /** {@code dv_sink_path}. */
  public static final MethodHandle DV_SINK_PATH = NativeLibrary.CURRENT.function("dv_sink_path");

  /** {@code dv_sink_callbacks}. */
  public static final MethodHandle DV_SINK_CALLBACKS =
      NativeLibrary.CURRENT.function("dv_sink_callbacks");

  /** {@code dv_sink_free}. */
  public static final MethodHandle DV_SINK_FREE = NativeLibrary.CURRENT.function("dv_sink_free");

  /** {@code dv_serialize}. */
  public static final MethodHandle DV_SERIALIZE = NativeLibrary.CURRENT.function("dv_serialize");

  /** {@code dv_deserialize}. */
  public static final MethodHandle DV_DESERIALIZE =
      NativeLibrary.CURRENT.function("dv_deserialize");

  /** {@code dv_view}. */
  public static final MethodHandle DV_VIEW = NativeLibrary.CURRENT.function("dv_view");

  /** {@code dv_blob_keep_mask}. */
  public static final MethodHandle DV_BLOB_KEEP_MASK =
      NativeLibrary.CURRENT.function("dv_blob_keep_mask");

  /** {@code dv_blob_positions}. */
  public static final MethodHandle DV_BLOB_POSITIONS =
      NativeLibrary.CURRENT.function("dv_blob_positions");

  /** {@code dv_blob_from_positions}. */
  public static final MethodHandle DV_BLOB_FROM_POSITIONS =
      NativeLibrary.CURRENT.function("dv_blob_from_positions");

  /** {@code dv_read_range}. */
  public static final MethodHandle DV_READ_RANGE = NativeLibrary.CURRENT.function("dv_read_range");

  /** {@code dv_serialize_bitmap}. */
  public static final MethodHandle DV_SERIALIZE_BITMAP =
      NativeLibrary.CURRENT.function("dv_serialize_bitmap");

  /** {@code dv_deserialize_bitmap}. */
  public static final MethodHandle DV_DESERIALIZE_BITMAP =
      NativeLibrary.CURRENT.function("dv_deserialize_bitmap");

  /** {@code dv_puffin_open}. */
  public static final MethodHandle DV_PUFFIN_OPEN =
      NativeLibrary.CURRENT.function("dv_puffin_open");

  /** {@code dv_puffin_count}. */
  public static final MethodHandle DV_PUFFIN_COUNT =
      NativeLibrary.CURRENT.function("dv_puffin_count");

  /** {@code dv_puffin_blob_at}. */
  public static final MethodHandle DV_PUFFIN_BLOB_AT =
      NativeLibrary.CURRENT.function("dv_puffin_blob_at");

  /** {@code dv_puffin_footer_json}. */
  public static final MethodHandle DV_PUFFIN_FOOTER_JSON =
      NativeLibrary.CURRENT.function("dv_puffin_footer_json");

  /** {@code dv_puffin_read}. */
  public static final MethodHandle DV_PUFFIN_READ =
      NativeLibrary.CURRENT.function("dv_puffin_read");

  /** {@code dv_puffin_keep_masks}. */
  public static final MethodHandle DV_PUFFIN_KEEP_MASKS =
      NativeLibrary.CURRENT.function("dv_puffin_keep_masks");

  /** {@code dv_puffin_free}. */
  public static final MethodHandle DV_PUFFIN_FREE =
      NativeLibrary.CURRENT.function("dv_puffin_free");

  /** {@code dv_puffin_read_entry}. */
  public static final MethodHandle DV_PUFFIN_READ_ENTRY =
      NativeLibrary.CURRENT.function("dv_puffin_read_entry");

  /** {@code dv_read}. */
  public static final MethodHandle DV_READ = NativeLibrary.CURRENT.function("dv_read");

  /** {@code dv_writer_new}. */
  public static final MethodHandle DV_WRITER_NEW = NativeLibrary.CURRENT.function("dv_writer_new");

  /** {@code dv_writer_add}. */
  public static final MethodHandle DV_WRITER_ADD = NativeLibrary.CURRENT.function("dv_writer_add");

  /** {@code dv_writer_load}. */
  public static final MethodHandle DV_WRITER_LOAD =
      NativeLibrary.CURRENT.function("dv_writer_load");

  /** {@code dv_writer_flush}. */
  public static final MethodHandle DV_WRITER_FLUSH =
      NativeLibrary.CURRENT.function("dv_writer_flush");

  /** {@code dv_writer_free}. */
  public static final MethodHandle DV_WRITER_FREE =
      NativeLibrary.CURRENT.function("dv_writer_free");

  /** {@code dv_delta_writer_new}. */
  public static final MethodHandle DV_DELTA_WRITER_NEW =
      NativeLibrary.CURRENT.function("dv_delta_writer_new");

  /** {@code dv_delta_writer_write}. */
  public static final MethodHandle DV_DELTA_WRITER_WRITE =
      NativeLibrary.CURRENT.function("dv_delta_writer_write");

  /** {@code dv_delta_writer_finalize}. */
  public static final MethodHandle DV_DELTA_WRITER_FINALIZE =
      NativeLibrary.CURRENT.function("dv_delta_writer_finalize");

  /** {@code dv_delta_writer_free}. */
  public static final MethodHandle DV_DELTA_WRITER_FREE =
      NativeLibrary.CURRENT.function("dv_delta_writer_free");

  /** {@code dv_delta_read}. */
  public static final MethodHandle DV_DELTA_READ = NativeLibrary.CURRENT.function("dv_delta_read");

  /** {@code dv_delta_inline_encode}. */
  public static final MethodHandle DV_DELTA_INLINE_ENCODE =
      NativeLibrary.CURRENT.function("dv_delta_inline_encode");

  /** {@code dv_delta_inline_decode}. */
  public static final MethodHandle DV_DELTA_INLINE_DECODE =
      NativeLibrary.CURRENT.function("dv_delta_inline_decode");

  /** {@code dv_delta_descriptor_new}. */
  public static final MethodHandle DV_DELTA_DESCRIPTOR_NEW =
      NativeLibrary.CURRENT.function("dv_delta_descriptor_new");

  /** {@code dv_delta_descriptor_inline}. */
  public static final MethodHandle DV_DELTA_DESCRIPTOR_INLINE =
      NativeLibrary.CURRENT.function("dv_delta_descriptor_inline");

  /** {@code dv_delta_descriptor_path}. */
  public static final MethodHandle DV_DELTA_DESCRIPTOR_PATH =
      NativeLibrary.CURRENT.function("dv_delta_descriptor_path");

  /** {@code dv_delta_descriptor_unique_id}. */
  public static final MethodHandle DV_DELTA_DESCRIPTOR_UNIQUE_ID =
      NativeLibrary.CURRENT.function("dv_delta_descriptor_unique_id");

  /** {@code dv_delta_descriptor_read}. */
  public static final MethodHandle DV_DELTA_DESCRIPTOR_READ =
      NativeLibrary.CURRENT.function("dv_delta_descriptor_read");

  /** {@code mumbling_read}. */
  public static final MethodHandle MUMBLING_READ = NativeLibrary.CURRENT.function("mumbling_read");

  /** {@code mumbling_free}. */
  public static final MethodHandle MUMBLING_FREE = NativeLibrary.CURRENT.function("mumbling_free");

  /** {@code mumbling_validate}. */
  public static final MethodHandle MUMBLING_VALIDATE =
      NativeLibrary.CURRENT.function("mumbling_validate");

  /** {@code mumbling_cardinality}. */
  public static final MethodHandle MUMBLING_CARDINALITY =
      NativeLibrary.CURRENT.function("mumbling_cardinality");

  /** {@code mumbling_is_set}. */
  public static final MethodHandle MUMBLING_IS_SET =
      NativeLibrary.CURRENT.function("mumbling_is_set");

  /** {@code mumbling_is_set_many}. */
  public static final MethodHandle MUMBLING_IS_SET_MANY =
      NativeLibrary.CURRENT.function("mumbling_is_set_many");

  /** {@code mumbling_positions}. */
  public static final MethodHandle MUMBLING_POSITIONS =
      NativeLibrary.CURRENT.function("mumbling_positions");

  /** {@code mumbling_keep_mask}. */
  public static final MethodHandle MUMBLING_KEEP_MASK =
      NativeLibrary.CURRENT.function("mumbling_keep_mask");

  /** {@code mumbling_buffer}. */
  public static final MethodHandle MUMBLING_BUFFER =
      NativeLibrary.CURRENT.function("mumbling_buffer");

  /** {@code mumbling_to_dv}. */
  public static final MethodHandle MUMBLING_TO_DV =
      NativeLibrary.CURRENT.function("mumbling_to_dv");

  /** {@code mumbling_from_dv}. */
  public static final MethodHandle MUMBLING_FROM_DV =
      NativeLibrary.CURRENT.function("mumbling_from_dv");

  /** {@code mumbling_pfor_encode}. */
  public static final MethodHandle MUMBLING_PFOR_ENCODE =
      NativeLibrary.CURRENT.function("mumbling_pfor_encode");

  /** {@code mumbling_pfor_decode}. */
  public static final MethodHandle MUMBLING_PFOR_DECODE =
      NativeLibrary.CURRENT.function("mumbling_pfor_decode");

  /** {@code mumbling_pfor_estimate}. */
  public static final MethodHandle MUMBLING_PFOR_ESTIMATE =
      NativeLibrary.CURRENT.function("mumbling_pfor_estimate");

  /** {@code dv_inspect}. */
  public static final MethodHandle DV_INSPECT = NativeLibrary.CURRENT.function("dv_inspect");

  static {
    Errors.warmUp();
  }

  private Native() {}
}
