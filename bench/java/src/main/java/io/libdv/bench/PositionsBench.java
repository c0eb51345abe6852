package io.libdv.bench;

import static io.libdv.bench.Bench.expect;

import io.libdv.DvReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.roaringbitmap.BatchIterator;

/** T2: a blob to its positions, in a buffer that is used again and again. */
@State(Scope.Benchmark)
public class PositionsBench implements Bench {
  @Param({"0.01%", "0.1%", "1%", "5%", "10%", "50%", "clustered", "all"})
  public String cell;

  private long[] positions;
  private byte[] blob;
  private MemorySegment nativeBlob;
  private MemorySegment nativeOut;
  private long[] out;

  @Setup
  @Override
  public void setUp() {
    positions = Data.positions(cell, Data.ROWS, 1);
    blob = Data.blob(positions);
    nativeBlob = Arena.ofAuto().allocate(blob.length).copyFrom(MemorySegment.ofArray(blob));
    nativeOut = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG, positions.length);
    out = new long[positions.length];
  }

  @Benchmark
  @Way(value = "DvReader.positions, native segments", role = "libdv")
  public MemorySegment libdv() {
    DvReader.positions(nativeBlob, positions.length, nativeOut);
    return nativeOut;
  }

  @Benchmark
  @Way(value = "DvReader.positions, new array", role = "variant")
  public long[] libdvArray() {
    return DvReader.positions(blob, positions.length);
  }

  /** An array that fills from its start. */
  private static final class Filling implements LongConsumer {
    private final long[] out;
    private int count;

    Filling(long[] out) {
      this.out = out;
    }

    @Override
    public void accept(long position) {
      out[count++] = position;
    }
  }

  @Benchmark
  @Way("Iceberg forEach")
  public long[] icebergForEach() {
    Iceberg.read(blob, positions.length).forEach(new Filling(out));
    return out;
  }

  @Benchmark
  @Way("RoaringBitmap batches")
  public long[] roaringBatch() {
    int written = 0;
    int[] batch = new int[256];
    for (BatchIterator values = Roaring.read(blob).getBatchIterator(); values.hasNext(); ) {
      int count = values.nextBatch(batch);
      for (int i = 0; i < count; i++) {
        out[written + i] = Integer.toUnsignedLong(batch[i]);
      }
      written += count;
    }
    return out;
  }

  @Benchmark
  @Way("RoaringBitmap toArray")
  public long[] roaringArray() {
    int[] values = Roaring.read(blob).toArray();
    for (int i = 0; i < out.length; i++) {
      out[i] = Integer.toUnsignedLong(values[i]);
    }
    return out;
  }

  @Override
  public void verify() {
    expect(MemorySegment.ofArray(positions).mismatch(libdv()) == -1, "native segments");
    expect(Arrays.equals(libdvArray(), positions), "a new array");
    Arrays.fill(out, -1);
    expect(Arrays.equals(icebergForEach(), positions), "forEach");
    Arrays.fill(out, -1);
    expect(Arrays.equals(roaringBatch(), positions), "batches");
    Arrays.fill(out, -1);
    expect(Arrays.equals(roaringArray(), positions), "toArray");
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
