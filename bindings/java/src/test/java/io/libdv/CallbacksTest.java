package io.libdv;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.libdv.testing.Golden;
import io.libdv.testing.NoLeaks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A caller's code behind sources and sinks: what it throws, how it lies, where it comes back in.
 */
@ExtendWith(NoLeaks.class)
class CallbacksTest {
  private static final byte[] FILE = Golden.bytes("iceberg/runs_5c_mixed.puffin");
  private static final List<Throwable> THROWN =
      List.of(
          new IOException("a checked one"),
          new IllegalStateException("an unchecked one"),
          new StackOverflowError("an error"),
          new AssertionError("another error"),
          new InterruptedException("of the caller's own"),
          new DvIoException("of this library"));

  private static int copy(long position, ByteBuffer target, int most) {
    int size = Math.min(Math.min(target.remaining(), most), FILE.length - (int) position);
    target.put(FILE, (int) position, size);
    return size;
  }

  @Test
  void shortReadsAreCompleted() {
    try (Source source = Source.of(FILE.length, (position, target) -> copy(position, target, 7));
        PuffinFile puffin = PuffinFile.open(source);
        DeletionVector dv = puffin.read(0)) {
      assertEquals(105_019, dv.cardinality());
    }
  }

  @Test
  void whatAReaderThrowsComesBackAsItWas() {
    for (Throwable thrown : THROWN) {
      try (Source source = Source.of(FILE.length, (position, target) -> fail(thrown))) {
        assertSame(thrown, assertThrows(Throwable.class, () -> PuffinFile.open(source).close()));
        DvEntry entry = new DvEntry(4, 10, 1, "f");
        assertSame(thrown, assertThrows(Throwable.class, () -> DvReader.read(source, entry)));
        assertSame(
            thrown, assertThrows(Throwable.class, () -> DvReader.readRange(source, 4, 10, -1)));
        assertSame(
            thrown, assertThrows(Throwable.class, () -> DeltaReader.read(source, 1, 10, -1)));
      }
    }
  }

  private static int fail(Throwable thrown) throws Exception {
    if (thrown instanceof Error e) {
      throw e;
    }
    throw (Exception) thrown;
  }

  @Test
  void aReaderThatFailsLaterLeavesTheFileUsable() {
    IOException thrown = new IOException("away");
    boolean[] broken = {false};
    RangeReader reader = (at, to) -> broken[0] ? fail(thrown) : copy(at, to, Integer.MAX_VALUE);
    try (Source source = Source.of(FILE.length, reader);
        PuffinFile puffin = PuffinFile.open(source)) {
      broken[0] = true;
      assertSame(thrown, assertThrows(IOException.class, () -> puffin.read(0).close()));
      broken[0] = false;
      puffin.read(0).close();
    }
  }

  @Test
  void readersThatLieAreFailures() {
    for (int lie : new int[] {0, -1, -5, Integer.MAX_VALUE}) {
      try (Source source = Source.of(FILE.length, (position, target) -> lie)) {
        DvIoException e = assertThrows(DvIoException.class, () -> PuffinFile.open(source).close());
        assertEquals(1, e.getMessage().lines().count());
      }
    }
    try (Source tooLong = Source.of(1L << 50, (p, t) -> p < FILE.length ? copy(p, t, 99) : 0)) {
      assertThrows(DvIoException.class, () -> PuffinFile.open(tooLong).close());
    }
    assertThrows(DvInvalidArgumentException.class, () -> Source.of(-1, (p, t) -> 0).close());
  }

  @Test
  void aKeptBufferIsDead() {
    AtomicReference<ByteBuffer> kept = new AtomicReference<>();
    RangeReader keeps =
        (at, to) -> {
          kept.set(to);
          return copy(at, to, Integer.MAX_VALUE);
        };
    try (Source source = Source.of(FILE.length, keeps)) {
      PuffinFile.open(source).close();
      assertThrows(IllegalStateException.class, () -> kept.get().put(0, (byte) 1));
    }
  }

  @Test
  void comingBackIntoTheSameObjectIsRefused() {
    Source[] self = new Source[1];
    Throwable[] inner = new Throwable[1];
    RangeReader reenters =
        (at, to) -> {
          try (DeletionVector other = DeletionVector.of(3)) {
            assertTrue(other.contains(3), "another object works inside a callback");
          }
          inner[0] = assertThrows(DvException.class, () -> PuffinFile.open(self[0]).close());
          return copy(at, to, Integer.MAX_VALUE);
        };
    try (Source source = Source.of(FILE.length, reenters)) {
      self[0] = source;
      PuffinFile.open(source).close();
      assertEquals(DvStatus.STATE, assertInstanceOf(DvException.class, inner[0]).status());
    }
  }

  @Test
  void closingInsideTheOwnCallbackTakesEffectAfterTheCall() {
    Source[] self = new Source[1];
    RangeReader closes =
        (at, to) -> {
          self[0].close();
          return copy(at, to, Integer.MAX_VALUE);
        };
    Source source = Source.of(FILE.length, closes);
    self[0] = source;
    long before = Libdv.liveHandles();
    PuffinFile.open(source).close();
    assertEquals(before - 1, Libdv.liveHandles());
    assertThrows(DvStateException.class, () -> PuffinFile.open(source).close());
    source.close();
  }

  @Test
  void nestedCallsKeepTheirOwnExceptions() {
    IOException inside = new IOException("inside");
    IOException outside = new IOException("outside");
    RangeReader reader =
        (at, to) -> {
          try (Source other = Source.of(10, (p, t) -> fail(inside))) {
            assertSame(
                inside, assertThrows(IOException.class, () -> PuffinFile.open(other).close()));
          }
          throw outside;
        };
    try (Source source = Source.of(FILE.length, reader)) {
      assertSame(outside, assertThrows(IOException.class, () -> PuffinFile.open(source).close()));
    }
  }

  /** A target that fails where it is told to. */
  private static final class Target implements FileTarget {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Throwable onWrite;
    Throwable onCommit;
    Throwable onAbort;
    int commits;
    int aborts;

    @Override
    public void write(ByteBuffer data) throws Exception {
      if (onWrite != null) {
        fail(onWrite);
      }
      assertTrue(data.isReadOnly());
      byte[] part = new byte[data.remaining()];
      data.get(part);
      bytes.writeBytes(part);
    }

    @Override
    public void commit() throws Exception {
      commits++;
      if (onCommit != null) {
        fail(onCommit);
      }
    }

    @Override
    public void abort() throws Exception {
      aborts++;
      if (onAbort != null) {
        fail(onAbort);
      }
    }
  }

  private static DvWriter writer() {
    DvWriter writer = new DvWriter();
    writer.add("data.parquet", 1, 2, 3);
    return writer;
  }

  @Test
  void targetsGetTheFile() {
    Target target = new Target();
    try (Sink memory = Sink.memory();
        Sink sink = Sink.of(target);
        DvWriter one = writer();
        DvWriter two = writer()) {
      one.flush(sink, "loc");
      two.flush(memory, "loc");
      assertArrayEquals(memory.take(), target.bytes.toByteArray());
    }
    assertEquals(1, target.commits);
    assertEquals(0, target.aborts);
  }

  @Test
  void whatATargetThrowsComesBackAsItWas() {
    for (Throwable thrown : THROWN) {
      Target onWrite = new Target();
      onWrite.onWrite = thrown;
      assertSame(thrown, flushFails(onWrite));
      assertEquals(1, onWrite.aborts);
      Target onCommit = new Target();
      onCommit.onCommit = thrown;
      assertSame(thrown, flushFails(onCommit));
      assertEquals(1, onCommit.commits);
    }
  }

  @Test
  void aFailedAbortIsAddedToTheFailure() {
    Target target = new Target();
    target.onWrite = new IOException("the disk is full");
    target.onAbort = new IOException("and cannot be cleaned");
    Throwable thrown = flushFails(target);
    assertSame(target.onWrite, thrown);
    assertArrayEquals(new Throwable[] {target.onAbort}, thrown.getSuppressed());
  }

  private static Throwable flushFails(Target target) {
    try (Sink sink = Sink.of(target);
        DvWriter writer = writer()) {
      Throwable thrown = assertThrows(Throwable.class, () -> writer.flush(sink, "loc"));
      assertThrows(DvStateException.class, () -> writer.flush(sink, "loc"));
      try (Sink good = Sink.memory()) {
        assertTrue(writer.flush(good, "loc").contains("data.parquet"), "everything is kept");
      }
      return thrown;
    }
  }

  @Test
  void aTargetThatLeavesBytesIsAFailure() {
    FileTarget lazy =
        new FileTarget() {
          @Override
          public void write(ByteBuffer data) {
            data.get();
          }

          @Override
          public void commit() {}

          @Override
          public void abort() {}
        };
    try (Sink sink = Sink.of(lazy);
        DvWriter writer = writer()) {
      assertThrows(IOException.class, () -> writer.flush(sink, "loc"));
    }
  }

  @Test
  void closingAnUnfinishedDeltaWriterAborts() {
    Target target = new Target();
    target.onAbort = new IOException("cannot be removed");
    try (DeletionVector dv = DeletionVector.of(1)) {
      Sink sink = Sink.of(target);
      DeltaDvWriter writer = new DeltaDvWriter(sink);
      writer.write(dv);
      assertSame(target.onAbort, assertThrows(IOException.class, writer::close));
      sink.close();
    }
    assertEquals(1, target.aborts);
    assertEquals(0, target.commits);
  }

  @Test
  void aFailedDeltaWriterRepeatsTheCause() {
    Target target = new Target();
    try (DeletionVector dv = DeletionVector.of(1);
        Sink sink = Sink.of(target);
        DeltaDvWriter writer = new DeltaDvWriter(sink)) {
      target.onWrite = new IOException("the disk is full");
      assertSame(
          target.onWrite,
          assertThrows(
              IOException.class,
              () -> {
                writer.write(dv);
                writer.finish();
              }));
      assertThrows(DvStateException.class, () -> writer.write(dv));
      assertThrows(DvStateException.class, writer::finish);
    }
    assertEquals(0, target.commits);
  }

  @Test
  void channelsAreReadAndWritten(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("dv.puffin");
    String entries;
    try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        Sink sink = Sink.of(channel);
        DvWriter writer = writer()) {
      entries = writer.flush(sink, "loc");
      assertTrue(channel.isOpen());
    }
    assertTrue(entries.contains("\"file-size-in-bytes\":" + Files.size(file)), entries);
    try (SeekableByteChannel channel = Files.newByteChannel(file);
        Source source = Source.of(channel);
        SeekableByteChannel positioned = positioned(channel);
        Source other = Source.of(positioned);
        PuffinFile puffin = PuffinFile.open(source);
        PuffinFile again = PuffinFile.open(other);
        DeletionVector dv = puffin.read(0);
        DeletionVector same = again.read(0)) {
      assertArrayEquals(new long[] {1, 2, 3}, dv.toArray());
      assertTrue(dv.samePositions(same));
    }
    SeekableByteChannel closed = Files.newByteChannel(file);
    try (Source source = Source.of(closed)) {
      closed.close();
      assertThrows(ClosedChannelException.class, () -> PuffinFile.open(source).close());
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Sink sink = Sink.of(Channels.newChannel(bytes));
        DvWriter writer = writer()) {
      writer.flush(sink, "loc");
    }
    assertArrayEquals(Files.readAllBytes(file), bytes.toByteArray());
    assertFalse(bytes.size() == 0);
  }

  /** A channel that is no {@link FileChannel} and reads little at a time. */
  private static SeekableByteChannel positioned(SeekableByteChannel channel) {
    return new SlowChannel(channel);
  }
}
