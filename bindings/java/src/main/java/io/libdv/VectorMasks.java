package io.libdv;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.libdv.internal.Calls;
import io.libdv.internal.Handle;
import io.libdv.internal.Native;
import io.libdv.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The part of {@link DeletionVector} that a scan filters with. */
abstract sealed class VectorMasks extends VectorReads permits DeletionVector {
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
  public final byte[] keepMask(long start, long length) {
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
  public final void keepMask(long start, long length, byte[] out) {
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
  public final void keepMask(long start, long length, MemorySegment out) {
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
  public final byte[] deleteMask(long start, long length) {
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
  public final void deleteMask(long start, long length, MemorySegment out) {
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
  public final byte[] keepBytes(long start, long length) {
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
  public final void keepBytes(long start, long length, MemorySegment out) {
    rows(Native.DV_KEEP_BYTES, start, length, out, Math.max(length, 0));
  }

  /**
   * The kept rows of a window, as a selection vector.
   *
   * @param start the first row, >= 0
   * @param length the number of rows, at most 2^31 - 9 here
   * @return i of every kept row start + i, ascending
   * @throws DvInvalidArgumentException if start is negative, or start + length overflows
   * @throws DvLimitException if there are more than an array can hold
   */
  public final int[] keepIndices(long start, long length) {
    int room = Calls.arraySize(Math.max(length, 0));
    try (Scratch scratch = new Scratch()) {
      MemorySegment out = scratch.allocate((long) room * Integer.BYTES, Integer.BYTES);
      long found = keepIndices(start, length, out);
      return out.asSlice(0, found * Integer.BYTES).toArray(JAVA_INT);
    }
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
  public final long keepIndices(long start, long length, MemorySegment out) {
    long capacity = Math.min(out.byteSize() / Integer.BYTES, Math.max(length, 0));
    return fill(Native.DV_KEEP_INDICES, start, length, out, capacity, Integer.BYTES);
  }

  /** The calls that answer something for each row of a window. */
  private void rows(MethodHandle call, long start, long length, MemorySegment out, long needed) {
    MemorySegment target = out.asSlice(0, Math.min(needed, out.byteSize()));
    long size = target.byteSize();
    try (Scratch scratch = new Scratch()) {
      MemorySegment written = scratch.writable(target, 1);
      run(dv -> (int) call.invokeExact(dv, start, length, written, size));
      Scratch.fill(target, written, size);
    }
  }
}
