package io.libdv.bench;

import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.deletes.PositionDeleteIndex;

/** Iceberg's own deletion vectors. */
final class Iceberg {
  private Iceberg() {}

  /** Reads a blob: length, magic and checksum are checked. */
  static PositionDeleteIndex read(byte[] blob, long cardinality) {
    return PositionDeleteIndex.deserialize(blob, file(blob.length, cardinality));
  }

  /** An index that holds nothing yet; its class is not public, but reading makes one. */
  static PositionDeleteIndex empty(byte[] emptyBlob) {
    return read(emptyBlob, 0);
  }

  /** The manifest entry of a vector. */
  static DeleteFile file(long size, long cardinality) {
    return FileMetadata.deleteFileBuilder(PartitionSpec.unpartitioned())
        .ofPositionDeletes()
        .withFormat(FileFormat.PUFFIN)
        .withPath("deletes.puffin")
        .withFileSizeInBytes(size + 100)
        .withReferencedDataFile("data.parquet")
        .withContentOffset(4)
        .withContentSizeInBytes(size)
        .withRecordCount(cardinality)
        .build();
  }
}
