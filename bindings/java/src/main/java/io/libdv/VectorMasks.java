package io.libdv;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.libdv.internal.Calls;
import io.libdv.internal.Handle;
import io.libdv.internal.Native;
import io.libdv.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Objects;

/**
 * The part of {@link DeletionVector} that a scan filters with.
 *
 * <p>The public methods are not final: only then does the compiler give the public class bridges to
 * them, without which reflection finds them but may not call them.
 */
abstract sealed class VectorMasks extends VectorReads permits DeletionVector {
  /** The most rows that unsigned 32-bit indices can tell apart. */
  private static final long ROWS = 1L << 32;

  VectorMasks(Calls mode, Calls.Out make, Handle.Release release) {
    super(mode, make, release);
  }

  /**
   * Which rows of a window are kept, as bits in the layout of an Arrow Boolean buffer.
   *
   * @param start the first row, >= 0
   * @param length the number of rows
   * @return (length + 7) / 8 bytes; bit i, the lowest first, is 1 iff row start + i is kept; bits
   *     past length are 0
   * @throws DvInvalidArgumentException if start is negative, or start + length overflows
   */
  public byte[] keepMask(long start, long length) {
    byte[] out = new byte[Calls.arraySize(Elements.maskSize(length))];
    keepMask(start, length, out);
    return out;
  }

  /**
   * Which rows of a window are kept, as bits, into a caller's array.
   *
   * @param start the first row, >= 0
   * @param length the number of rows
   * @param out receives what {@link #keepMask(long, long)} returns; what it is longer is left as it
   *     is
   * @throws DvInvalidArgumentException if start is negative, or start + length overflows
   * @throws DvTooSmallException if {@code out} has fewer than (length + 7) / 8 bytes
   */
  public void keepMask(long start, long length, byte[] out) {
    Objects.requireNonNull(out, "out");
    keepMask(start, length, MemorySegment.ofArray(out));
  }

  /**
   * Which rows of a window are kept, as bits, into a segment; without a copy where it is native.
   *
   * @param start the first row, >= 0
   * @param length the number of rows
   * @param out receives what {@link #keepMask(long, long)} returns; what it is longer is left as it
   *     is
   * @throws DvInvalidArgumentException if start is negative, or start + length overflows
   * @throws DvTooSmallException if {@code out} has fewer than (length + 7) / 8 bytes
   * @throws IllegalArgumentException if {@code out} is read-only
   */
  public void keepMask(long start, long length, MemorySegment out) {
    rows(Native.DV_KEEP_MASK, start, length, out, Elements.maskSize(length));
  }

  /**
   * Which rows of a window are deleted, as bits: {@link #keepMask(long, long)} with 1 for deleted.
   *
   * @param start the first row, >= 0
   * @param length the number of rows
   * @return (length + 7) / 8 bytes
   * @throws DvInvalidArgumentException if start is negative, or start + length overflows
   */
  public byte[] deleteMask(long start, long length) {
    byte[] out = new byte[Calls.arraySize(Elements.maskSize(length))];
    deleteMask(start, length, MemorySegment.ofArray(out));
    return out;
  }

  /**
   * Which rows of a window are deleted, as bits, into a segment; without a copy where it is native.
   *
   * @param start the first row, >= 0
   * @param length the number of rows
   * @param out receives what {@link #deleteMask(long, long)} returns
   * @throws DvInvalidArgumentException if start is negative, or start + length overflows
   * @throws DvTooSmallException if {@code out} has fewer than (length + 7) / 8 bytes
   * @throws IllegalArgumentException if {@code out} is read-only
   */
  public void deleteMask(long start, long length, MemorySegment out) {
    rows(Native.DV_DELETE_MASK, start, length, out, Elements.maskSize(length));
  }

  /**
   * Which rows of a window are kept, a byte for each row.
   *
   * @param start the first row, >= 0
   * @param length the number of rows
   * @return length bytes: 1 if row start + i is kept, else 0
   * @throws DvInvalidArgumentException if start is negative, or start + length overflows
   */
  public byte[] keepBytes(long start, long length) {
    byte[] out = new byte[Calls.arraySize(Math.max(length, 0))];
    keepBytes(start, length, MemorySegment.ofArray(out));
    return out;
  }

  /**
   * Which rows of a window are kept, a byte for each row, into a segment.
   *
   * @param start the first row, >= 0
   * @param length the number of rows
   * @param out receives what {@link #keepBytes(long, long)} returns; no copy where it is native
   * @throws DvInvalidArgumentException if start is negative, or start + length overflows
   * @throws DvTooSmallException if {@code out} has fewer than length bytes
   * @throws IllegalArgumentException if {@code out} is read-only
   */
  public void keepBytes(long start, long length, MemorySegment out) {
    rows(Native.DV_KEEP_BYTES, start, length, out, Math.max(length, 0));
  }

  /**
   * The kept rows of a window, as a selection vector.
   *
   * @param start the first row, >= 0
   * @param length the number of rows, at most 2^32
   * @return i of every kept row start + i, ascending; above 2^31 - 1 as an unsigned integer
   * @throws DvInvalidArgumentException if start is negative, length above 2^32, or their sum
   *     overflows
   * @throws DvLimitException if there are more than an array can hold
   */
  public int[] keepIndices(long start, long length) {
    while (true) {
      long room = Calls.arraySize(keptIn(start, length));
      try (Scratch scratch = new Scratch()) {
        MemorySegment out = scratch.allocate(room * Integer.BYTES, Integer.BYTES);
        long found = keepIndices(start, length, out);
        return out.asSlice(0, found * Integer.BYTES).toArray(JAVA_INT);
      } catch (DvTooSmallException e) {
        // Another thread has taken some rows out meanwhile.
      }
    }
  }

  /** How many rows of a window are kept; 0 for a window that there is none, which is refused. */
  private long keptIn(long start, long length) {
    boolean sound = start >= 0 && length >= 0 && length <= ROWS && start <= Long.MAX_VALUE - length;
    return sound ? length - count(start, start + length) : 0;
  }

  /**
   * The kept rows of a window, as a selection vector, into a segment.
   *
   * @param start the first row, >= 0
   * @param length the number of rows, at most 2^32
   * @param out receives i of every kept row start + i, ascending, as unsigned 32-bit integers in
   *     native order; no copy where it is native
   * @return how many there are
   * @throws DvInvalidArgumentException if start is negative, length above 2^32, or their sum
   *     overflows
   * @throws DvTooSmallException with the number needed, if {@code out} cannot hold all
   * @throws IllegalArgumentException if {@code out} is read-only
   */
  public long keepIndices(long start, long length, MemorySegment out) {
    Objects.requireNonNull(out, "out");
    long capacity = Math.min(out.byteSize() / Integer.BYTES, Math.max(length, 0));
    return fill(Native.DV_KEEP_INDICES, start, length, out, capacity, Integer.BYTES);
  }

  /** The calls that answer something for each row of a window. */
  private void rows(MethodHandle call, long start, long length, MemorySegment out, long needed) {
    Objects.requireNonNull(out, "out");
    MemorySegment target = out.asSlice(0, Math.min(needed, out.byteSize()));
    long size = target.byteSize();
    try (Scratch scratch = new Scratch()) {
      MemorySegment written = scratch.writable(target, 1);
      run(dv -> (int) call.invokeExact(dv, start, length, written, size));
      Scratch.fill(target, written, size);
    }
  }
}
