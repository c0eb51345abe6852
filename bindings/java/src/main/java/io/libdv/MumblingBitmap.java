package io.libdv;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.libdv.internal.Calls;
import io.libdv.internal.Native;
import io.libdv.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A Mumbling bitmap: the deletion vector of a manifest (Iceberg v4), read-only, of positions below
 * {@link #MAX_CARDINALITY}.
 *
 * {@snippet :
 * try (MumblingBitmap deleted = MumblingBitmap.read(bytes)) {
 *   byte[] mask = deleted.keepMask(0, entries); // bit i is 1 iff entry i is live
 * }
 * }
 *
 * <p>Reading checks version, counts and bounds. The rest is decoded on first use; a fault that is
 * found then is a {@link DvCorruptException} from that call and every later one that needs those
 * bytes. Any number of threads may read one bitmap at a time.
 */
public final class MumblingBitmap extends NativeObject {
  /** How many positions a bitmap can hold; every position is below. */
  public static final int MAX_CARDINALITY = 2_097_152;

  /** How many containers of 256 positions a bitmap can have. */
  public static final int MAX_CONTAINERS = 8192;

  private MumblingBitmap(MemorySegment data) {
    super(
        "MumblingBitmap",
        Calls.PLAIN,
        (scratch, out) -> {
          MemorySegment in = scratch.readable(data, 1);
          return (int) Native.MUMBLING_READ.invokeExact(in, in.byteSize(), out);
        },
        bitmap -> {
          Native.MUMBLING_FREE.invokeExact(bitmap);
          return null;
        });
  }

  /**
   * Reads a bitmap of version 1.
   *
   * @param data the whole bitmap; copied once
   * @return a bitmap that the caller closes
   * @throws DvCorruptException if counts or bounds are wrong
   * @throws DvUnsupportedException if it is of another version
   */
  public static MumblingBitmap read(byte[] data) {
    Objects.requireNonNull(data, "data");
    return read(MemorySegment.ofArray(data));
  }

  /**
   * Reads a bitmap of version 1 out of a segment.
   *
   * @param data the whole bitmap; copied once
   * @return a bitmap that the caller closes
   * @throws DvCorruptException if counts or bounds are wrong
   * @throws DvUnsupportedException if it is of another version
   */
  public static MumblingBitmap read(MemorySegment data) {
    Objects.requireNonNull(data, "data");
    return new MumblingBitmap(data);
  }

  /**
   * Writes the positions of a deletion vector in their smallest valid form.
   *
   * @param vector the vector
   * @return the bytes, for {@link #read(byte[])} or a manifest
   * @throws DvLimitException if a position is {@link #MAX_CARDINALITY} or more
   */
  public static byte[] serialize(DeletionVector vector) {
    Objects.requireNonNull(vector, "vector");
    return vector.use(
        dv -> Calls.PLAIN.bytes((s, out) -> (int) Native.MUMBLING_FROM_DV.invokeExact(dv, out)));
  }

  /**
   * Checks everything that the format promises.
   *
   * @throws DvCorruptException with the offset of the first fault, if there is one
   */
  public void validate() {
    use(
        bitmap -> {
          Calls.PLAIN.run(() -> (int) Native.MUMBLING_VALIDATE.invokeExact(bitmap));
          return null;
        });
  }

  /**
   * How many positions the header says that there are.
   *
   * @return the number, 0 to {@link #MAX_CARDINALITY}; {@link #validate} checks that it is true
   */
  public int cardinality() {
    return use(
        bitmap ->
            Calls.PLAIN.int32(
                (s, out) -> (int) Native.MUMBLING_CARDINALITY.invokeExact(bitmap, out)));
  }

  /**
   * Whether a position is set. For many positions {@link #isSet(int[])} or a mask is far cheaper.
   *
   * @param position the position, >= 0
   * @return true iff it is set; false past the end
   * @throws DvInvalidArgumentException if the position is negative
   * @throws DvCorruptException if the bytes needed break the format
   */
  public boolean isSet(int position) {
    return use(
        bitmap ->
            Calls.PLAIN.bool(
                (s, out) -> (int) Native.MUMBLING_IS_SET.invokeExact(bitmap, position, out)));
  }

  /**
   * Whether positions are set.
   *
   * @param positions the positions, >= 0, in any order
   * @return for each position 1 if it is set, else 0
   * @throws DvInvalidArgumentException if a position is negative
   * @throws DvCorruptException if the bytes needed break the format
   */
  public byte[] isSet(int[] positions) {
    Objects.requireNonNull(positions, "positions");
    long count = positions.length;
    try (Scratch scratch = new Scratch()) {
      MemorySegment in = scratch.readable(MemorySegment.ofArray(positions), Integer.BYTES);
      MemorySegment out = scratch.allocate(count, 1);
      use(
          bitmap -> {
            Calls.PLAIN.run(
                () -> (int) Native.MUMBLING_IS_SET_MANY.invokeExact(bitmap, in, count, out));
            return null;
          });
      return out.toArray(JAVA_BYTE);
    }
  }

  /**
   * All positions.
   *
   * @return the positions, ascending and distinct
   * @throws DvCorruptException if the bytes break the format, or the header's count is wrong
   */
  public int[] positions() {
    return use(
        bitmap -> {
          long capacity = cardinality();
          try (Scratch scratch = new Scratch()) {
            MemorySegment out = scratch.allocate(capacity * Integer.BYTES, Integer.BYTES);
            long found =
                Calls.PLAIN.count(
                    (s, count) ->
                        (int) Native.MUMBLING_POSITIONS.invokeExact(bitmap, out, capacity, count));
            return out.asSlice(0, found * Integer.BYTES).toArray(JAVA_INT);
          }
        });
  }

  /**
   * Which positions of a window are not set, as bits in the layout of an Arrow Boolean buffer.
   *
   * @param start the first position, >= 0
   * @param length the number of positions
   * @return (length + 7) / 8 bytes; bit i, the lowest first, is 1 iff start + i is not set
   * @throws DvInvalidArgumentException if start is negative
   * @throws DvCorruptException if the bytes needed break the format
   */
  public byte[] keepMask(int start, int length) {
    byte[] mask = new byte[(int) Elements.maskSize(length)];
    keepMask(start, length, MemorySegment.ofArray(mask));
    return mask;
  }

  /**
   * Which positions of a window are not set, as bits, into a segment; without a copy where it is
   * native.
   *
   * @param start the first position, >= 0
   * @param length the number of positions
   * @param out receives what {@link #keepMask(int, int)} returns; what it is longer is left as it
   *     is
   * @throws DvInvalidArgumentException if start is negative
   * @throws DvCorruptException if the bytes needed break the format
   * @throws DvTooSmallException if {@code out} has fewer than (length + 7) / 8 bytes
   */
  public void keepMask(int start, int length, MemorySegment out) {
    Objects.requireNonNull(out, "out");
    MemorySegment target = out.asSlice(0, Math.min(Elements.maskSize(length), out.byteSize()));
    long size = target.byteSize();
    try (Scratch scratch = new Scratch()) {
      MemorySegment written = scratch.writable(target, 1);
      use(
          bitmap -> {
            Calls.PLAIN.run(
                () ->
                    (int)
                        Native.MUMBLING_KEEP_MASK.invokeExact(
                            bitmap, start, length, written, size));
            return null;
          });
      Scratch.fill(target, written, size);
    }
  }

  /**
   * The bytes that the bitmap was read from.
   *
   * @return a copy of them
   */
  public byte[] toByteArray() {
    return use(
        bitmap -> {
          try (Scratch scratch = new Scratch()) {
            MemorySegment size = scratch.allocate(JAVA_LONG);
            MemorySegment data =
                Calls.PLAIN.pointer(
                    (s, out) -> (int) Native.MUMBLING_BUFFER.invokeExact(bitmap, out, size));
            return data.reinterpret(size.get(JAVA_LONG, 0)).toArray(JAVA_BYTE);
          }
        });
  }

  /**
   * Converts to a deletion vector.
   *
   * @return a vector that the caller closes
   * @throws DvCorruptException if the bytes break the format, or the header's count is wrong
   */
  public DeletionVector toDeletionVector() {
    return use(
        bitmap ->
            new DeletionVector(
                Calls.PLAIN,
                (scratch, out) -> (int) Native.MUMBLING_TO_DV.invokeExact(bitmap, out)));
  }
}
