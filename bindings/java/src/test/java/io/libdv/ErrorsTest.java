package io.libdv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.libdv.testing.NoLeaks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Statuses become exceptions, each with its own thread's text. */
@ExtendWith(NoLeaks.class)
class ErrorsTest {
  @Test
  void statusesHaveTheirNumbers() {
    for (int code = 0; code <= 11; code++) {
      assertEquals(code, DvStatus.of(code).code());
    }
    assertEquals(DvStatus.UNRECOGNIZED, DvStatus.of(12));
    assertEquals(DvStatus.UNRECOGNIZED, DvStatus.of(-7));
  }

  @Test
  void missingFilesAreIoWithTheCause(@TempDir Path folder) {
    Path missing = folder.resolve("n\u00f6t there.puffin");
    DvIoException e = assertThrows(DvIoException.class, () -> Source.of(missing).close());
    assertEquals(DvStatus.IO, e.status());
    assertTrue(e.getMessage().contains("no such file"), e.getMessage());
    Path nowhere = folder.resolve("missing/dv.puffin");
    assertThrows(
        DvIoException.class,
        () -> {
          try (Sink sink = Sink.of(nowhere);
              DvWriter writer = new DvWriter()) {
            writer.add("a", 1);
            writer.flush(sink, "loc");
          }
        });
    assertTrue(Files.notExists(nowhere));
  }

  @Test
  void stringsThatWouldChangeAreRefused() {
    try (DvWriter writer = new DvWriter()) {
      for (String bad : List.of("a\0b", "lone \ud800 surrogate")) {
        assertThrows(DvInvalidArgumentException.class, () -> writer.add(bad, 1));
        assertThrows(DvInvalidArgumentException.class, () -> new DvWriter(bad).close());
      }
      assertThrows(NullPointerException.class, () -> writer.add(null, 1));
      try (Sink sink = Sink.memory()) {
        assertEquals("[]", writer.flush(sink, "loc"));
      }
    }
  }

  @Test
  void nullsAreRefusedInJava() {
    try (DeletionVector dv = new DeletionVector()) {
      assertThrows(NullPointerException.class, () -> dv.or(null));
      assertThrows(NullPointerException.class, () -> dv.addAll((long[]) null));
      assertThrows(NullPointerException.class, () -> dv.positions(0, 1, (long[]) null));
    }
    assertThrows(NullPointerException.class, () -> DeletionVector.deserialize(null).close());
    assertThrows(NullPointerException.class, () -> Source.of((byte[]) null).close());
    assertThrows(NullPointerException.class, () -> Source.of(1, null).close());
    assertThrows(NullPointerException.class, () -> Sink.of((FileTarget) null).close());
    assertThrows(NullPointerException.class, () -> new DeltaDvWriter(null).close());
    assertThrows(NullPointerException.class, () -> PuffinFile.open((Source) null).close());
  }

  /** Virtual threads share carriers, on which the library keeps the text. */
  @Test
  void everyVirtualThreadReadsItsOwnText() throws Exception {
    ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    try (DeletionVector shared = DeletionVector.of(1);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int t = 1; t <= 200; t++) {
        long first = t * 1_000_000L;
        running.add(threads.submit(() -> failOften(shared, first, wrong)));
      }
      for (Future<?> thread : running) {
        thread.get();
      }
    }
    assertNull(wrong.peek());
  }

  private static void failOften(
      DeletionVector dv, long first, ConcurrentLinkedQueue<String> wrong) {
    for (long i = 0; i < 200; i++) {
      long bad = -(first + i);
      try {
        dv.add(bad);
        wrong.add("no failure for " + bad);
      } catch (DvInvalidArgumentException e) {
        if (!e.getMessage().contains(String.valueOf(bad))) {
          wrong.add(bad + ": " + e.getMessage());
        }
      }
      Thread.yield();
    }
  }
}
