package io.libdv;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.libdv.internal.Calls;
import io.libdv.internal.Handle;
import io.libdv.internal.Native;
import io.libdv.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Objects;
import java.util.stream.LongStream;

/**
 * The part of {@link DeletionVector} that tells which rows are deleted.
 *
 * <p>The public methods are not final: only then does the compiler give the public class bridges to
 * them, without which reflection finds them but may not call them.
 */
abstract sealed class VectorReads extends NativeObject permits VectorMasks {
  /** The end of a range that takes in every position. */
  private static final long ALL = Long.MAX_VALUE;

  VectorReads(Calls mode, Calls.Out make, Handle.Release release) {
    super("DeletionVector", mode, make, release);
  }

  /**
   * Whether a row is deleted. For many rows {@link #containsAll(long[])} or a mask is far cheaper.
   *
   * @param position a 0-based row number
   * @return true iff the row is deleted
   * @throws DvInvalidArgumentException if it is negative or above {@link
   *     DeletionVector#MAX_POSITION}
   */
  public boolean contains(long position) {
    return use(
        dv ->
            Calls.PLAIN.bool(
                (scratch, out) -> (int) Native.DV_CONTAINS.invokeExact(dv, position, out)));
  }

  /**
   * Whether rows are deleted.
   *
   * @param positions 0-based row numbers in any order; not null
   * @return for each position 1 if that row is deleted, else 0
   * @throws DvInvalidArgumentException if one is negative or above {@link
   *     DeletionVector#MAX_POSITION}
   */
  public byte[] containsAll(long[] positions) {
    Objects.requireNonNull(positions, "positions");
    byte[] out = new byte[positions.length];
    containsAll(MemorySegment.ofArray(positions), MemorySegment.ofArray(out));
    return out;
  }

  /**
   * Whether rows are deleted; without a copy where both segments are native.
   *
   * @param positions 0-based row numbers as 64-bit integers in native order, in any order; not null
   * @param out receives a byte for each position: 1 if that row is deleted, else 0; not null
   * @throws DvInvalidArgumentException if one is negative or above {@link
   *     DeletionVector#MAX_POSITION}
   * @throws IllegalArgumentException if the positions are no multiple of 8 bytes, or {@code out} is
   *     read-only
   * @throws DvTooSmallException if {@code out} has fewer bytes than there are positions
   */
  public void containsAll(MemorySegment positions, MemorySegment out) {
    Objects.requireNonNull(out, "out");
    long count = Elements.count(positions, JAVA_LONG, "positions");
    if (out.byteSize() < count) {
      throw new DvTooSmallException(
          "the buffer holds " + out.byteSize() + " bytes, " + count + " are needed", count);
    }
    try (Scratch scratch = new Scratch()) {
      MemorySegment in = scratch.readable(positions, Long.BYTES);
      MemorySegment target = out.asSlice(0, count);
      MemorySegment written = scratch.writable(target, 1);
      run(dv -> (int) Native.DV_CONTAINS_MANY.invokeExact(dv, in, count, written));
      Scratch.fill(target, written, count);
    }
  }

  /**
   * How many rows are deleted.
   *
   * @return the number of positions, >= 0
   */
  public long cardinality() {
    return use(
        dv ->
            Calls.PLAIN.int64((scratch, out) -> (int) Native.DV_CARDINALITY.invokeExact(dv, out)));
  }

  /**
   * How many rows of a range are deleted.
   *
   * @param start the first row, >= 0
   * @param end the row after the last; any value, {@link Long#MAX_VALUE} for all; at or below start
   *     the range is empty
   * @return the number of positions in [start, end)
   * @throws DvInvalidArgumentException if start is negative
   */
  public long count(long start, long end) {
    return use(
        dv ->
            Calls.PLAIN.int64(
                (scratch, out) -> (int) Native.DV_COUNT.invokeExact(dv, start, end, out)));
  }

  /**
   * Whether no row is deleted.
   *
   * @return true iff the cardinality is 0
   */
  public boolean isEmpty() {
    return use(
        dv -> Calls.PLAIN.bool((scratch, out) -> (int) Native.DV_IS_EMPTY.invokeExact(dv, out)));
  }

  /**
   * Whether two vectors delete the same rows, however each is encoded. ({@link Object#equals} is
   * identity: a vector can change and can be closed, so it is no value.)
   *
   * @param other the other vector, which may be this one; not null
   * @return true iff both hold the same positions
   */
  public boolean samePositions(DeletionVector other) {
    Objects.requireNonNull(other, "other");
    return use(
        other,
        (a, b) ->
            Calls.PLAIN.bool((scratch, out) -> (int) Native.DV_EQUALS.invokeExact(a, b, out)));
  }

  /**
   * All deleted positions, read in pages while the stream runs: the memory it takes does not depend
   * on their number. The vector must stay open until the stream is consumed; of changes made
   * meanwhile the stream sees some or none.
   *
   * @return the positions, ascending and distinct
   */
  public LongStream positions() {
    return positions(0, ALL);
  }

  /**
   * The deleted positions of a range, as a stream like that of {@link #positions()}.
   *
   * @param start the first row, >= 0
   * @param end the row after the last; any value
   * @return the positions in [start, end), ascending and distinct
   * @throws DvInvalidArgumentException if start is negative
   */
  public LongStream positions(long start, long end) {
    return PositionPages.stream(this, start, end);
  }

  /**
   * All deleted positions in one array.
   *
   * @return the positions, ascending and distinct
   * @throws DvLimitException if there are more than an array can hold
   */
  public long[] toArray() {
    return toArray(0, ALL);
  }

  /**
   * The deleted positions of a range in one array.
   *
   * @param start the first row, >= 0
   * @param end the row after the last; any value
   * @return the positions in [start, end), ascending and distinct
   * @throws DvInvalidArgumentException if start is negative
   * @throws DvLimitException if there are more than an array can hold
   */
  public long[] toArray(long start, long end) {
    while (true) {
      long room = Calls.arraySize(count(start, end)) + 1L;
      try (Scratch scratch = new Scratch()) {
        MemorySegment page = scratch.allocate(room * Long.BYTES, Long.BYTES);
        long found = positions(start, end, page);
        if (found < room) { // else another thread has added some meanwhile
          return page.asSlice(0, found * Long.BYTES).toArray(JAVA_LONG);
        }
      }
    }
  }

  /**
   * One page of the deleted positions of a range. Go on from the last position + 1.
   *
   * @param start the first row, >= 0
   * @param end the row after the last; any value
   * @param out receives the positions, ascending and distinct; not null
   * @return how many there are in {@code out}; fewer than its length: there are no more
   * @throws DvInvalidArgumentException if start is negative
   */
  public int positions(long start, long end, long[] out) {
    Objects.requireNonNull(out, "out");
    return (int) positions(start, end, MemorySegment.ofArray(out));
  }

  /**
   * One page of the deleted positions of a range; without a copy where the segment is native.
   *
   * @param start the first row, >= 0
   * @param end the row after the last; any value
   * @param out receives the positions as 64-bit integers in native order; not null
   * @return how many there are in {@code out}; fewer than fit: there are no more
   * @throws DvInvalidArgumentException if start is negative
   * @throws IllegalArgumentException if {@code out} is read-only
   */
  public long positions(long start, long end, MemorySegment out) {
    Objects.requireNonNull(out, "out");
    long capacity = out.byteSize() / Long.BYTES;
    return fill(Native.DV_POSITIONS, start, end, out, capacity, Long.BYTES);
  }

  /** A call with this vector and no result. */
  final void run(StatusCall call) {
    use(
        dv -> {
          Calls.PLAIN.run(() -> call.status(dv));
          return null;
        });
  }

  /** A call with one pointer and no result. */
  @FunctionalInterface
  interface StatusCall {
    int status(MemorySegment pointer) throws Throwable;
  }

  /** The calls that list something: at most capacity elements of a width. */
  final long fill(
      MethodHandle call, long from, long to, MemorySegment out, long capacity, int width) {
    MemorySegment target = out.asSlice(0, capacity * width);
    try (Scratch scratch = new Scratch()) {
      MemorySegment written = scratch.writable(target, width);
      long found =
          use(
              dv ->
                  Calls.PLAIN.count(
                      (s, count) ->
                          (int) call.invokeExact(dv, from, to, written, capacity, count)));
      Scratch.fill(target, written, found * width);
      return found;
    }
  }
}
