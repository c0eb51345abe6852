package io.libdv.bench;

import static io.libdv.bench.Bench.expect;

import io.libdv.DeletionVector;
import io.libdv.DvReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.roaringbitmap.BitSetUtil;

/** T1: a blob to the keep mask of all its rows, in a buffer that is used again and again. */
@State(Scope.Benchmark)
public class MaskBench implements Bench {
  @Param({"0.01%", "0.1%", "1%", "5%", "10%", "50%", "clustered", "all"})
  public String cell;

  private static final int ROWS = Data.ROWS;
  private long[] positions;
  private byte[] blob;
  private MemorySegment nativeBlob;
  private MemorySegment nativeMask;
  private byte[] mask;

  @Setup
  @Override
  public void setUp() {
    positions = Data.positions(cell, ROWS, 1);
    blob = Data.blob(positions);
    nativeBlob = Arena.ofAuto().allocate(blob.length).copyFrom(MemorySegment.ofArray(blob));
    nativeMask = Arena.ofAuto().allocate((ROWS + 7) / 8);
    mask = new byte[(ROWS + 7) / 8];
  }

  @Benchmark
  @Way(value = "DvReader.keepMask, native segments", role = "libdv")
  public MemorySegment libdv() {
    DvReader.keepMask(nativeBlob, positions.length, 0, ROWS, nativeMask);
    return nativeMask;
  }

  @Benchmark
  @Way(value = "DvReader.keepMask, new array", role = "variant")
  public byte[] libdvArray() {
    return DvReader.keepMask(blob, positions.length, 0, ROWS);
  }

  @Benchmark
  @Way(value = "DeletionVector.deserialize, keepMask into an array", role = "variant")
  public byte[] libdvHandle() {
    try (DeletionVector vector = DeletionVector.deserialize(blob, positions.length)) {
      vector.keepMask(0, ROWS, mask);
    }
    return mask;
  }

  @Benchmark
  @Way("Iceberg isDeleted per row")
  public byte[] icebergIsDeleted() {
    PositionDeleteIndex index = Iceberg.read(blob, positions.length);
    Arrays.fill(mask, (byte) 0);
    for (int row = 0; row < ROWS; row++) {
      if (!index.isDeleted(row)) {
        mask[row >>> 3] |= (byte) (1 << (row & 7));
      }
    }
    return mask;
  }

  @Benchmark
  @Way("Iceberg forEach")
  public byte[] icebergForEach() {
    Data.keepAll(mask, ROWS);
    byte[] out = mask;
    Iceberg.read(blob, positions.length).forEach(position -> Data.clear(out, position));
    return mask;
  }

  @Benchmark
  @Way("RoaringBitmap batches")
  public byte[] roaringBatch() {
    Roaring.maskByBatch(Roaring.read(blob), mask, ROWS);
    return mask;
  }

  @Benchmark
  @Way("RoaringBitmap bit set")
  public byte[] roaringBitSet() {
    BitSet kept = BitSetUtil.bitsetOfWithoutCopy(Roaring.read(blob));
    kept.flip(0, ROWS);
    return Arrays.copyOf(kept.toByteArray(), (ROWS + 7) / 8);
  }

  @Override
  public void verify() {
    byte[] expected = Data.mask(positions, ROWS);
    expect(MemorySegment.ofArray(expected).mismatch(libdv()) == -1, "native segments");
    expect(Arrays.equals(libdvArray(), expected), "a new array");
    expect(Arrays.equals(libdvHandle(), expected), "DeletionVector.keepMask");
    Arrays.fill(mask, (byte) 0x5A);
    expect(Arrays.equals(icebergIsDeleted(), expected), "isDeleted");
    Arrays.fill(mask, (byte) 0x5A);
    expect(Arrays.equals(icebergForEach(), expected), "forEach");
    Arrays.fill(mask, (byte) 0x5A);
    expect(Arrays.equals(roaringBatch(), expected), "batches");
    expect(Arrays.equals(roaringBitSet(), expected), "bit set");
  }

  @Override
  public int positions() {
    return positions.length;
  }

  @Override
  public int size() {
    return blob.length;
  }
}
