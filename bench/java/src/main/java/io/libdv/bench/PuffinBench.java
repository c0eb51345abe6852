package io.libdv.bench;

import static io.libdv.bench.Bench.expect;

import io.libdv.DeletionVector;
import io.libdv.DvWriter;
import io.libdv.PuffinFile;
import io.libdv.Sink;
import io.libdv.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.apache.iceberg.inmemory.InMemoryInputFile;
import org.apache.iceberg.puffin.BlobMetadata;
import org.apache.iceberg.puffin.Puffin;
import org.apache.iceberg.puffin.PuffinReader;
import org.apache.iceberg.util.Pair;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** T7: a Puffin file of 1,000 vectors: opened, all of them read and masked. */
@State(Scope.Benchmark)
public class PuffinBench implements Bench {
  @Param({"1000 vectors over 100000 rows"})
  public String cell;

  private static final int VECTORS = 1000;
  private static final int ROWS = 100_000;
  private static final int POSITIONS = 1000;

  private byte[] file;
  private MemorySegment nativeMask;
  private byte[] mask;

  @Setup
  @Override
  public void setUp() {
    nativeMask = Arena.ofAuto().allocate((ROWS + 7) / 8);
    mask = new byte[(ROWS + 7) / 8];
    try (DvWriter writer = new DvWriter();
        Sink sink = Sink.memory()) {
      for (int i = 0; i < VECTORS; i++) {
        writer.add("s3://warehouse/db/table/data/%05d.parquet".formatted(i), positions(i));
      }
      writer.flush(sink, "s3://warehouse/db/table/data/deletes.puffin");
      file = sink.take();
    }
  }

  private static long[] positions(int index) {
    return Data.sample(POSITIONS, ROWS, 7000 + index);
  }

  @Benchmark
  @Way(value = "PuffinFile.open, read, keepMask, native segment", role = "libdv")
  public void libdv(Blackhole scan) {
    libdv(vector -> vector.keepMask(0, ROWS, nativeMask), scan::consume, nativeMask);
  }

  @Benchmark
  @Way(value = "PuffinFile.open, read, keepMask, array", role = "variant")
  public void libdvArray(Blackhole scan) {
    libdv(vector -> vector.keepMask(0, ROWS, mask), scan::consume, mask);
  }

  /** Hands the mask, filled anew for each vector, to a scan. */
  private <M> void libdv(Consumer<DeletionVector> fill, Consumer<M> scan, M mask) {
    try (Source source = Source.of(file);
        PuffinFile puffin = PuffinFile.open(source)) {
      int count = puffin.blobs().size();
      for (int i = 0; i < count; i++) {
        try (DeletionVector vector = puffin.read(i)) {
          fill.accept(vector);
        }
        scan.accept(mask);
      }
    }
  }

  @Benchmark
  @Way("Iceberg Puffin, forEach")
  public void icebergForEach(Blackhole scan) {
    iceberg(scan::consume);
  }

  private void iceberg(Consumer<byte[]> scan) {
    byte[] out = mask;
    try (PuffinReader reader = Puffin.read(new InMemoryInputFile(file)).build()) {
      List<BlobMetadata> blobs = reader.fileMetadata().blobs();
      for (Pair<BlobMetadata, ByteBuffer> blob : reader.readAll(blobs)) {
        long cardinality = Long.parseLong(blob.first().properties().get("cardinality"));
        byte[] bytes = new byte[blob.second().remaining()];
        blob.second().get(bytes);
        Data.keepAll(out, ROWS);
        Iceberg.read(bytes, cardinality).forEach(position -> Data.clear(out, position));
        scan.accept(out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void verify() {
    List<byte[]> expected = new ArrayList<>(VECTORS);
    for (int i = 0; i < VECTORS; i++) {
      expected.add(Data.mask(positions(i), ROWS));
    }
    List<byte[]> masks = new ArrayList<>();
    libdv(
        vector -> vector.keepMask(0, ROWS, nativeMask),
        (MemorySegment filled) -> masks.add(filled.toArray(ValueLayout.JAVA_BYTE)),
        nativeMask);
    expect(Arrays.deepEquals(masks.toArray(), expected.toArray()), "a native segment");
    masks.clear();
    libdv(vector -> vector.keepMask(0, ROWS, mask), filled -> masks.add(filled.clone()), mask);
    expect(Arrays.deepEquals(masks.toArray(), expected.toArray()), "an array");
    masks.clear();
    iceberg(filled -> masks.add(filled.clone()));
    expect(Arrays.deepEquals(masks.toArray(), expected.toArray()), "Iceberg");
  }

  @Override
  public int positions() {
    return POSITIONS;
  }

  @Override
  public int size() {
    return file.length;
  }
}
