package io.libdv.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The functions of {@code include/dv.h} and their C types: the one place of the binding that names
 * them. A test compares the table with the header and with what the library exports.
 */
public final class Signatures {
  private static final MemoryLayout PTR = ADDRESS;
  private static final MemoryLayout I64 = JAVA_LONG;
  private static final MemoryLayout SIZE = JAVA_LONG;
  private static final MemoryLayout I32 = JAVA_INT;
  private static final MemoryLayout BOOL = JAVA_BOOLEAN;

  /** Every function by its name, in the header's order; not to be changed. */
  public static final Map<String, FunctionDescriptor> TABLE = table();

  /** {@code dv_read_at_fn}: context, offset, buffer, size. */
  public static final FunctionDescriptor READ_AT =
      FunctionDescriptor.of(JAVA_LONG, PTR, I64, PTR, SIZE);

  /** {@code dv_write_fn}: context, data, size. */
  public static final FunctionDescriptor WRITE = FunctionDescriptor.of(JAVA_INT, PTR, PTR, SIZE);

  /** {@code dv_finish_fn}: context, success. */
  public static final FunctionDescriptor FINISH = FunctionDescriptor.of(JAVA_INT, PTR, BOOL);

  private Signatures() {}

  private static Map<String, FunctionDescriptor> table() {
    Map<String, FunctionDescriptor> table = new LinkedHashMap<>();
    library(table);
    vector(table);
    storage(table);
    codecs(table);
    puffin(table);
    delta(table);
    mumbling(table);
    status(table, "dv_inspect", PTR, PTR, PTR);
    return Collections.unmodifiableMap(table);
  }

  private static void library(Map<String, FunctionDescriptor> table) {
    table.put("dv_abi_version", FunctionDescriptor.of(I32));
    table.put("dv_version", FunctionDescriptor.of(PTR));
    table.put("dv_status_name", FunctionDescriptor.of(PTR, I32));
    table.put("dv_last_error", FunctionDescriptor.of(PTR));
    table.put("dv_live_handles", FunctionDescriptor.of(I64));
    nothing(table, "dv_bytes_free", PTR);
  }

  private static void vector(Map<String, FunctionDescriptor> table) {
    status(table, "dv_new", PTR);
    status(table, "dv_copy", PTR, PTR);
    nothing(table, "dv_free", PTR);
    status(table, "dv_set", PTR, I64);
    status(table, "dv_set_many", PTR, PTR, SIZE);
    status(table, "dv_set_range", PTR, I64, I64);
    status(table, "dv_or", PTR, PTR);
    status(table, "dv_andnot", PTR, PTR);
    status(table, "dv_run_length_encode", PTR);
    status(table, "dv_contains", PTR, I64, PTR);
    status(table, "dv_contains_many", PTR, PTR, SIZE, PTR);
    status(table, "dv_cardinality", PTR, PTR);
    status(table, "dv_count", PTR, I64, I64, PTR);
    status(table, "dv_is_empty", PTR, PTR);
    status(table, "dv_equals", PTR, PTR, PTR);
    status(table, "dv_positions", PTR, I64, I64, PTR, SIZE, PTR);
    status(table, "dv_keep_mask", PTR, I64, I64, PTR, SIZE);
    status(table, "dv_delete_mask", PTR, I64, I64, PTR, SIZE);
    status(table, "dv_keep_bytes", PTR, I64, I64, PTR, SIZE);
    status(table, "dv_keep_indices", PTR, I64, I64, PTR, SIZE, PTR);
  }

  private static void storage(Map<String, FunctionDescriptor> table) {
    status(table, "dv_source_memory", PTR, SIZE, PTR);
    status(table, "dv_source_path", PTR, PTR);
    status(table, "dv_source_callbacks", PTR, I64, PTR, PTR);
    nothing(table, "dv_source_free", PTR);
    status(table, "dv_sink_memory", PTR);
    status(table, "dv_sink_take", PTR, PTR);
    status(table, "dv_sink_path", PTR, PTR);
    status(table, "dv_sink_callbacks", PTR, PTR, PTR, PTR);
    nothing(table, "dv_sink_free", PTR);
  }

  private static void codecs(Map<String, FunctionDescriptor> table) {
    status(table, "dv_serialize", PTR, PTR);
    status(table, "dv_deserialize", PTR, SIZE, I64, PTR);
    status(table, "dv_view", PTR, SIZE, I64, PTR);
    status(table, "dv_blob_keep_mask", PTR, SIZE, I64, I64, I64, PTR, SIZE);
    status(table, "dv_blob_positions", PTR, SIZE, I64, PTR, SIZE, PTR);
    status(table, "dv_blob_from_positions", PTR, SIZE, PTR);
    status(table, "dv_read_range", PTR, I64, I64, I64, PTR);
    status(table, "dv_serialize_bitmap", PTR, PTR);
    status(table, "dv_deserialize_bitmap", PTR, SIZE, PTR);
  }

  private static void puffin(Map<String, FunctionDescriptor> table) {
    status(table, "dv_puffin_open", PTR, PTR);
    status(table, "dv_puffin_count", PTR, PTR);
    status(table, "dv_puffin_blob_at", PTR, SIZE, PTR);
    status(table, "dv_puffin_footer_json", PTR, PTR);
    status(table, "dv_puffin_read", PTR, SIZE, PTR);
    status(table, "dv_puffin_keep_masks", PTR, PTR, PTR, SIZE, PTR, SIZE);
    nothing(table, "dv_puffin_free", PTR);
    status(table, "dv_puffin_read_entry", PTR, I64, I64, I64, PTR, PTR, PTR);
    status(table, "dv_read", PTR, I64, I64, I64, PTR, PTR, PTR);
    status(table, "dv_writer_new", PTR, PTR);
    status(table, "dv_writer_add", PTR, PTR, PTR, SIZE, I32, PTR);
    status(table, "dv_writer_load", PTR, PTR, PTR, I32, PTR);
    status(table, "dv_writer_flush", PTR, PTR, PTR, PTR);
    nothing(table, "dv_writer_free", PTR);
  }

  private static void delta(Map<String, FunctionDescriptor> table) {
    status(table, "dv_delta_writer_new", PTR, PTR);
    status(table, "dv_delta_writer_write", PTR, PTR, PTR);
    status(table, "dv_delta_writer_finalize", PTR);
    nothing(table, "dv_delta_writer_free", PTR);
    status(table, "dv_delta_read", PTR, I32, I32, I64, PTR);
    status(table, "dv_delta_inline_encode", PTR, PTR, PTR);
    status(table, "dv_delta_inline_decode", PTR, SIZE, I32, I64, PTR);
    status(table, "dv_delta_descriptor_new", PTR, PTR, PTR);
    status(table, "dv_delta_descriptor_inline", PTR, PTR);
    status(table, "dv_delta_descriptor_path", PTR, PTR);
    status(table, "dv_delta_descriptor_unique_id", PTR, PTR);
    status(table, "dv_delta_descriptor_read", PTR, PTR, PTR);
  }

  private static void mumbling(Map<String, FunctionDescriptor> table) {
    status(table, "mumbling_read", PTR, SIZE, PTR);
    nothing(table, "mumbling_free", PTR);
    status(table, "mumbling_validate", PTR);
    status(table, "mumbling_cardinality", PTR, PTR);
    status(table, "mumbling_is_set", PTR, I32, PTR);
    status(table, "mumbling_is_set_many", PTR, PTR, SIZE, PTR);
    status(table, "mumbling_positions", PTR, PTR, SIZE, PTR);
    status(table, "mumbling_keep_mask", PTR, I32, I32, PTR, SIZE);
    status(table, "mumbling_buffer", PTR, PTR, PTR);
    status(table, "mumbling_to_dv", PTR, PTR);
    status(table, "mumbling_from_dv", PTR, PTR);
    status(table, "mumbling_pfor_encode", PTR, SIZE, PTR);
    status(table, "mumbling_pfor_decode", PTR, SIZE, PTR, SIZE, PTR);
    status(table, "mumbling_pfor_estimate", SIZE, PTR);
  }

  /** A function that answers a {@code dv_status}. */
  private static void status(
      Map<String, FunctionDescriptor> table, String name, MemoryLayout... arguments) {
    table.put(name, FunctionDescriptor.of(I32, arguments));
  }

  private static void nothing(
      Map<String, FunctionDescriptor> table, String name, MemoryLayout... arguments) {
    table.put(name, FunctionDescriptor.ofVoid(arguments));
  }
}
