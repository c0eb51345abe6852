package io.libdv;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.libdv.internal.Calls;
import io.libdv.internal.Native;
import io.libdv.internal.Scratch;
import io.libdv.internal.Text;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Reads in one go: a deletion vector for a manifest entry, or a blob's mask without any object.
 *
 * {@snippet :
 * DvEntry entry = new DvEntry(file.contentOffset(), file.contentSizeInBytes(),
 *     file.recordCount(), file.referencedDataFile());
 * try (DvReadResult read = DvReader.read(Path.of("deletes.puffin"), entry)) {
 *   byte[] mask = read.vector().keepMask(0, rowCount);
 * }
 * }
 */
public final class DvReader {
  private DvReader() {}

  /**
   * Reads the deletion vector that a manifest entry points at, checked as {@link
   * PuffinFile#readEntry} does. At most three requests go to the source, one for a small file.
   *
   * @param source the Puffin file
   * @param entry what the manifest says
   * @return the vector and the warnings about it; the caller closes it
   * @throws DvMismatchException if entry, footer and vector do not agree
   * @throws DvCorruptException if the bytes break the format
   * @throws DvUnsupportedException if the footer or the blob is coded in an unknown way
   */
  public static DvReadResult read(Source source, DvEntry entry) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(entry, "entry");
    return source.use(
        s ->
            result(
                source,
                entry,
                (name, out, warnings) ->
                    (int)
                        Native.DV_READ.invokeExact(
                            s,
                            entry.contentOffset(),
                            entry.contentSize(),
                            entry.recordCount(),
                            name,
                            out,
                            warnings)));
  }

  /**
   * Reads the deletion vector that a manifest entry points at out of a file.
   *
   * @param path the Puffin file, on the default file system
   * @param entry what the manifest says
   * @return the vector and the warnings about it; the caller closes it
   * @throws DvIoException if the file cannot be read
   * @throws DvMismatchException if entry, footer and vector do not agree
   * @throws DvCorruptException if the bytes break the format
   * @throws DvUnsupportedException if the footer or the blob is coded in an unknown way
   */
  public static DvReadResult read(Path path, DvEntry entry) {
    try (Source source = Source.of(path)) {
      return read(source, entry);
    }
  }

  /** A read for an entry. */
  @FunctionalInterface
  interface EntryCall {
    int run(MemorySegment dataFile, MemorySegment out, MemorySegment warnings) throws Throwable;
  }

  static DvReadResult result(Source source, DvEntry entry, EntryCall call) {
    try (Scratch scratch = new Scratch()) {
      MemorySegment name =
          Text.required(entry.referencedDataFile(), "the referenced data file", scratch);
      MemorySegment warnings = scratch.allocate(JAVA_INT);
      DeletionVector vector =
          new DeletionVector(source.reading(), (unused, out) -> call.run(name, out, warnings));
      return new DvReadResult(vector, DvWarning.of(warnings.get(JAVA_INT, 0)));
    }
  }

  /**
   * Reads a {@code deletion-vector-v1} blob by its range alone, whatever is around it.
   *
   * @param source the file
   * @param offset where the blob starts, in bytes
   * @param size its length, in bytes
   * @param expectedCardinality how many positions it must hold; {@link DeletionVector#UNKNOWN}: any
   * @return a vector that the caller closes
   * @throws DvCorruptException if the file has no such range, or its bytes break the format
   * @throws DvMismatchException if it holds another number of positions
   */
  public static DeletionVector readRange(
      Source source, long offset, long size, long expectedCardinality) {
    Objects.requireNonNull(source, "source");
    return source.use(
        s ->
            new DeletionVector(
                source.reading(),
                (scratch, out) ->
                    (int)
                        Native.DV_READ_RANGE.invokeExact(
                            s, offset, size, expectedCardinality, out)));
  }

  /**
   * From a {@code deletion-vector-v1} blob straight to a keep mask: {@link
   * DeletionVector#deserialize} and {@link DeletionVector#keepMask(long, long)} in one call.
   *
   * @param blob the whole blob
   * @param expectedCardinality how many positions it must hold; {@link DeletionVector#UNKNOWN}: any
   * @param start the first row, >= 0
   * @param length the number of rows
   * @return (length + 7) / 8 bytes; bit i, the lowest first, is 1 iff row start + i is kept
   * @throws DvCorruptException if the bytes break the format
   * @throws DvMismatchException if it holds another number of positions
   * @throws DvInvalidArgumentException if start is negative, or start + length overflows
   */
  public static byte[] keepMask(byte[] blob, long expectedCardinality, long start, long length) {
    Objects.requireNonNull(blob, "blob");
    byte[] out = new byte[Calls.arraySize(Elements.maskSize(length))];
    keepMask(
        MemorySegment.ofArray(blob),
        expectedCardinality,
        start,
        length,
        MemorySegment.ofArray(out));
    return out;
  }

  /**
   * From a blob straight to a keep mask in a segment; without a copy where both are native.
   *
   * @param blob the whole blob
   * @param expectedCardinality how many positions it must hold; {@link DeletionVector#UNKNOWN}: any
   * @param start the first row, >= 0
   * @param length the number of rows
   * @param out receives the mask; what it is longer is left as it is
   * @throws DvCorruptException if the bytes break the format
   * @throws DvMismatchException if it holds another number of positions
   * @throws DvInvalidArgumentException if start is negative, or start + length overflows
   * @throws DvTooSmallException if {@code out} has fewer than (length + 7) / 8 bytes
   */
  public static void keepMask(
      MemorySegment blob, long expectedCardinality, long start, long length, MemorySegment out) {
    Objects.requireNonNull(blob, "blob");
    Objects.requireNonNull(out, "out");
    MemorySegment target = out.asSlice(0, Math.min(Elements.maskSize(length), out.byteSize()));
    long size = target.byteSize();
    try (Scratch scratch = new Scratch()) {
      MemorySegment in = scratch.readable(blob, 1);
      MemorySegment written = scratch.writable(target, 1);
      Calls.PLAIN.run(
          () ->
              (int)
                  Native.DV_BLOB_KEEP_MASK.invokeExact(
                      in, in.byteSize(), expectedCardinality, start, length, written, size));
      Scratch.fill(target, written, size);
    }
  }

  /**
   * From a blob straight to its positions.
   *
   * @param blob the whole blob
   * @param expectedCardinality how many positions it must hold; {@link DeletionVector#UNKNOWN}: any
   * @return the positions, ascending and distinct
   * @throws DvCorruptException if the bytes break the format
   * @throws DvMismatchException if it holds another number of positions
   * @throws DvLimitException if there are more than an array can hold
   */
  public static long[] positions(byte[] blob, long expectedCardinality) {
    Objects.requireNonNull(blob, "blob");
    try (Scratch scratch = new Scratch()) {
      MemorySegment in = scratch.allocate(blob.length, 1).copyFrom(MemorySegment.ofArray(blob));
      try (DeletionVector vector = DeletionVector.view(in, expectedCardinality)) {
        return vector.toArray();
      }
    }
  }

  /**
   * From a blob straight to its positions in a segment; without a copy where both are native.
   *
   * @param blob the whole blob
   * @param expectedCardinality how many positions it must hold; {@link DeletionVector#UNKNOWN}: any
   * @param out receives the positions as 64-bit integers in native order
   * @return how many there are
   * @throws DvCorruptException if the bytes break the format
   * @throws DvMismatchException if it holds another number of positions
   * @throws DvTooSmallException with the number needed, if {@code out} cannot hold all
   */
  public static long positions(MemorySegment blob, long expectedCardinality, MemorySegment out) {
    Objects.requireNonNull(blob, "blob");
    Objects.requireNonNull(out, "out");
    long capacity = out.byteSize() / Long.BYTES;
    MemorySegment target = out.asSlice(0, capacity * Long.BYTES);
    try (Scratch scratch = new Scratch()) {
      MemorySegment in = scratch.readable(blob, 1);
      MemorySegment written = scratch.writable(target, Long.BYTES);
      long found =
          Calls.PLAIN.count(
              (s, count) ->
                  (int)
                      Native.DV_BLOB_POSITIONS.invokeExact(
                          in, in.byteSize(), expectedCardinality, written, capacity, count));
      Scratch.fill(target, written, found * Long.BYTES);
      return found;
    }
  }
}
