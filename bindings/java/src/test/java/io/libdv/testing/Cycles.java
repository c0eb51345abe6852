package io.libdv.testing;

import io.libdv.DeletionVector;
import io.libdv.DeltaDescriptor;
import io.libdv.DeltaDvWriter;
import io.libdv.DvCorruptException;
import io.libdv.DvInvalidArgumentException;
import io.libdv.DvWriter;
import io.libdv.Libdv;
import io.libdv.MumblingBitmap;
import io.libdv.PuffinFile;
import io.libdv.RangeReader;
import io.libdv.Sink;
import io.libdv.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Many cycles of each kind of object, and of each kind of failure, leave the memory as it was. */
public final class Cycles {
  private static final long PAGE = 4096;

  /** A leak of the smallest object at each cycle would be more than that. */
  private static final long ALLOWED = 4L << 20;

  private static final byte[] BLOB = bytes("iceberg/array4096.dv");
  private static final byte[] BROKEN = bytes("hostile/iceberg/crc_bit_flip.dv");
  private static final byte[] PUFFIN = bytes("iceberg/pos63_64.puffin");
  private static final byte[] MUMBLING = bytes("mumbling/random_1pct_50k.bin");

  private Cycles() {}

  private static byte[] bytes(String golden) {
    try {
      return Files.readAllBytes(Path.of(System.getProperty("libdv.testdata"), "golden", golden));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private interface Cycle {
    void run() throws Exception;
  }

  private static final Map<String, Cycle> KINDS = new LinkedHashMap<>();

  static {
    KINDS.put("vector", Cycles::vector);
    KINDS.put("mumbling", Cycles::mumbling);
    KINDS.put("source of memory", () -> Source.of(BLOB).close());
    KINDS.put("puffin through a callback", Cycles::puffin);
    KINDS.put("writer", Cycles::writer);
    KINDS.put("delta writer", Cycles::delta);
    KINDS.put("refusals", Cycles::refusals);
    KINDS.put("failing callbacks", Cycles::failures);
  }

  /** Runs each kind; the argument is the number of cycles. */
  public static void main(String[] arguments) throws Exception {
    int cycles = Integer.parseInt(arguments[0]);
    long objects = Libdv.liveHandles();
    for (Map.Entry<String, Cycle> kind : KINDS.entrySet()) {
      repeat(kind.getValue(), cycles / 4); // pools and compiled code reach their size
      long grown = grown(kind.getValue(), cycles);
      for (int again = 0; again < 2 && grown > ALLOWED; again++) {
        grown = grown(kind.getValue(), cycles); // the native heap breathes, a leak grows each time
      }
      boolean leaks = grown > ALLOWED || Libdv.liveHandles() != objects;
      System.out.printf(
          "%s %s: %,d bytes more after %,d cycles, %d objects%n",
          leaks ? "LEAK" : "flat", kind.getKey(), grown, cycles, Libdv.liveHandles() - objects);
    }
  }

  private static long grown(Cycle cycle, int times) throws Exception {
    long before = resident();
    repeat(cycle, times);
    return resident() - before;
  }

  private static void repeat(Cycle cycle, int times) throws Exception {
    for (int i = 0; i < times; i++) {
      cycle.run();
    }
  }

  /** The memory that is resident; the heap, touched from the start, is a constant part of it. */
  private static long resident() throws IOException {
    System.gc();
    return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[1]) * PAGE;
  }

  private static void vector() {
    try (DeletionVector dv = DeletionVector.deserialize(BLOB);
        DeletionVector copy = dv.copy()) {
      copy.add(5);
      dv.keepMask(0, 1_000);
      copy.serialize();
    }
  }

  private static void mumbling() {
    try (MumblingBitmap bitmap = MumblingBitmap.read(MUMBLING)) {
      bitmap.keepMask(0, 1_000);
    }
  }

  private static void puffin() {
    try (Source source = Source.of(PUFFIN.length, Cycles::read);
        PuffinFile puffin = PuffinFile.open(source);
        DeletionVector dv = puffin.read(0)) {
      puffin.footerJson();
      puffin.keepMasks(new long[] {1_000});
      dv.toArray();
    }
  }

  private static int read(long position, ByteBuffer target) {
    int size = Math.min(target.remaining(), PUFFIN.length - (int) position);
    target.put(PUFFIN, (int) position, size);
    return size;
  }

  private static void writer() {
    try (DvWriter writer = new DvWriter();
        Sink sink = Sink.memory()) {
      writer.add("data.parquet", 1, 2, 3);
      DvWriter.blob(1, 2, 3);
      writer.flush(sink, "dv.puffin");
      sink.take();
    }
  }

  private static void delta() {
    try (DeletionVector dv = DeletionVector.of(1, 2);
        Sink sink = Sink.memory();
        DeltaDvWriter writer = new DeltaDvWriter(sink)) {
      writer.write(dv);
      writer.finish();
      DeltaDescriptor.inline(dv).uniqueId();
    }
  }

  private static void refusals() {
    expect(DvCorruptException.class, () -> DeletionVector.deserialize(BROKEN).close());
    try (DeletionVector dv = new DeletionVector()) {
      expect(DvInvalidArgumentException.class, () -> dv.add(-1));
    }
  }

  private static void failures() {
    IOException thrown = new IOException("away");
    RangeReader fails =
        (position, target) -> {
          throw thrown;
        };
    try (Source source = Source.of(PUFFIN.length, fails)) {
      expect(IOException.class, () -> PuffinFile.open(source).close());
    }
  }

  private static void expect(Class<? extends Exception> type, Cycle call) {
    try {
      call.run();
    } catch (Exception e) {
      if (type.isInstance(e)) {
        return;
      }
      throw new AssertionError(e);
    }
    throw new AssertionError("no " + type);
  }
}
