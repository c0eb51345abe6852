package io.libdv.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/**
 * The native memory of one call, freed when the call is over; for the thread that made it alone.
 *
 * <p>Heap arrays cannot be handed to native code without a copy (a critical call could, at the
 * price of blocking the garbage collector). Buffers for such copies are not zeroed first, as an
 * {@link Arena} would: the call or the copy fills them.
 */
public final class Scratch implements SegmentAllocator, AutoCloseable {
  private static final long UNINITIALISED_FROM = 4096;

  private final Arena arena = Arena.ofConfined();

  /** Starts with nothing allocated. */
  public Scratch() {}

  /**
   * Memory until {@link #close}; zeroed only if it is small.
   *
   * @param size in bytes
   * @param alignment in bytes, at most 16
   * @return the memory
   * @throws OutOfMemoryError if the system refuses it
   */
  @Override
  public MemorySegment allocate(long size, long alignment) {
    if (size < UNINITIALISED_FROM) {
      return arena.allocate(size, alignment);
    }
    return Memory.allocate(size).reinterpret(arena, Memory::free);
  }

  /**
   * Bytes as native code can read them.
   *
   * @param bytes a segment of any kind
   * @param alignment what the element type needs, in bytes
   * @return the segment itself if it is native and aligned, else a copy
   */
  public MemorySegment readable(MemorySegment bytes, long alignment) {
    return direct(bytes, alignment) ? bytes : allocate(bytes.byteSize(), alignment).copyFrom(bytes);
  }

  /**
   * Room that native code can write to in place of a segment; {@link #fill} completes it.
   *
   * @param target a segment of any kind, not read-only
   * @param alignment what the element type needs, in bytes
   * @return the segment itself if it is native and aligned, else room of the same size
   * @throws IllegalArgumentException if the segment is read-only
   */
  public MemorySegment writable(MemorySegment target, long alignment) {
    if (target.isReadOnly()) {
      throw new IllegalArgumentException("the output segment is read-only");
    }
    return direct(target, alignment) ? target : allocate(target.byteSize(), alignment);
  }

  /**
   * Copies what was written in place of a segment into it.
   *
   * @param target the segment
   * @param written what {@link #writable} returned for it
   * @param size how many bytes, from the start
   */
  public static void fill(MemorySegment target, MemorySegment written, long size) {
    if (written != target) {
      MemorySegment.copy(written, 0, target, 0, size);
    }
  }

  private static boolean direct(MemorySegment segment, long alignment) {
    return segment.isNative() && segment.address() % alignment == 0;
  }

  /** Frees everything. */
  @Override
  public void close() {
    arena.close();
  }
}
