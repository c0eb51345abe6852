package io.libdv;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/** Sizes of arrays of rows and positions. */
final class Elements {
  private Elements() {}

  /** The bytes of a mask of that many rows; 0 for a negative number, which the library judges. */
  static long maskSize(long rows) {
    return rows <= 0 ? 0 : (rows >>> 3) + ((rows & 7) == 0 ? 0 : 1);
  }

  /** How many elements of a layout a segment holds. */
  static long count(MemorySegment segment, ValueLayout element, String what) {
    Objects.requireNonNull(segment, what);
    if (segment.byteSize() % element.byteSize() != 0) {
      throw new IllegalArgumentException(
          "the "
              + what
              + " take "
              + segment.byteSize()
              + " bytes, which is no multiple of "
              + element.byteSize());
    }
    return segment.byteSize() / element.byteSize();
  }
}
