package io.libdv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.libdv.testing.Golden;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Channels that tell of other counts than their buffer shows. */
class FalseCountsTest {
  private static final Path FILE = Golden.path("iceberg/runs_5c_mixed.puffin");

  @FunctionalInterface
  private interface Write {
    int write(ByteBuffer data) throws IOException;
  }

  private static WritableByteChannel channel(Write write) {
    return new WritableByteChannel() {
      @Override
      public int write(ByteBuffer data) throws IOException {
        return write.write(data);
      }

      @Override
      public boolean isOpen() {
        return true;
      }

      @Override
      public void close() {}
    };
  }

  private static void flush(Write write) {
    try (DvWriter writer = new DvWriter();
        Sink sink = Sink.of(channel(write))) {
      writer.add("a", 1);
      writer.flush(sink, "loc");
    }
  }

  @Test
  void aWriteThatTakesNothingEnds() {
    IOException thrown =
        assertTimeoutPreemptively(
            Duration.ofSeconds(60),
            () -> assertThrows(IOException.class, () -> flush(data -> data.remaining())));
    assertTrue(thrown.getMessage().contains("wrote none of"), thrown.getMessage());
  }

  @Test
  void aWriteThatHidesBytesIsNoticed() {
    assertThrows(
        IOException.class,
        () ->
            flush(
                data -> {
                  data.get();
                  data.limit(data.position());
                  return 1;
                }));
  }

  @Test
  void theBufferSaysWhatWasWritten() {
    ByteArrayOutputStream stored = new ByteArrayOutputStream();
    flush(
        data -> {
          stored.write(data.get());
          return 0;
        });
    try (Source source = Source.of(stored.toByteArray());
        PuffinFile puffin = PuffinFile.open(source)) {
      assertEquals(1, puffin.blobs().size());
    }
  }

  @ParameterizedTest
  @CsvSource({"5, 0", "5, 1", "0, 1", "-1, 1", "2000000000, 1"})
  void aReadThatMovesByAnotherCountIsRefused(int told, int moved) throws IOException {
    try (SeekableByteChannel channel = new LyingChannel(told, moved);
        Source source = Source.of(channel)) {
      IOException thrown = assertThrows(IOException.class, () -> PuffinFile.open(source).close());
      assertTrue(thrown.getMessage().contains(String.valueOf(told)), thrown.getMessage());
      assertTrue(thrown.getMessage().contains(String.valueOf(moved)), thrown.getMessage());
    }
  }

  /** Moves the buffer by one count and tells another. */
  private static final class LyingChannel implements SeekableByteChannel {
    private final int told;
    private final int moved;

    LyingChannel(int told, int moved) {
      this.told = told;
      this.moved = moved;
    }

    @Override
    public int read(ByteBuffer target) {
      target.position(target.position() + moved);
      return told;
    }

    @Override
    public long size() {
      return FILE.toFile().length();
    }

    @Override
    public SeekableByteChannel position(long position) {
      return this;
    }

    @Override
    public long position() {
      return 0;
    }

    @Override
    public int write(ByteBuffer data) {
      throw new UnsupportedOperationException();
    }

    @Override
    public SeekableByteChannel truncate(long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }
}
