package io.libdv;

import io.libdv.internal.Native;
import io.libdv.internal.Text;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Tells what bytes are and how they are built, as one JSON object: the format, each vector with its
 * cardinality, bounds and containers, which checks were passed, and the first fault in full. It
 * succeeds on damaged bytes too: that is what it is for. The members of the object are those of
 * {@code dv_inspect}; later versions may add some.
 *
 * {@snippet :
 * System.out.println(DvInspector.inspect(Path.of("deletes.puffin")));
 * }
 */
public final class DvInspector {
  private DvInspector() {}

  /**
   * Guesses the format of some bytes and inspects them.
   *
   * @param source the bytes
   * @return the JSON object; its {@code format} is {@code "unknown"} where none fits
   * @throws DvIoException if reading fails
   */
  public static String inspect(Source source) {
    return inspect(source, null);
  }

  /**
   * Guesses the format of a file and inspects it.
   *
   * @param path the file, on the default file system
   * @return the JSON object; its {@code format} is {@code "unknown"} where none fits
   * @throws DvIoException if the file cannot be read
   */
  public static String inspect(Path path) {
    try (Source source = Source.of(path)) {
      return inspect(source, null);
    }
  }

  /**
   * Inspects bytes of a known format.
   *
   * @param source the bytes
   * @param format {@code "puffin"}, {@code "dv-blob"}, {@code "delta-dv"}, {@code "roaring-64"} or
   *     {@code "mumbling"}; null or {@code "unknown"}: guess
   * @return the JSON object
   * @throws DvInvalidArgumentException if the format has no such name
   * @throws DvIoException if reading fails
   */
  public static String inspect(Source source, String format) {
    Objects.requireNonNull(source, "source");
    byte[] json =
        source.use(
            s ->
                source
                    .reading()
                    .bytes(
                        (scratch, out) ->
                            (int)
                                Native.DV_INSPECT.invokeExact(
                                    s, Text.optional(format, "the format", scratch), out)));
    return new String(json, StandardCharsets.UTF_8);
  }
}
