package io.libdv.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;

/** The structs of {@code include/dv.h}; a test compares them with the header. */
public final class Layouts {
  /** {@code dv_bytes}. */
  public static final StructLayout BYTES =
      MemoryLayout.structLayout(ADDRESS.withName("data"), JAVA_LONG.withName("size"))
          .withName("dv_bytes");

  /** {@code dv_puffin_blob}; later versions of the library may append members. */
  public static final StructLayout PUFFIN_BLOB =
      MemoryLayout.structLayout(
              ADDRESS.withName("type"),
              ADDRESS.withName("compression_codec"),
              ADDRESS.withName("referenced_data_file"),
              JAVA_LONG.withName("cardinality"),
              JAVA_LONG.withName("offset"),
              JAVA_LONG.withName("length"),
              JAVA_LONG.withName("snapshot_id"),
              JAVA_LONG.withName("sequence_number"))
          .withName("dv_puffin_blob");

  /** {@code dv_delta_result}. */
  public static final StructLayout DELTA_RESULT =
      MemoryLayout.structLayout(
              JAVA_LONG.withName("cardinality"),
              JAVA_INT.withName("offset"),
              JAVA_INT.withName("size_in_bytes"))
          .withName("dv_delta_result");

  private Layouts() {}

  /**
   * Where a member of a struct stands.
   *
   * @param struct one of the layouts above
   * @param member the member's name in the header
   * @return its offset, in bytes
   */
  public static long offset(StructLayout struct, String member) {
    return struct.byteOffset(PathElement.groupElement(member));
  }
}
