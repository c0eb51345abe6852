package io.libdv;

import io.libdv.internal.Calls;
import io.libdv.internal.Handle;
import io.libdv.internal.Memory;
import io.libdv.internal.Native;
import io.libdv.internal.Text;
import io.libdv.internal.Upcalls;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Random-access bytes to read from: a file, an array, a channel, or whatever a {@link RangeReader}
 * reaches.
 *
 * {@snippet :
 * try (Source source = Source.of(Path.of("deletes.puffin"));
 *     PuffinFile puffin = PuffinFile.open(source)) {
 *   System.out.println(puffin.blobs());
 * }
 * }
 *
 * <p>Any number of threads may read one source at a time. What reads from a source does not close
 * it, and fails with {@link DvStateException} once it is closed.
 */
public final class Source extends NativeObject {
  private final Calls reading;
  private final MemorySegment borrowed;

  private Source(Calls reading, Calls.Out open, Handle.Release release, MemorySegment borrowed) {
    super("Source", Calls.PLAIN, open, release);
    this.reading = reading;
    this.borrowed = borrowed;
  }

  /** How to make a call that reads from this source. */
  Calls reading() {
    return reading;
  }

  /**
   * The bytes of an array.
   *
   * @param bytes the bytes; copied to native memory once
   * @return a source that the caller closes
   */
  public static Source of(byte[] bytes) {
    Objects.requireNonNull(bytes, "bytes");
    MemorySegment copy = Memory.allocate(bytes.length).copyFrom(MemorySegment.ofArray(bytes));
    return new Source(
        Calls.PLAIN,
        open(copy),
        source -> {
          Native.DV_SOURCE_FREE.invokeExact(source);
          Memory.free(copy);
          return null;
        },
        null);
  }

  /**
   * The bytes of a segment in native memory, read in place.
   *
   * <p>They must stay as they are, and their arena open, until {@link #close} has returned; a
   * source whose arena was closed before it throws {@link IllegalStateException}.
   *
   * @param bytes the bytes
   * @return a source that the caller closes
   * @throws IllegalArgumentException if the segment is on the heap
   */
  public static Source of(MemorySegment bytes) {
    Objects.requireNonNull(bytes, "bytes");
    Borrowed.requireNative(bytes);
    return new Source(
        Calls.PLAIN,
        open(bytes),
        source -> {
          Native.DV_SOURCE_FREE.invokeExact(source);
          Reference.reachabilityFence(bytes);
          return null;
        },
        bytes);
  }

  private static Calls.Out open(MemorySegment bytes) {
    return (scratch, out) ->
        (int) Native.DV_SOURCE_MEMORY.invokeExact(bytes, bytes.byteSize(), out);
  }

  /**
   * A file.
   *
   * @param path the file, on the default file system; opened at once
   * @return a source that the caller closes
   * @throws DvIoException if it cannot be opened
   * @throws IllegalArgumentException if the path is on another file system
   */
  public static Source of(Path path) {
    return new Source(
        Calls.PLAIN,
        (scratch, out) -> {
          MemorySegment name = Text.path(path, scratch);
          return (int) Native.DV_SOURCE_PATH.invokeExact(name, out);
        },
        source -> {
          Native.DV_SOURCE_FREE.invokeExact(source);
          return null;
        },
        null);
  }

  /**
   * What a channel reads. A {@link java.nio.channels.FileChannel} is read at positions and may be
   * used for other things meanwhile; any other channel is moved to where the library reads, by one
   * thread at a time.
   *
   * @param channel the channel; not closed by the source
   * @return a source that the caller closes, of the size that the channel has now
   * @throws IOException if the channel cannot tell its size
   */
  public static Source of(SeekableByteChannel channel) throws IOException {
    Objects.requireNonNull(channel, "channel");
    return of(channel.size(), Channels.reader(channel));
  }

  /**
   * Whatever a reader reaches. It is held until the source is closed; a reader that refers to its
   * own source keeps the garbage collector from ever closing it.
   *
   * @param size the number of bytes, >= 0
   * @param reader reads them
   * @return a source that the caller closes
   * @throws DvInvalidArgumentException if the size is negative
   */
  public static Source of(long size, RangeReader reader) {
    Objects.requireNonNull(reader, "reader");
    MemorySegment context = Upcalls.register(reader);
    return new Source(
        Calls.FILES,
        (scratch, out) ->
            (int) Native.DV_SOURCE_CALLBACKS.invokeExact(context, size, Upcalls.READ_AT, out),
        source -> {
          Native.DV_SOURCE_FREE.invokeExact(source);
          Upcalls.unregister(context);
          return null;
        },
        null);
  }

  @Override
  void checkBorrowed() {
    Borrowed.requireAlive(borrowed);
  }
}
