package io.libdv;

import io.libdv.internal.Calls;
import io.libdv.internal.Native;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * An opened Puffin file: its footer, read and checked once, and the deletion vectors behind it.
 *
 * {@snippet :
 * try (PuffinFile puffin = PuffinFile.open(Path.of("deletes.puffin"));
 *     DvReadResult read = puffin.readEntry(new DvEntry(4, 42, 1, "s3://bucket/data.parquet"))) {
 *   byte[] mask = read.vector().keepMask(0, rowCount);
 * }
 * }
 *
 * <p>Any number of threads may read from one file at a time. What a {@link RangeReader} or a
 * channel behind the source throws comes out of these methods as it was.
 */
public final class PuffinFile extends NativeObject {
  private final Source source;
  private final boolean ownsSource;

  private PuffinFile(Calls.Out open, Source source, boolean ownsSource) {
    super(
        "PuffinFile",
        source.reading(),
        open,
        puffin -> {
          Native.DV_PUFFIN_FREE.invokeExact(puffin);
          return null;
        });
    this.source = source;
    this.ownsSource = ownsSource;
  }

  /**
   * Reads the footer of a file.
   *
   * @param source the file; it must stay open as long as vectors are read, and is not closed with
   *     this
   * @return a Puffin file that the caller closes
   * @throws DvCorruptException if the bytes are no Puffin file
   * @throws DvUnsupportedException if the footer has flags or a compression that are not known
   */
  public static PuffinFile open(Source source) {
    Objects.requireNonNull(source, "source");
    return open(source, false);
  }

  /**
   * Opens a file and reads its footer.
   *
   * @param path the file, on the default file system
   * @return a Puffin file that the caller closes
   * @throws DvIoException if the file cannot be read
   * @throws DvCorruptException if the bytes are no Puffin file
   * @throws DvUnsupportedException if the footer has flags or a compression that are not known
   */
  public static PuffinFile open(Path path) {
    Source source = Source.of(path);
    try {
      return open(source, true);
    } catch (Throwable t) {
      source.close();
      throw t;
    }
  }

  private static PuffinFile open(Source source, boolean owned) {
    return source.use(
        s ->
            new PuffinFile(
                (scratch, out) -> (int) Native.DV_PUFFIN_OPEN.invokeExact(s, out), source, owned));
  }

  /**
   * The blobs of the footer, of whatever type.
   *
   * @return the blobs in the footer's order; not to be changed
   */
  public List<PuffinBlob> blobs() {
    return use(
        puffin -> {
          long count = count(puffin);
          List<PuffinBlob> blobs = new ArrayList<>(Math.toIntExact(count));
          for (long i = 0; i < count; i++) {
            blobs.add(PuffinBlob.at(puffin, i));
          }
          return Collections.unmodifiableList(blobs);
        });
  }

  /**
   * How many blobs there are, of whatever type.
   *
   * @return the size of {@link #blobs}
   */
  public int blobCount() {
    return Math.toIntExact(use(PuffinFile::count));
  }

  private static long count(MemorySegment puffin) {
    return Calls.PLAIN.int64((s, out) -> (int) Native.DV_PUFFIN_COUNT.invokeExact(puffin, out));
  }

  /**
   * The footer's payload, decompressed.
   *
   * @return the JSON text as it stands in the file
   */
  public String footerJson() {
    byte[] json =
        use(
            puffin ->
                Calls.PLAIN.bytes(
                    (s, out) -> (int) Native.DV_PUFFIN_FOOTER_JSON.invokeExact(puffin, out)));
    return new String(json, StandardCharsets.UTF_8);
  }

  /**
   * Reads the deletion vector of a blob, and checks it against the blob's cardinality where that is
   * told.
   *
   * @param index the blob's place in {@link #blobs}
   * @return a vector that the caller closes
   * @throws DvInvalidArgumentException if there is no such blob
   * @throws DvMismatchException if the blob is of another type, or its cardinality differs
   * @throws DvUnsupportedException if it is compressed
   * @throws DvCorruptException if its bytes break the format
   */
  public DeletionVector read(int index) {
    if (index < 0) {
      throw new DvInvalidArgumentException("there is no blob " + index + ": indices start at 0");
    }
    long at = index;
    return use(
        source,
        (puffin, s) ->
            new DeletionVector(
                source.reading(),
                (scratch, out) -> (int) Native.DV_PUFFIN_READ.invokeExact(puffin, at, out)));
  }

  /**
   * The keep masks of all blobs, each from row 0 on: as {@link #read} and {@link
   * DeletionVector#keepMask(long, long)} of each give them, without a vector for each.
   *
   * @param rows for each blob, in the order of {@link #blobs}, how many rows its data file has, >=
   *     0
   * @return for each blob (rows + 7) / 8 bytes; bit i, the lowest first, is 1 iff row i is kept;
   *     bits past the rows are 0. The list is not to be changed, the arrays are the caller's
   * @throws DvInvalidArgumentException if there is another number of rows than of blobs, or one is
   *     negative; nothing is read then
   * @throws DvLimitException if an array cannot hold a mask; nothing is read then
   * @throws DvException as {@link #read} does; its text names the blob
   */
  public List<byte[]> keepMasks(long[] rows) {
    return arrays(PuffinMasks.ofAll(rows));
  }

  /**
   * The keep masks of some blobs, each from row 0 on.
   *
   * @param blobs the blobs' places in {@link #blobs}, in any order, duplicates allowed
   * @param rows for each of them how many rows its data file has, >= 0
   * @return for each of them its mask, as from {@link #keepMasks(long[])}
   * @throws DvInvalidArgumentException if there is another number of rows than of blobs, if one is
   *     negative, or if there is no such blob; nothing is read then
   * @throws DvLimitException if an array cannot hold a mask; nothing is read then
   * @throws DvException as {@link #read} does; its text names the blob
   */
  public List<byte[]> keepMasks(int[] blobs, long[] rows) {
    return arrays(PuffinMasks.of(blobs, rows));
  }

  private List<byte[]> arrays(PuffinMasks masks) {
    return use(
        source,
        (puffin, s) -> {
          masks.check(count(puffin));
          return masks.arrays(source.reading(), puffin);
        });
  }

  /**
   * The keep masks of all blobs, each from row 0 on, into one segment; without a copy where it is
   * native.
   *
   * {@snippet :
   * long size = Arrays.stream(rows).map(PuffinFile::keepMaskRoom).sum();
   * List<MemorySegment> masks = puffin.keepMasks(rows, arena.allocate(size, 64));
   * }
   *
   * @param rows for each blob, in the order of {@link #blobs}, how many rows its data file has, >=
   *     0
   * @param out receives the masks, one after the other; each takes {@link #keepMaskRoom} bytes and
   *     so begins a multiple of 64 bytes from the start, with zero bytes behind it (Arrow columnar
   *     format, "Buffer Alignment and Padding"); what it is longer is left as it is
   * @return for each blob the (rows + 7) / 8 bytes of {@code out} with its mask, as from {@link
   *     #keepMasks(long[])}; they live as long as {@code out} does, not as this. The list is not to
   *     be changed
   * @throws DvInvalidArgumentException if there is another number of rows than of blobs, if one is
   *     negative, or if the masks take more bytes together than a long can say; nothing is read or
   *     written then
   * @throws DvTooSmallException if {@code out} does not hold all masks; nothing is read or written
   *     then
   * @throws IllegalArgumentException if {@code out} is read-only
   * @throws DvException as {@link #read} does; its text names the blob, and the contents of {@code
   *     out} are unspecified then
   */
  public List<MemorySegment> keepMasks(long[] rows, MemorySegment out) {
    return segments(PuffinMasks.ofAll(rows), out);
  }

  /**
   * The keep masks of some blobs, each from row 0 on, into one segment; without a copy where it is
   * native.
   *
   * @param blobs the blobs' places in {@link #blobs}, in any order, duplicates allowed
   * @param rows for each of them how many rows its data file has, >= 0
   * @param out receives the masks in the order of {@code blobs}, laid out as by {@link
   *     #keepMasks(long[], MemorySegment)}
   * @return for each of them the bytes of {@code out} with its mask
   * @throws DvInvalidArgumentException if there is another number of rows than of blobs, if one is
   *     negative, if there is no such blob, or if the masks take more bytes together than a long
   *     can say; nothing is read or written then
   * @throws DvTooSmallException if {@code out} does not hold all masks; nothing is read or written
   *     then
   * @throws IllegalArgumentException if {@code out} is read-only
   * @throws DvException as {@link #read} does; its text names the blob, and the contents of {@code
   *     out} are unspecified then
   */
  public List<MemorySegment> keepMasks(int[] blobs, long[] rows, MemorySegment out) {
    return segments(PuffinMasks.of(blobs, rows), out);
  }

  private List<MemorySegment> segments(PuffinMasks masks, MemorySegment out) {
    Objects.requireNonNull(out, "out");
    return use(
        source,
        (puffin, s) -> {
          masks.check(count(puffin));
          return masks.segments(source.reading(), puffin, out);
        });
  }

  /**
   * The bytes that a mask takes among those that {@link #keepMasks(long[], MemorySegment)} writes.
   *
   * @param rows the mask's rows, >= 0
   * @return (rows + 7) / 8, rounded up to a multiple of 64; 0 for a negative number
   */
  public static long keepMaskRoom(long rows) {
    return PuffinMasks.room(rows);
  }

  /**
   * Reads the deletion vector that a manifest entry points at, checked against the entry and the
   * footer: a blob of exactly that range, of the right type, for the same data file, holding as
   * many positions as the entry says (Puffin spec, {@code deletion-vector-v1}).
   *
   * @param entry what the manifest says
   * @return the vector and the warnings about it; the caller closes it
   * @throws DvMismatchException if entry, footer and vector do not agree
   * @throws DvCorruptException if the bytes break the format
   * @throws DvUnsupportedException if the blob is compressed
   */
  public DvReadResult readEntry(DvEntry entry) {
    Objects.requireNonNull(entry, "entry");
    return use(
        source,
        (puffin, s) ->
            DvReader.result(
                source,
                entry,
                (name, out, warnings) ->
                    (int)
                        Native.DV_PUFFIN_READ_ENTRY.invokeExact(
                            puffin,
                            entry.contentOffset(),
                            entry.contentSize(),
                            entry.recordCount(),
                            name,
                            out,
                            warnings)));
  }

  /** Frees the footer, and closes the file where {@link #open(Path)} opened it. */
  @Override
  public void close() {
    try {
      super.close();
    } finally {
      if (ownsSource) {
        source.close();
      }
    }
  }
}
