package io.libdv;

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
    long sequenceNumber) {}
