package io.libdv;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.libdv.internal.Calls;
import io.libdv.internal.Native;
import io.libdv.internal.Scratch;
import io.libdv.internal.Text;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Collects deletes per data file and writes them as one Puffin file with one deletion vector per
 * data file (Iceberg table spec v3), along with the manifest entries for it.
 *
 * {@snippet :
 * try (DvWriter writer = new DvWriter()) {
 *   writer.load("s3://bucket/t/a.parquet", existing); // what is deleted already
 *   writer.add("s3://bucket/t/a.parquet", 7, 11, 18);
 *   String entries = writer.flush(Path.of("dv.puffin"), "s3://bucket/t/dv.puffin");
 * }
 * }
 *
 * <p>The first {@code add} or {@code load} for a data file fixes its partition spec and partition;
 * later ones only add positions. Threads may use one writer; their calls exclude each other.
 */
public final class DvWriter extends NativeObject {
  private static final int UNPARTITIONED = 0;

  /** Makes a writer for an unpartitioned table: spec 0 alone. */
  public DvWriter() {
    this((String) null);
  }

  /**
   * Makes a writer.
   *
   * @param partitionSpecsJson the {@code partition-specs} array of the table's metadata; null:
   *     unpartitioned, spec 0 alone
   * @throws DvInvalidArgumentException if it is no such array
   */
  public DvWriter(String partitionSpecsJson) {
    super(
        "DvWriter",
        Calls.PLAIN,
        (scratch, out) -> {
          MemorySegment specs = Text.optional(partitionSpecsJson, "the partition specs", scratch);
          return (int) Native.DV_WRITER_NEW.invokeExact(specs, out);
        },
        writer -> {
          Native.DV_WRITER_FREE.invokeExact(writer);
          return null;
        });
  }

  /**
   * Deletes rows of a data file of an unpartitioned table.
   *
   * @param dataFile the data file's path, as the table knows it
   * @param positions 0-based row numbers in any order, duplicates allowed; none: nothing happens
   * @throws DvInvalidArgumentException if a position is negative or too large; nothing is added
   *     then
   */
  public void add(String dataFile, long... positions) {
    Objects.requireNonNull(positions, "positions");
    add(dataFile, MemorySegment.ofArray(positions), UNPARTITIONED, null);
  }

  /**
   * Deletes rows of a data file.
   *
   * @param dataFile the data file's path, as the table knows it
   * @param positions 0-based row numbers in any order, duplicates allowed; none: nothing happens
   * @param specId the partition spec that the data file was written with
   * @param partitionJson its partition: {@code {"<partition field id>": value}} with every field of
   *     the spec, null written out, or an array in the spec's order, in Iceberg's single-value
   *     JSON; null, {@code {}} or {@code []} if unpartitioned
   * @throws DvInvalidArgumentException if a position is negative or too large, or spec id and
   *     partition do not fit the specs; nothing is added then
   */
  public void add(String dataFile, long[] positions, int specId, String partitionJson) {
    Objects.requireNonNull(positions, "positions");
    add(dataFile, MemorySegment.ofArray(positions), specId, partitionJson);
  }

  /**
   * Deletes rows of a data file; without a copy of the positions where they are native.
   *
   * @param dataFile the data file's path, as the table knows it
   * @param positions 0-based row numbers as 64-bit integers in native order, in any order
   * @param specId the partition spec that the data file was written with
   * @param partitionJson its partition, as in {@link #add(String, long[], int, String)}
   * @throws DvInvalidArgumentException if a position is negative or too large, or spec id and
   *     partition do not fit the specs; nothing is added then
   * @throws IllegalArgumentException if the positions are no multiple of 8 bytes
   */
  public void add(String dataFile, MemorySegment positions, int specId, String partitionJson) {
    Objects.requireNonNull(dataFile, "dataFile");
    long count = Elements.count(positions, JAVA_LONG, "positions");
    try (Scratch scratch = new Scratch()) {
      MemorySegment file = Text.required(dataFile, "the data file", scratch);
      MemorySegment partition = Text.optional(partitionJson, "the partition", scratch);
      MemorySegment in = scratch.readable(positions, Long.BYTES);
      use(
          writer -> {
            Calls.PLAIN.run(
                () ->
                    (int)
                        Native.DV_WRITER_ADD.invokeExact(
                            writer, file, in, count, specId, partition));
            return null;
          });
    }
  }

  /**
   * From positions straight to an Iceberg {@code deletion-vector-v1} blob: {@link
   * DeletionVector#of} and {@link DeletionVector#serialize} without a vector to close, the opposite
   * of {@link DvReader#positions(byte[], long)}.
   *
   * @param positions 0-based row numbers in any order, duplicates allowed; none: the empty blob
   * @return the blob, the caller's; the same bytes as from {@link DeletionVector#serialize}
   * @throws DvInvalidArgumentException if a position is negative or above {@link
   *     DeletionVector#MAX_POSITION}
   * @throws DvLimitException if the blob would be larger than 2 GiB
   */
  public static byte[] blob(long... positions) {
    Objects.requireNonNull(positions, "positions");
    if (PositionChunks.isLarge(positions)) {
      try (DeletionVector vector = DeletionVector.of(positions)) {
        return vector.serialize();
      }
    }
    return blob(MemorySegment.ofArray(positions));
  }

  /**
   * From positions straight to a blob; without a copy of the positions where they are native.
   *
   * @param positions 0-based row numbers as 64-bit integers in native order, in any order,
   *     duplicates allowed; none: the empty blob
   * @return the blob, the caller's; the same bytes as from {@link DeletionVector#serialize}
   * @throws DvInvalidArgumentException if a position is negative or above {@link
   *     DeletionVector#MAX_POSITION}
   * @throws DvLimitException if the blob would be larger than 2 GiB
   * @throws IllegalArgumentException if the positions are no multiple of 8 bytes
   */
  public static byte[] blob(MemorySegment positions) {
    long count = Elements.count(positions, JAVA_LONG, "positions");
    try (Scratch scratch = new Scratch()) {
      MemorySegment in = scratch.readable(positions, Long.BYTES);
      return Calls.PLAIN.bytes(
          (s, out) -> (int) Native.DV_BLOB_FROM_POSITIONS.invokeExact(in, count, out));
    }
  }

  /**
   * Merges a deletion vector that a data file of an unpartitioned table has already.
   *
   * @param dataFile the data file's path, as the table knows it
   * @param existing the vector; not kept; empty: nothing happens
   */
  public void load(String dataFile, DeletionVector existing) {
    load(dataFile, existing, UNPARTITIONED, null);
  }

  /**
   * Merges a deletion vector that a data file has already.
   *
   * @param dataFile the data file's path, as the table knows it
   * @param existing the vector; not kept; empty: nothing happens
   * @param specId the partition spec that the data file was written with
   * @param partitionJson its partition, as in {@link #add(String, long[], int, String)}
   * @throws DvInvalidArgumentException if spec id and partition do not fit the specs
   */
  public void load(String dataFile, DeletionVector existing, int specId, String partitionJson) {
    Objects.requireNonNull(dataFile, "dataFile");
    Objects.requireNonNull(existing, "existing");
    try (Scratch scratch = new Scratch()) {
      MemorySegment file = Text.required(dataFile, "the data file", scratch);
      MemorySegment partition = Text.optional(partitionJson, "the partition", scratch);
      use(
          existing,
          (writer, vector) -> {
            Calls.PLAIN.run(
                () ->
                    (int)
                        Native.DV_WRITER_LOAD.invokeExact(writer, file, vector, specId, partition));
            return null;
          });
    }
  }

  /**
   * Writes the Puffin file and commits it to the sink. After success the writer is empty and can be
   * used again; after a failure it still holds everything, and the sink is dropped.
   *
   * @param sink where the file goes
   * @param location the file's path, as the table will know it
   * @return the manifest entries: a JSON array of content files in the form of the Iceberg REST
   *     catalog; {@code []} if nothing was added, and then nothing is written and the sink is
   *     dropped
   * @throws DvLimitException if a vector or the file would be too large; nothing is written then
   * @throws DvIoException if the sink fails; what a {@link FileTarget} or a channel throws is
   *     thrown as it was
   * @throws DvStateException if the sink is used up
   */
  public String flush(Sink sink, String location) {
    Objects.requireNonNull(sink, "sink");
    Objects.requireNonNull(location, "location");
    try (Scratch scratch = new Scratch()) {
      MemorySegment path = Text.required(location, "the location", scratch);
      byte[] entries =
          use(
              sink,
              (writer, s) ->
                  Calls.FILES.bytes(
                      (unused, out) ->
                          (int) Native.DV_WRITER_FLUSH.invokeExact(writer, s, path, out)));
      return new String(entries, StandardCharsets.UTF_8);
    }
  }

  /**
   * Writes the Puffin file to a path where no file is yet.
   *
   * @param file the new file, on the default file system; it appears whole or not at all
   * @param location the file's path, as the table will know it
   * @return the manifest entries, as {@link #flush(Sink, String)} returns them
   * @throws DvLimitException if a vector or the file would be too large; nothing is written then
   * @throws DvIoException if the file exists or cannot be written
   */
  public String flush(Path file, String location) {
    Objects.requireNonNull(file, "file");
    try (Sink sink = Sink.of(file)) {
      return flush(sink, location);
    }
  }
}
