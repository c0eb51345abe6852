package io.libdv;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.libdv.internal.Calls;
import io.libdv.internal.Handle;
import io.libdv.internal.Native;
import io.libdv.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;
import java.util.stream.LongStream;

/**
 * The deleted rows of one data file: a set of 64-bit positions.
 *
 * {@snippet :
 * try (DeletionVector deletes = DeletionVector.deserialize(blob)) {
 *   byte[] mask = deletes.keepMask(0, rowCount); // bit i is 1 iff row i is kept
 *   deletes.addAll(7, 11, 18);
 *   byte[] merged = deletes.serialize();
 * }
 * }
 *
 * <p>Positions are 0-based row numbers up to {@link #MAX_POSITION}; ranges are half-open. Ask for
 * masks and arrays rather than for single rows: a call into the library costs about as much as a
 * thousand rows of a mask.
 *
 * <p>Any number of threads may read one vector at a time; changes exclude each other and reads.
 * Every method throws {@link DvStateException} once the vector is closed, {@link
 * NullPointerException} for a null argument, and {@link DvLoadException} where the native library
 * cannot be used.
 */
public final class DeletionVector extends VectorMasks {
  /** The largest position that Iceberg Java and Delta Spark can hold. */
  public static final long MAX_POSITION = 0x7FFF_FFFE_8000_0000L;

  /** "No expectation" for a cardinality, a size or an offset. */
  public static final long UNKNOWN = -1;

  private final MemorySegment borrowed;

  /** Makes an empty vector. */
  public DeletionVector() {
    this(Calls.PLAIN, (scratch, out) -> (int) Native.DV_NEW.invokeExact(out));
  }

  /** Has the library make a vector. */
  DeletionVector(Calls mode, Calls.Out make) {
    this(mode, make, null);
  }

  private DeletionVector(Calls mode, Calls.Out make, MemorySegment borrowed) {
    super(mode, make, release(borrowed));
    this.borrowed = borrowed;
  }

  private static Handle.Release release(MemorySegment borrowed) {
    return pointer -> {
      Native.DV_FREE.invokeExact(pointer);
      Reference.reachabilityFence(borrowed);
      return null;
    };
  }

  /**
   * Makes a vector of some positions.
   *
   * @param positions 0-based row numbers in any order, duplicates allowed; not null
   * @return a vector that the caller closes
   * @throws DvInvalidArgumentException if a position is negative or above {@link #MAX_POSITION}
   */
  public static DeletionVector of(long... positions) {
    Objects.requireNonNull(positions, "positions");
    DeletionVector vector = new DeletionVector();
    try {
      PositionChunks.add(vector, positions);
      return vector;
    } catch (Throwable t) {
      vector.close();
      throw t;
    }
  }

  /**
   * Reads an Iceberg {@code deletion-vector-v1} blob: length, magic, bitmap, CRC-32.
   *
   * @param blob the whole blob; not kept
   * @return a vector that the caller closes
   * @throws DvCorruptException if the bytes break the format
   */
  public static DeletionVector deserialize(byte[] blob) {
    Objects.requireNonNull(blob, "blob");
    return deserialize(MemorySegment.ofArray(blob), UNKNOWN);
  }

  /**
   * Reads an Iceberg {@code deletion-vector-v1} blob and checks its cardinality.
   *
   * @param blob the whole blob; not kept
   * @param expectedCardinality how many positions it must hold; {@link #UNKNOWN}: any number
   * @return a vector that the caller closes
   * @throws DvCorruptException if the bytes break the format
   * @throws DvMismatchException if it holds another number of positions
   */
  public static DeletionVector deserialize(byte[] blob, long expectedCardinality) {
    Objects.requireNonNull(blob, "blob");
    return deserialize(MemorySegment.ofArray(blob), expectedCardinality);
  }

  /**
   * Reads an Iceberg {@code deletion-vector-v1} blob out of a segment.
   *
   * @param blob the whole blob; not kept
   * @param expectedCardinality how many positions it must hold; {@link #UNKNOWN}: any number
   * @return a vector that the caller closes
   * @throws DvCorruptException if the bytes break the format
   * @throws DvMismatchException if it holds another number of positions
   */
  public static DeletionVector deserialize(MemorySegment blob, long expectedCardinality) {
    Objects.requireNonNull(blob, "blob");
    return new DeletionVector(
        Calls.PLAIN,
        (scratch, out) -> {
          MemorySegment in = scratch.readable(blob, 1);
          return (int)
              Native.DV_DESERIALIZE.invokeExact(in, in.byteSize(), expectedCardinality, out);
        });
  }

  /**
   * Reads a blob like {@link #deserialize(MemorySegment, long)}, but in place, without a copy.
   *
   * <p>The bytes must stay as they are, and their arena open, until {@link #close} has returned. A
   * vector whose arena was closed before it throws {@link IllegalStateException}; an arena that
   * another thread closes <em>during</em> a call takes the memory from under the library. When the
   * vector is first changed, it becomes an ordinary one.
   *
   * @param blob the whole blob in native memory, such as a mapped file
   * @param expectedCardinality how many positions it must hold; {@link #UNKNOWN}: any number
   * @return a vector that the caller closes
   * @throws IllegalArgumentException if the segment is on the heap
   * @throws DvCorruptException if the bytes break the format
   * @throws DvMismatchException if it holds another number of positions
   */
  public static DeletionVector view(MemorySegment blob, long expectedCardinality) {
    Objects.requireNonNull(blob, "blob");
    Borrowed.requireNative(blob);
    return new DeletionVector(
        Calls.PLAIN,
        (scratch, out) ->
            (int) Native.DV_VIEW.invokeExact(blob, blob.byteSize(), expectedCardinality, out),
        blob);
  }

  /**
   * Reads a bare 64-bit roaring bitmap in the portable format, such as other libraries write.
   *
   * @param bitmap the whole bitmap; not kept
   * @return a vector that the caller closes
   * @throws DvCorruptException if the bytes break the format
   */
  public static DeletionVector fromBitmap(byte[] bitmap) {
    Objects.requireNonNull(bitmap, "bitmap");
    return fromBitmap(MemorySegment.ofArray(bitmap));
  }

  /**
   * Reads a bare 64-bit roaring bitmap in the portable format out of a segment.
   *
   * @param bitmap the whole bitmap; not kept
   * @return a vector that the caller closes
   * @throws DvCorruptException if the bytes break the format
   */
  public static DeletionVector fromBitmap(MemorySegment bitmap) {
    Objects.requireNonNull(bitmap, "bitmap");
    return new DeletionVector(
        Calls.PLAIN,
        (scratch, out) -> {
          MemorySegment in = scratch.readable(bitmap, 1);
          return (int) Native.DV_DESERIALIZE_BITMAP.invokeExact(in, in.byteSize(), out);
        });
  }

  /**
   * Copies the vector; the copy owns its bytes, also where this one is a view.
   *
   * @return a vector that the caller closes
   */
  public DeletionVector copy() {
    return use(
        dv ->
            new DeletionVector(
                Calls.PLAIN, (scratch, out) -> (int) Native.DV_COPY.invokeExact(dv, out)));
  }

  /**
   * Deletes a row. For many rows use {@link #addAll(long...)}.
   *
   * @param position a 0-based row number
   * @throws DvInvalidArgumentException if it is negative or above {@link #MAX_POSITION}
   */
  public void add(long position) {
    run(dv -> (int) Native.DV_SET.invokeExact(dv, position));
  }

  /**
   * Deletes rows, all or none.
   *
   * @param positions 0-based row numbers in any order, duplicates allowed; not null
   * @throws DvInvalidArgumentException if one is negative or above {@link #MAX_POSITION}; nothing
   *     is added then
   */
  public void addAll(long... positions) {
    Objects.requireNonNull(positions, "positions");
    addAll(MemorySegment.ofArray(positions));
  }

  /**
   * Deletes rows, all or none; without a copy where the segment is native.
   *
   * @param positions 0-based row numbers as 64-bit integers in native order, in any order,
   *     duplicates allowed; not null
   * @throws DvInvalidArgumentException if one is negative or above {@link #MAX_POSITION}; nothing
   *     is added then
   * @throws IllegalArgumentException if they are no multiple of 8 bytes
   */
  public void addAll(MemorySegment positions) {
    long count = Elements.count(positions, JAVA_LONG, "positions");
    try (Scratch scratch = new Scratch()) {
      MemorySegment in = scratch.readable(positions, Long.BYTES);
      run(dv -> (int) Native.DV_SET_MANY.invokeExact(dv, in, count));
    }
  }

  /**
   * Deletes the rows of a stream, all or none. The stream is read to its end first.
   *
   * @param positions 0-based row numbers in any order, duplicates allowed; not null
   * @throws DvInvalidArgumentException if one is negative or above {@link #MAX_POSITION}; nothing
   *     is added then
   */
  public void addAll(LongStream positions) {
    Objects.requireNonNull(positions, "positions");
    addAll(positions.toArray());
  }

  /**
   * Deletes the rows of a range.
   *
   * @param start the first row, >= 0
   * @param end the row after the last, at most {@link #MAX_POSITION} + 1; at or below start nothing
   *     is deleted
   * @throws DvInvalidArgumentException if start is negative or end is too large
   * @throws DvLimitException if the range is too large to be held
   */
  public void addRange(long start, long end) {
    run(dv -> (int) Native.DV_SET_RANGE.invokeExact(dv, start, end));
  }

  /**
   * Deletes the rows that another vector deletes, too: the union.
   *
   * @param other the other vector, which may be this one; not null
   */
  public void or(DeletionVector other) {
    Objects.requireNonNull(other, "other");
    use(
        other,
        (dv, more) -> {
          Calls.PLAIN.run(() -> (int) Native.DV_OR.invokeExact(dv, more));
          return null;
        });
  }

  /**
   * Takes the rows of another vector out of this one: the difference.
   *
   * @param other the other vector, which may be this one; not null
   */
  public void andNot(DeletionVector other) {
    Objects.requireNonNull(other, "other");
    use(
        other,
        (dv, less) -> {
          Calls.PLAIN.run(() -> (int) Native.DV_ANDNOT.invokeExact(dv, less));
          return null;
        });
  }

  /**
   * Turns each container into a run container where that is smaller. {@link #serialize} does so on
   * its own; {@link #toBitmap} writes the containers as they stand.
   */
  public void runOptimize() {
    run(dv -> (int) Native.DV_RUN_LENGTH_ENCODE.invokeExact(dv));
  }

  /**
   * Writes an Iceberg {@code deletion-vector-v1} blob. The bytes depend on the positions alone:
   * every container in its smallest form, no empty bitmaps.
   *
   * @return the blob
   * @throws DvLimitException if it would be larger than 2 GiB
   */
  public byte[] serialize() {
    return use(dv -> Calls.PLAIN.bytes((s, out) -> (int) Native.DV_SERIALIZE.invokeExact(dv, out)));
  }

  /**
   * Writes the bare 64-bit roaring bitmap in the portable format, its containers as they stand.
   *
   * @return the bitmap
   * @throws DvLimitException if it does not fit its format or a Java array
   */
  public byte[] toBitmap() {
    return use(
        dv -> Calls.PLAIN.bytes((s, out) -> (int) Native.DV_SERIALIZE_BITMAP.invokeExact(dv, out)));
  }

  @Override
  void checkBorrowed() {
    Borrowed.requireAlive(borrowed);
  }

  /** The number of positions, or that the vector is closed. */
  @Override
  public String toString() {
    try {
      return "DeletionVector[cardinality=" + cardinality() + "]";
    } catch (DvStateException e) {
      return "DeletionVector[closed]";
    }
  }
}
