package io.libdv.bench;

import static io.libdv.bench.Bench.expect;

import io.libdv.DeletionVector;
import io.libdv.DvReader;
import io.libdv.DvWriter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** T3: sorted positions to a blob. */
@State(Scope.Benchmark)
public class EncodeBench implements Bench {
  @Param({"0.01%", "0.1%", "1%", "5%", "10%", "50%", "clustered", "all"})
  public String cell;

  private long[] positions;
  private byte[] blob;
  private byte[] emptyBlob;

  @Setup
  @Override
  public void setUp() {
    positions = Data.positions(cell, Data.ROWS, 1);
    blob = Data.blob(positions);
    emptyBlob = Data.blob(new long[0]);
  }

  @Benchmark
  @Way(value = "DvWriter.blob", role = "libdv")
  public byte[] libdv() {
    return DvWriter.blob(positions);
  }

  @Benchmark
  @Way(value = "DeletionVector.of, serialize", role = "variant")
  public byte[] libdvVector() {
    try (DeletionVector vector = DeletionVector.of(positions)) {
      return vector.serialize();
    }
  }

  @Benchmark
  @Way("Iceberg delete, serialize")
  public ByteBuffer iceberg() {
    PositionDeleteIndex index = Iceberg.empty(emptyBlob);
    for (long position : positions) {
      index.delete(position);
    }
    return index.serialize();
  }

  @Benchmark
  @Way("RoaringBitmap")
  public byte[] roaring() {
    return Roaring.write(Roaring.of(positions));
  }

  @Override
  public void verify() {
    expect(holds(libdv()), "blob");
    expect(holds(libdvVector()), "serialize");
    ByteBuffer bytes = iceberg();
    expect(holds(Arrays.copyOfRange(bytes.array(), bytes.position(), bytes.limit())), "Iceberg");
    expect(holds(roaring()), "RoaringBitmap");
  }

  private boolean holds(byte[] encoded) {
    return Arrays.equals(DvReader.positions(encoded, positions.length), positions);
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
