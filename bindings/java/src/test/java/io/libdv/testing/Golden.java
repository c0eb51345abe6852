package io.libdv.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The vectors that real implementations wrote, and the broken ones. */
public final class Golden {
  private static final Path FOLDER = Path.of(System.getProperty("libdv.testdata"), "golden");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonNode MANIFEST = json("manifest.json");

  private Golden() {}

  /** The manifest's files of a format. */
  public static Stream<JsonNode> files(String format) {
    return elements(MANIFEST.get("files")).filter(f -> f.get("format").asText().equals(format));
  }

  /** Every run of the hostile cases, with the case's name and what is expected of it. */
  public static List<Hostile> hostile() {
    List<Hostile> runs = new ArrayList<>();
    elements(MANIFEST.get("hostile"))
        .forEach(
            c ->
                elements(c.get("runs"))
                    .forEach(
                        run ->
                            runs.add(
                                new Hostile(
                                    c.get("name").asText(), c.get("expected").asText(), run))));
    return runs;
  }

  /** One input with one thing wrong. */
  public record Hostile(String name, String expected, JsonNode run) {
    /** What it is read as: blob, roaring64, delta, inline, puffin, mumbling. */
    public String kind() {
      return run.get("kind").asText();
    }

    @Override
    public String toString() {
      return kind() + " " + name + " (" + expected + ")";
    }
  }

  /** A JSON file of the folder. */
  public static JsonNode json(String file) {
    try {
      return JSON.readTree(path(file).toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file of the folder. */
  public static Path path(String file) {
    return FOLDER.resolve(file);
  }

  /** The bytes of a file of the folder. */
  public static byte[] bytes(String file) {
    try {
      return Files.readAllBytes(path(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The positions that a file's or a vector's node lists as ranges, in itself or in a file. */
  public static long[] positions(JsonNode node) {
    JsonNode listed = node.get("positions");
    JsonNode ranges =
        listed.has("ranges") ? listed.get("ranges") : rangesOf(listed.get("ranges_file").asText());
    return elements(ranges)
        .flatMapToLong(r -> LongStream.range(r.get(0).asLong(), r.get(1).asLong()))
        .toArray();
  }

  private static JsonNode rangesOf(String file) {
    try (InputStream in = new java.util.zip.GZIPInputStream(Files.newInputStream(path(file)))) {
      JsonNode tree = JSON.readTree(in);
      return tree.isArray() ? tree : tree.get("ranges");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** SHA-256 over all positions as 64-bit little-endian integers. */
  public static String digest(long[] positions) {
    ByteBuffer bytes =
        ByteBuffer.allocate(positions.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(positions);
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.array()));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  /** The elements of an array. */
  public static Stream<JsonNode> elements(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }
}
