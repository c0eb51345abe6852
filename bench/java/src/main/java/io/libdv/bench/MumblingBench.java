package io.libdv.bench;

import static io.libdv.bench.Bench.expect;

import io.libdv.DeletionVector;
import io.libdv.MumblingBitmap;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.iceberg.ManifestBitmap;
import org.apache.iceberg.mumbling.MumblingBitmaps;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** T5: a Mumbling bitmap to the keep mask of its rows, and to its positions. */
@State(Scope.Benchmark)
public class MumblingBench implements Bench {
  @Param({
    "50000 rows, 100 positions",
    "50000 rows, 1%",
    "50000 rows, 10%",
    "50000 rows, 50%",
    "50000 rows, all",
    "2097152 rows, 100 positions",
    "2097152 rows, 1%",
    "2097152 rows, 10%",
    "2097152 rows, 50%",
    "2097152 rows, all"
  })
  public String cell;

  private int rows;
  private long[] positions;
  private byte[] data;

  @Setup
  @Override
  public void setUp() {
    String[] parts = cell.split(" rows, ");
    rows = Integer.parseInt(parts[0]);
    positions = Data.positions(parts[1], rows, 50);
    try (DeletionVector vector = DeletionVector.of(positions)) {
      data = MumblingBitmap.serialize(vector);
    }
  }

  @Benchmark
  @Way(value = "MumblingBitmap.read, keepMask", role = "libdv")
  public byte[] libdv() {
    try (MumblingBitmap bitmap = MumblingBitmap.read(data)) {
      return bitmap.keepMask(0, rows);
    }
  }

  @Benchmark
  @Way(value = "MumblingBitmap.read, positions", role = "variant")
  public int[] libdvPositions() {
    try (MumblingBitmap bitmap = MumblingBitmap.read(data)) {
      return bitmap.positions();
    }
  }

  @Benchmark
  @Way("Iceberg isSet per row")
  public byte[] icebergIsSet() {
    ManifestBitmap bitmap = MumblingBitmaps.read(ByteBuffer.wrap(data));
    byte[] mask = new byte[(rows + 7) / 8];
    for (int row = 0; row < rows; row++) {
      if (!bitmap.isSet(row)) {
        mask[row >>> 3] |= (byte) (1 << (row & 7));
      }
    }
    return mask;
  }

  @Override
  public void verify() {
    byte[] mask = Data.mask(positions, rows);
    expect(Arrays.equals(libdv(), mask), "keepMask");
    expect(
        Arrays.equals(Arrays.stream(libdvPositions()).asLongStream().toArray(), positions),
        "positions");
    expect(Arrays.equals(icebergIsSet(), mask), "isSet");
  }

  @Override
  public int positions() {
    return positions.length;
  }

  @Override
  public int size() {
    return data.length;
  }
}
