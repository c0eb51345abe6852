package io.libdv.bench;

import static io.libdv.bench.Bench.expect;

import io.libdv.DeletionVector;
import io.libdv.DvReader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.roaringbitmap.RoaringBitmap;

/** T4: two blobs merged into a third. */
@State(Scope.Benchmark)
public class MergeBench implements Bench {
  @Param({"0.01%", "0.1%", "1%", "5%", "10%", "50%", "clustered", "all"})
  public String cell;

  private long[] first;
  private long[] second;
  private byte[] a;
  private byte[] b;

  @Setup
  @Override
  public void setUp() {
    first = Data.positions(cell, Data.ROWS, 1);
    second = Data.positions(cell, Data.ROWS, 2);
    a = Data.blob(first);
    b = Data.blob(second);
  }

  @Benchmark
  @Way(value = "deserialize twice, or, serialize", role = "libdv")
  public byte[] libdv() {
    try (DeletionVector into = DeletionVector.deserialize(a, first.length);
        DeletionVector other = DeletionVector.deserialize(b, second.length)) {
      into.or(other);
      return into.serialize();
    }
  }

  @Benchmark
  @Way("Iceberg merge")
  public ByteBuffer iceberg() {
    PositionDeleteIndex into = Iceberg.read(a, first.length);
    into.merge(Iceberg.read(b, second.length));
    return into.serialize();
  }

  @Benchmark
  @Way("RoaringBitmap or")
  public byte[] roaring() {
    RoaringBitmap into = Roaring.read(a);
    into.or(Roaring.read(b));
    return Roaring.write(into);
  }

  @Override
  public void verify() {
    long[] expected =
        LongStream.concat(Arrays.stream(first), Arrays.stream(second))
            .sorted()
            .distinct()
            .toArray();
    expect(Arrays.equals(DvReader.positions(libdv(), expected.length), expected), "or");
    ByteBuffer bytes = iceberg();
    byte[] merged = Arrays.copyOfRange(bytes.array(), bytes.position(), bytes.limit());
    expect(Arrays.equals(DvReader.positions(merged, expected.length), expected), "Iceberg");
    expect(
        Arrays.equals(DvReader.positions(roaring(), expected.length), expected), "RoaringBitmap");
  }

  @Override
  public int positions() {
    return first.length;
  }

  @Override
  public int size() {
    return a.length;
  }
}
