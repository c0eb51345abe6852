package io.libdv;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.libdv.internal.Scratch;
import java.lang.foreign.MemorySegment;

/**
 * Adds the positions of a large array in parts, through native memory that is small enough to be
 * used again: a copy of the whole would cost more than adding it does. Only for a vector that
 * nobody else knows: others would see it half filled.
 */
final class PositionChunks {
  /** Positions in a part of an array that has not very many. */
  private static final int CHUNK = 1 << 20;

  /** Parts, at most: each is merged with what the ones before it left. */
  private static final int PARTS = 8;

  private PositionChunks() {}

  /** Whether an array is so large that its positions are better added in parts. */
  static boolean isLarge(long[] positions) {
    return positions.length > CHUNK;
  }

  /**
   * Adds positions; some of them, perhaps, where it fails.
   *
   * @param vector the vector
   * @param positions 0-based row numbers in any order, duplicates allowed
   * @throws DvInvalidArgumentException if a position is out of range
   */
  static void add(DeletionVector vector, long[] positions) {
    if (!isLarge(positions)) {
      vector.addAll(positions);
      return;
    }
    try {
      addParts(vector, positions, Math.max(CHUNK, positions.length / PARTS + 1));
    } catch (DvInvalidArgumentException e) {
      vector.addAll(positions); // refused again, with the place in the whole array
    }
  }

  private static void addParts(DeletionVector vector, long[] positions, int size) {
    try (Scratch scratch = new Scratch()) {
      MemorySegment part = scratch.allocate((long) size * Long.BYTES, Long.BYTES);
      for (long from = 0; from < positions.length; from += size) {
        int count = (int) Math.min(size, positions.length - from);
        MemorySegment.copy(positions, (int) from, part, JAVA_LONG, 0, count);
        vector.addAll(part.asSlice(0, (long) count * Long.BYTES));
      }
    }
  }
}
