package io.libdv;

import io.libdv.internal.Callbacks;
import io.libdv.internal.Calls;
import io.libdv.internal.Handle;
import io.libdv.internal.Native;
import io.libdv.internal.Text;
import io.libdv.internal.Upcalls;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Where one file goes: memory, a path, a channel, or a {@link FileTarget}.
 *
 * <p>A sink serves one file. {@link DvWriter#flush} and {@link DeltaDvWriter#finish} commit it;
 * their failure, or closing the sink before, drops it. A sink that is committed, dropped or
 * attached to another writer is refused with {@link DvStateException}.
 *
 * <p>A sink is for one thread at a time.
 */
public final class Sink extends NativeObject {
  private Sink(Calls.Out open, Handle.Release release) {
    super("Sink", Calls.PLAIN, open, release);
  }

  /** Makes a sink that runs no caller's code. */
  private static Sink plain(Calls.Out open) {
    return new Sink(
        open,
        sink -> {
          Native.DV_SINK_FREE.invokeExact(sink);
          return null;
        });
  }

  /**
   * Memory; {@link #take} gets the file out of it.
   *
   * @return a sink that the caller closes
   */
  public static Sink memory() {
    return plain((scratch, out) -> (int) Native.DV_SINK_MEMORY.invokeExact(out));
  }

  /**
   * A new file, which appears whole or not at all: it is written beside its place, synced and then
   * moved there.
   *
   * @param path the file, on the default file system; if it exists when it is to be committed, that
   *     fails with {@link DvIoException}
   * @return a sink that the caller closes
   * @throws DvIoException if the directory cannot be written to
   * @throws IllegalArgumentException if the path is on another file system
   */
  public static Sink of(Path path) {
    return plain(
        (scratch, out) -> {
          MemorySegment name = Text.path(path, scratch);
          return (int) Native.DV_SINK_PATH.invokeExact(name, out);
        });
  }

  /**
   * A channel. The library writes and does no more: after success or failure the caller closes the
   * channel, and drops what a failure left in it.
   *
   * @param channel a blocking channel; not closed by the sink
   * @return a sink that the caller closes
   * @throws java.nio.channels.IllegalBlockingModeException if the channel does not block
   */
  public static Sink of(WritableByteChannel channel) {
    return of(Channels.target(Objects.requireNonNull(channel, "channel")));
  }

  /**
   * Whatever a target stores. It is held until the sink is closed; a sink that nobody closes or
   * commits is dropped, on a thread of the garbage collector's, when it is found unreachable.
   *
   * @param target takes the bytes and then keeps or drops the file
   * @return a sink that the caller closes
   */
  public static Sink of(FileTarget target) {
    Objects.requireNonNull(target, "target");
    MemorySegment context = Upcalls.register(target);
    return new Sink(
        (scratch, out) ->
            (int) Native.DV_SINK_CALLBACKS.invokeExact(context, Upcalls.WRITE, Upcalls.FINISH, out),
        sink -> {
          Throwable thrown = Callbacks.free(Native.DV_SINK_FREE, sink);
          Upcalls.unregister(context);
          return thrown;
        });
  }

  /**
   * The file that was committed to a {@link #memory} sink; once.
   *
   * @return its bytes
   * @throws DvStateException if nothing was committed, or it was taken before, or the sink is none
   *     in memory
   */
  public byte[] take() {
    return use(
        sink -> Calls.PLAIN.bytes((s, out) -> (int) Native.DV_SINK_TAKE.invokeExact(sink, out)));
  }
}
