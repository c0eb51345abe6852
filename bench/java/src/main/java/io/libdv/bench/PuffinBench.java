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
import java.util.function.Function;
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
  private long[] rows;
  private MemorySegment nativeMasks;
  private MemorySegment nativeMask;
  private byte[] mask;

  @Setup
  @Override
  public void setUp() {
    rows = new long[VECTORS];
    Arrays.fill(rows, ROWS);
    nativeMasks = Arena.ofAuto().allocate(VECTORS * PuffinFile.keepMaskRoom(ROWS), 64);
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
  @Way(value = "PuffinFile.open, keepMasks, native segment", role = "libdv")
  public void libdv(Blackhole scan) {
    many(puffin -> puffin.keepMasks(rows, nativeMasks), scan::consume);
  }

  @Benchmark
  @Way(value = "PuffinFile.open, keepMasks, arrays", role = "variant")
  public void libdvArrays(Blackhole scan) {
    many(puffin -> puffin.keepMasks(rows), scan::consume);
  }

  /** Hands the masks, made all at once, to a scan. */
  private <M> void many(Function<PuffinFile, List<M>> read, Consumer<M> scan) {
    try (Source source = Source.of(file);
        PuffinFile puffin = PuffinFile.open(source)) {
      read.apply(puffin).forEach(scan);
    }
  }

  @Benchmark
  @Way(value = "PuffinFile.open, read, keepMask, native segment", role = "variant")
  public void libdvEach(Blackhole scan) {
    each(scan::consume);
  }

  /** Hands the mask, filled anew for each vector, to a scan. */
  private void each(Consumer<MemorySegment> scan) {
    try (Source source = Source.of(file);
        PuffinFile puffin = PuffinFile.open(source)) {
      int count = puffin.blobCount();
      for (int i = 0; i < count; i++) {
        try (DeletionVector vector = puffin.read(i)) {
          vector.keepMask(0, ROWS, nativeMask);
        }
        scan.accept(nativeMask);
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
    Consumer<MemorySegment> copy = filled -> masks.add(filled.toArray(ValueLayout.JAVA_BYTE));
    many(puffin -> puffin.keepMasks(rows, nativeMasks), copy);
    expect(Arrays.deepEquals(masks.toArray(), expected.toArray()), "keepMasks, a native segment");
    masks.clear();
    many(puffin -> puffin.keepMasks(rows), masks::add);
    expect(Arrays.deepEquals(masks.toArray(), expected.toArray()), "keepMasks, arrays");
    masks.clear();
    each(copy);
    expect(Arrays.deepEquals(masks.toArray(), expected.toArray()), "keepMask");
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
