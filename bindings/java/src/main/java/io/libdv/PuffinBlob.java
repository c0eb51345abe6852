package io.libdv;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.libdv.internal.Calls;
import io.libdv.internal.Layouts;
import io.libdv.internal.Native;
import io.libdv.internal.Text;
import java.lang.foreign.MemorySegment;

/**
 * A blob as the footer of a Puffin file lists it.
 *
 * @param type {@code deletion-vector-v1} for a deletion vector; other types occur
 * @param compressionCodec the codec, or null: none
 * @param referencedDataFile the data file whose rows it deletes, or null: not told
 * @param cardinality how many rows it says that it deletes; {@link DeletionVector#UNKNOWN}: not
 *     told
 * @param offset where it starts, in bytes from the start of the file
 * @param length its length, in bytes
 * @param snapshotId the snapshot it was written for; -1 in deletion vectors
 * @param sequenceNumber the sequence number it was written for; -1 in deletion vectors
 */
public record PuffinBlob(
    String type,
    String compressionCodec,
    String referencedDataFile,
    long cardinality,
    long offset,
    long length,
    long snapshotId,
    long sequenceNumber) {
  private static final long TYPE = member("type");
  private static final long COMPRESSION_CODEC = member("compression_codec");
  private static final long REFERENCED_DATA_FILE = member("referenced_data_file");
  private static final long CARDINALITY = member("cardinality");
  private static final long OFFSET = member("offset");
  private static final long LENGTH = member("length");
  private static final long SNAPSHOT_ID = member("snapshot_id");
  private static final long SEQUENCE_NUMBER = member("sequence_number");

  private static long member(String name) {
    return Layouts.offset(Layouts.PUFFIN_BLOB, name);
  }

  /** What a file that stays open meanwhile says of a blob that it has. */
  static PuffinBlob at(MemorySegment puffin, long index) {
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
}
