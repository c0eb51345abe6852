package io.libdv;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.libdv.internal.Calls;
import io.libdv.internal.Layouts;
import io.libdv.internal.Native;
import io.libdv.internal.Text;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

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
  private static final long TYPE = member("type");
  private static final long COMPRESSION_CODEC = member("compression_codec");
  private static final long REFERENCED_DATA_FILE = member("referenced_data_file");
  private static final long CARDINALITY = member("cardinality");
  private static final long OFFSET = member("offset");
  private static final long LENGTH = member("length");
  private static final long SNAPSHOT_ID = member("snapshot_id");
  private static final long SEQUENCE_NUMBER = member("sequence_number");

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

  private static long member(String name) {
    return Layouts.offset(Layouts.PUFFIN_BLOB, name);
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
          long count =
              Calls.PLAIN.int64((s, out) -> (int) Native.DV_PUFFIN_COUNT.invokeExact(puffin, out));
          List<PuffinBlob> blobs = new ArrayList<>(Math.toIntExact(count));
          for (long i = 0; i < count; i++) {
            blobs.add(blob(puffin, i));
          }
          return Collections.unmodifiableList(blobs);
        });
  }

  private static PuffinBlob blob(MemorySegment puffin, long index) {
    MemorySegment blob =
        Calls.PLAIN
            .pointer((s, out) -> (int) Native.DV_PUFFIN_BLOB_AT.invokeExact(puffin, index, out))
            .reinterpret(Layouts.PUFFIN_BLOB.byteSize());
    return new PuffinBlob(
        Text.read(blob.get(ADDRESS, TYPE)),
        Text.read(blob.get(ADDRESS, COMPRESSION_CODEC)),
        Text.read(blob.get(ADDRESS, REFERENCED_DATA_FILE)),
        blob.get(JAVA_LONG, CARDINALITY),
        blob.get(JAVA_LONG, OFFSET),
        blob.get(JAVA_LONG, LENGTH),
        blob.get(JAVA_LONG, SNAPSHOT_ID),
        blob.get(JAVA_LONG, SEQUENCE_NUMBER));
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
