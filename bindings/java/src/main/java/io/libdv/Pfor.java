package io.libdv;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.libdv.internal.Calls;
import io.libdv.internal.Native;
import io.libdv.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * The PFOR coding of unsigned bytes in appendix A of the Mumbling format, for those who implement
 * it.
 */
public final class Pfor {
  private Pfor() {}

  /**
   * Encodes bytes.
   *
   * @param values the values, taken as unsigned
   * @return the code, byte for byte as Iceberg Java chooses it
   */
  public static byte[] encode(byte[] values) {
    Objects.requireNonNull(values, "values");
    try (Scratch scratch = new Scratch()) {
      MemorySegment in = scratch.readable(MemorySegment.ofArray(values), 1);
      return Calls.PLAIN.bytes(
          (s, out) -> (int) Native.MUMBLING_PFOR_ENCODE.invokeExact(in, in.byteSize(), out));
    }
  }

  /**
   * Decodes bytes; whatever follows them is left alone.
   *
   * @param data the code
   * @param values receives as many values as it has room for
   * @return how many bytes of the code that took
   * @throws DvCorruptException if the code breaks the format or ends early
   */
  public static int decode(byte[] data, byte[] values) {
    Objects.requireNonNull(data, "data");
    Objects.requireNonNull(values, "values");
    try (Scratch scratch = new Scratch()) {
      MemorySegment in = scratch.readable(MemorySegment.ofArray(data), 1);
      MemorySegment out = scratch.allocate(values.length, 1);
      long consumed =
          Calls.PLAIN.int64(
              (s, count) ->
                  (int)
                      Native.MUMBLING_PFOR_DECODE.invokeExact(
                          in, in.byteSize(), out, out.byteSize(), count));
      MemorySegment.copy(out, JAVA_BYTE, 0, values, 0, values.length);
      return (int) consumed;
    }
  }

  /**
   * An upper bound of the size of the code.
   *
   * @param count the number of values, >= 0
   * @return the bound, in bytes
   * @throws DvInvalidArgumentException if the number is negative
   */
  public static long estimate(int count) {
    if (count < 0) {
      throw new DvInvalidArgumentException(
          "the number of values is " + count + ", which is negative");
    }
    long size = count;
    return Calls.PLAIN.int64(
        (s, out) -> (int) Native.MUMBLING_PFOR_ESTIMATE.invokeExact(size, out));
  }
}
