package io.libdv;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.libdv.testing.Golden;
import io.libdv.testing.NoLeaks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/** Closing: early, twice, in any order, while others are at work, and by the garbage collector. */
@ExtendWith(NoLeaks.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LifecycleTest {
  private static final byte[] PUFFIN = Golden.bytes("iceberg/runs_5c_mixed.puffin");
  private static final byte[] BLOB = Golden.bytes("iceberg/random_10pct_1m.dv");

  private static void closed(Executable call) {
    DvStateException e = assertThrows(DvStateException.class, call);
    assertTrue(e.getMessage().matches("this \\w+ is closed"), e.getMessage());
  }

  @Test
  void aClosedVectorIsRefusedEverywhere() {
    DeletionVector dv = DeletionVector.of(1);
    dv.close();
    dv.close();
    closed(() -> dv.add(1));
    closed(() -> dv.addAll(1, 2));
    closed(() -> dv.addRange(1, 2));
    closed(() -> dv.contains(1));
    closed(() -> dv.containsAll(new long[1]));
    closed(dv::cardinality);
    closed(() -> dv.count(0, 1));
    closed(dv::isEmpty);
    closed(dv::positions);
    closed(dv::toArray);
    closed(() -> dv.keepMask(0, 1));
    closed(() -> dv.deleteMask(0, 1));
    closed(() -> dv.keepBytes(0, 1));
    closed(() -> dv.keepIndices(0, 1));
    closed(dv::serialize);
    closed(dv::toBitmap);
    closed(dv::runOptimize);
    closed(dv::copy);
    try (DeletionVector open = DeletionVector.of(1);
        DvWriter writer = new DvWriter()) {
      closed(() -> open.or(dv));
      closed(() -> dv.or(open));
      closed(() -> open.andNot(dv));
      closed(() -> open.samePositions(dv));
      closed(() -> writer.load("f", dv));
      closed(() -> MumblingBitmap.serialize(dv));
      closed(() -> DeltaReader.encode(dv));
      closed(() -> DeltaDescriptor.inline(dv));
    }
  }

  @Test
  void otherClosedObjectsAreRefused() {
    Source source = Source.of(PUFFIN);
    PuffinFile puffin = PuffinFile.open(source);
    source.close();
    closed(() -> puffin.read(0));
    closed(() -> PuffinFile.open(source));
    assertEquals(1, puffin.blobs().size(), "what is in memory stays");
    puffin.close();
    closed(puffin::blobs);
    closed(puffin::footerJson);

    DvWriter writer = new DvWriter();
    Sink sink = Sink.memory();
    sink.close();
    closed(() -> writer.flush(sink, "loc"));
    closed(sink::take);
    writer.close();
    closed(() -> writer.add("f", 1));

    MumblingBitmap bitmap = MumblingBitmap.read(Golden.bytes("mumbling/pos5.bin"));
    bitmap.close();
    closed(() -> bitmap.isSet(5));
    closed(bitmap::positions);
    closed(bitmap::toByteArray);
  }

  @Test
  void aWriterOutlivesItsSink() {
    try (DeletionVector dv = DeletionVector.of(1)) {
      Sink sink = Sink.memory();
      DeltaDvWriter writer = new DeltaDvWriter(sink);
      writer.write(dv);
      sink.close();
      closed(() -> writer.write(dv));
      closed(writer::finish);
      writer.close();
    }
  }

  @Test
  void aSinkServesOneFile() {
    try (Sink sink = Sink.memory();
        DvWriter writer = new DvWriter()) {
      assertThrows(DvStateException.class, sink::take);
      writer.add("f", 1);
      writer.flush(sink, "loc");
      assertTrue(sink.take().length > 0);
      assertThrows(DvStateException.class, sink::take);
      writer.add("f", 1);
      assertThrows(DvStateException.class, () -> writer.flush(sink, "loc"));
      assertThrows(DvStateException.class, () -> new DeltaDvWriter(sink).close());
    }
  }

  @Test
  void closedMemoryIsNoticed() throws Exception {
    DeletionVector view;
    Source source;
    try (Arena arena = Arena.ofShared()) {
      view =
          DeletionVector.view(
              arena.allocateFrom(java.lang.foreign.ValueLayout.JAVA_BYTE, BLOB), -1);
      source = Source.of(arena.allocateFrom(java.lang.foreign.ValueLayout.JAVA_BYTE, PUFFIN));
      PuffinFile.open(source).close();
    }
    assertThrows(IllegalStateException.class, view::cardinality);
    assertThrows(IllegalStateException.class, () -> PuffinFile.open(source).close());
    view.close();
    source.close();

    try (Arena arena = Arena.ofConfined()) {
      MemorySegment blob = arena.allocateFrom(java.lang.foreign.ValueLayout.JAVA_BYTE, BLOB);
      try (DeletionVector confined = DeletionVector.view(blob, -1)) {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread other =
            Thread.ofPlatform()
                .start(() -> thrown.set(assertThrows(Throwable.class, confined::cardinality)));
        other.join();
        assertEquals(WrongThreadException.class, thrown.get().getClass());
        assertEquals(99_714, confined.cardinality());
      }
    }
  }

  @Test
  void closeMayRaceCalls() throws Exception {
    for (int round = 0; round < 200; round++) {
      DeletionVector dv = DeletionVector.deserialize(BLOB);
      DeletionVector other = DeletionVector.of(round);
      race(
          List.of(
              () -> dv.keepMask(0, 100_000),
              () -> dv.cardinality(),
              () -> {
                dv.addAll(1, 2, 3);
                return null;
              },
              () -> {
                other.or(dv);
                return null;
              },
              () -> dv.samePositions(other),
              () -> dv.positions().limit(5_000).count()),
          dv,
          other);
    }
  }

  @Test
  void closeMayRaceReadsOfFiles() throws Exception {
    for (int round = 0; round < 50; round++) {
      Source source =
          Source.of(
              PUFFIN.length,
              (at, to) -> {
                int size = Math.min(to.remaining(), PUFFIN.length - (int) at);
                to.put(PUFFIN, (int) at, size);
                return size;
              });
      PuffinFile puffin = PuffinFile.open(source);
      Callable<Object> read =
          () -> {
            puffin.read(0).close();
            return null;
          };
      Callable<Object> open =
          () -> {
            PuffinFile.open(source).close();
            return null;
          };
      race(
          List.of(read, read, open, puffin::blobs, () -> puffin.keepMasks(new long[] {200_000})),
          source,
          puffin);
    }
  }

  /** Runs calls over and over in threads of their own until closing the objects stops them. */
  private static void race(List<Callable<Object>> calls, AutoCloseable... objects)
      throws Exception {
    CountDownLatch started = new CountDownLatch(calls.size());
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory())) {
      List<Future<?>> running = new ArrayList<>();
      for (Callable<Object> call : calls) {
        running.add(
            threads.submit(
                () -> {
                  closed(
                      () -> {
                        started.countDown();
                        while (true) {
                          call.call();
                        }
                      });
                }));
      }
      started.await();
      List<Future<?>> closing = new ArrayList<>();
      for (AutoCloseable object : objects) {
        for (int i = 0; i < 2; i++) {
          closing.add(
              threads.submit(
                  () -> {
                    object.close();
                    return null;
                  }));
        }
      }
      for (Future<?> close : closing) {
        close.get();
      }
      for (Future<?> thread : running) {
        thread.get();
      }
    }
  }

  @Test
  void theCollectorFreesWhatIsForgotten() throws Exception {
    long before = Libdv.liveHandles();
    for (int i = 0; i < 5_000; i++) {
      forget(i);
    }
    assertTrue(Libdv.liveHandles() > before, "objects wait for the collector");
    while (Libdv.liveHandles() > before) { // the test's time limit ends it where they stay
      System.gc();
      Thread.sleep(10);
    }
  }

  @SuppressWarnings("resource") // that is the point
  private static void forget(int i) {
    DeletionVector dv = DeletionVector.of(i, i + 1);
    PuffinFile.open(Source.of(PUFFIN)).read(0);
    new DeltaDvWriter(Sink.memory()).write(dv);
    new DvWriter().load("f", dv);
    try (MumblingBitmap bitmap = MumblingBitmap.read(MumblingBitmap.serialize(dv))) {
      bitmap.toDeletionVector();
    }
    Source.of(3, (at, to) -> 0);
  }

  @Test
  void unfinishedFilesLeaveNothing(@org.junit.jupiter.api.io.TempDir Path folder) {
    Path file = folder.resolve("dv.bin");
    try (DeletionVector dv = DeletionVector.of(1);
        Sink sink = Sink.of(file);
        DeltaDvWriter writer = new DeltaDvWriter(sink)) {
      writer.write(dv);
    }
    assertArrayEquals(new String[0], folder.toFile().list());
  }

  @Test
  void callbacksAreForgotten() {
    try (Source source = Source.of(3, (at, to) -> 0)) {
      assertThrows(DvIoException.class, () -> PuffinFile.open(source).close());
    }
    assertThrows(DvInvalidArgumentException.class, () -> Source.of(-3, (at, to) -> 0).close());
    assertEquals(0, io.libdv.internal.TestAccess.registered());
  }
}
