package io.libdv.iceberg;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.libdv.DeletionVector;
import io.libdv.DvReader;
import io.libdv.testing.NoLeaks;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Blobs go to Iceberg's {@link PositionDeleteIndex} and come from it: same bytes, same positions.
 */
@ExtendWith(NoLeaks.class)
class PositionDeleteIndexTest {
  static List<Shapes> shapes() {
    return Shapes.all();
  }

  private static DeleteFile entry(long size, long cardinality) {
    return FileMetadata.deleteFileBuilder(PartitionSpec.unpartitioned())
        .ofPositionDeletes()
        .withFormat(FileFormat.PUFFIN)
        .withPath("file:/dv.puffin")
        .withFileSizeInBytes(size + 100)
        .withContentOffset(4)
        .withContentSizeInBytes(size)
        .withReferencedDataFile("file:/data.parquet")
        .withRecordCount(cardinality)
        .build();
  }

  private static long[] positions(PositionDeleteIndex index) {
    LongStream.Builder found = LongStream.builder();
    index.forEach(found::add);
    return found.build().toArray();
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void icebergReadsWhatWeWrite(Shapes shape) {
    byte[] blob;
    try (DeletionVector dv = DeletionVector.of(shape.positions())) {
      blob = dv.serialize();
    }
    PositionDeleteIndex index =
        PositionDeleteIndex.deserialize(blob, entry(blob.length, shape.positions().length));
    assertEquals(shape.positions().length, index.cardinality());
    assertArrayEquals(shape.positions(), positions(index));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void weWriteIcebergsBytesAndReadThem(Shapes shape) {
    PositionDeleteIndex index = PositionDeleteIndex.empty();
    PositionDeleteIndex javas =
        PositionDeleteIndex.deserialize(emptyBlob(), entry(20, 0)); // a bitmap, not the empty index
    assertTrue(index.isEmpty());
    Arrays.stream(shape.positions()).forEach(javas::delete);
    byte[] blob = bytes(javas.serialize());
    try (DeletionVector dv = DeletionVector.of(shape.positions());
        DeletionVector read = DeletionVector.deserialize(blob, shape.positions().length)) {
      assertArrayEquals(blob, dv.serialize());
      assertArrayEquals(shape.positions(), read.toArray());
    }
  }

  private static byte[] emptyBlob() {
    try (DeletionVector empty = new DeletionVector()) {
      return empty.serialize();
    }
  }

  @Test
  void masksAgreeWithIsDeletedRowByRow() {
    for (Shapes shape : Shapes.all()) {
      try (DeletionVector dv = DeletionVector.of(shape.positions())) {
        byte[] blob = dv.serialize();
        PositionDeleteIndex index =
            PositionDeleteIndex.deserialize(blob, entry(blob.length, shape.positions().length));
        byte[] mask = DvReader.keepMask(blob, shape.positions().length, 0, 310_000);
        for (int row = 0; row < 310_000; row++) {
          boolean kept = (mask[row / 8] >> (row % 8) & 1) == 1;
          assertEquals(!index.isDeleted(row), kept);
        }
      }
    }
  }
}
