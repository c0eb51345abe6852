package io.libdv.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import org.roaringbitmap.BatchIterator;
import org.roaringbitmap.RoaringBitmap;

/** What one would write around RoaringBitmap: the frame, and bitmaps of key 0. */
final class Roaring {
  private static final int MAGIC = 0x6439D3D1;
  private static final int FRAME = 24;

  private Roaring() {}

  /** Checks the frame and reads the bitmap of key 0. */
  static RoaringBitmap read(byte[] blob) {
    ByteBuffer bytes = ByteBuffer.wrap(blob).order(ByteOrder.LITTLE_ENDIAN);
    if (Integer.reverseBytes(bytes.getInt(0)) != blob.length - 8
        || bytes.getInt(4) != MAGIC
        || Integer.reverseBytes(bytes.getInt(blob.length - 4)) != checksum(blob)
        || bytes.getLong(8) != 1
        || bytes.getInt(16) != 0) {
      throw new IllegalArgumentException("no vector of one key");
    }
    RoaringBitmap bitmap = new RoaringBitmap();
    try {
      bitmap.deserialize(bytes.position(20).slice());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bitmap;
  }

  /** The blob of a bitmap of key 0, its runs optimised. */
  static byte[] write(RoaringBitmap bitmap) {
    bitmap.runOptimize();
    byte[] blob = new byte[bitmap.serializedSizeInBytes() + FRAME];
    ByteBuffer bytes = ByteBuffer.wrap(blob).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(Integer.reverseBytes(blob.length - 8)).putInt(MAGIC).putLong(1).putInt(0);
    bitmap.serialize(bytes);
    bytes.putInt(blob.length - 4, Integer.reverseBytes(checksum(blob)));
    return blob;
  }

  /** The bitmap of positions below 2^32. */
  static RoaringBitmap of(long[] positions) {
    int[] values = new int[positions.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = (int) positions[i];
    }
    return RoaringBitmap.bitmapOf(values);
  }

  /** Fills the keep mask, a batch of values at a time. */
  static void maskByBatch(RoaringBitmap bitmap, byte[] mask, int rows) {
    Data.keepAll(mask, rows);
    int[] batch = new int[256];
    for (BatchIterator values = bitmap.getBatchIterator(); values.hasNext(); ) {
      int count = values.nextBatch(batch);
      for (int i = 0; i < count; i++) {
        Data.clear(mask, batch[i]);
      }
    }
  }

  private static int checksum(byte[] blob) {
    CRC32 crc = new CRC32();
    crc.update(blob, 4, blob.length - 8);
    return (int) crc.getValue();
  }
}
