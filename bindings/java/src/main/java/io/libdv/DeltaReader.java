package io.libdv;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.libdv.internal.Calls;
import io.libdv.internal.Native;
import io.libdv.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Reads Delta Lake deletion vectors where the parts of a descriptor are at hand. {@link
 * DeltaDescriptor} does it for a whole descriptor.
 */
public final class DeltaReader {
  private DeltaReader() {}

  /**
   * An inline deletion vector.
   *
   * @param text the Z85 text: the descriptor's {@code pathOrInlineDv}
   * @param sizeInBytes the length of what it encodes, before padding
   */
  public record Inline(String text, int sizeInBytes) {}

  /**
   * Reads a vector out of a Delta file.
   *
   * @param source the file
   * @param offset the descriptor's offset; {@link DeletionVector#UNKNOWN}: absent
   * @param sizeInBytes the descriptor's size; {@link DeletionVector#UNKNOWN}: not known
   * @param cardinality the descriptor's cardinality; {@link DeletionVector#UNKNOWN}: not known
   * @return a vector that the caller closes
   * @throws DvCorruptException if the bytes break the format
   * @throws DvMismatchException if size or cardinality differ
   * @throws DvUnsupportedException if the file's version or the vector's magic is not known
   */
  public static DeletionVector read(Source source, int offset, int sizeInBytes, long cardinality) {
    Objects.requireNonNull(source, "source");
    return source.use(
        s ->
            new DeletionVector(
                source.reading(),
                (scratch, out) ->
                    (int)
                        Native.DV_DELTA_READ.invokeExact(
                            s, offset, sizeInBytes, cardinality, out)));
  }

  /**
   * Reads an inline vector.
   *
   * @param text the Z85 text
   * @param sizeInBytes the descriptor's size; {@link DeletionVector#UNKNOWN}: not known
   * @param cardinality the descriptor's cardinality; {@link DeletionVector#UNKNOWN}: not known
   * @return a vector that the caller closes
   * @throws DvCorruptException if the text is no Z85, or what it encodes breaks the format
   * @throws DvMismatchException if size or cardinality differ
   */
  public static DeletionVector decode(String text, int sizeInBytes, long cardinality) {
    Objects.requireNonNull(text, "text");
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new DeletionVector(
        Calls.PLAIN,
        (scratch, out) -> {
          MemorySegment in = scratch.readable(MemorySegment.ofArray(bytes), 1);
          return (int)
              Native.DV_DELTA_INLINE_DECODE.invokeExact(
                  in, in.byteSize(), sizeInBytes, cardinality, out);
        });
  }

  /**
   * Writes a vector inline.
   *
   * @param vector the vector
   * @return its text and size
   * @throws DvLimitException if it is too large
   */
  public static Inline encode(DeletionVector vector) {
    Objects.requireNonNull(vector, "vector");
    try (Scratch scratch = new Scratch()) {
      MemorySegment size = scratch.allocate(JAVA_INT);
      byte[] text =
          vector.use(
              dv ->
                  Calls.PLAIN.bytes(
                      (s, out) -> (int) Native.DV_DELTA_INLINE_ENCODE.invokeExact(dv, out, size)));
      return new Inline(new String(text, StandardCharsets.US_ASCII), size.get(JAVA_INT, 0));
    }
  }
}
