package io.libdv;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.libdv.internal.Callbacks;
import io.libdv.internal.Calls;
import io.libdv.internal.Layouts;
import io.libdv.internal.Native;
import io.libdv.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Streams deletion vectors into one Delta Lake file (Delta protocol, "Deletion Vector Files"); it
 * holds one vector at a time, never the file.
 *
 * {@snippet :
 * try (Sink sink = Sink.of(table.resolve(name)); // deletion_vector_<uuid>.bin
 *     DeltaDvWriter writer = new DeltaDvWriter(sink)) {
 *   DeltaDvResult where = writer.write(vector);
 *   writer.finish();
 *   String json = DeltaDescriptor.forFile(name, where).toJson();
 * }
 * }
 *
 * <p>A writer that is closed before {@link #finish} drops its file. A failed write of the sink ends
 * the writer: every later call throws {@link DvStateException} with the cause.
 */
public final class DeltaDvWriter extends NativeObject {
  private final Sink sink;

  /**
   * Makes a writer.
   *
   * @param sink where the file goes; not closed with the writer
   * @throws DvStateException if the sink is used up or attached to another writer
   */
  public DeltaDvWriter(Sink sink) {
    super(
        "DeltaDvWriter",
        Calls.PLAIN,
        (scratch, out) -> attach(sink, out),
        writer -> Callbacks.free(Native.DV_DELTA_WRITER_FREE, writer));
    this.sink = sink;
  }

  private static int attach(Sink sink, MemorySegment out) {
    Objects.requireNonNull(sink, "sink");
    return sink.use(
        s -> {
          Calls.FILES.run(() -> (int) Native.DV_DELTA_WRITER_NEW.invokeExact(s, out));
          return 0; // a failure has thrown
        });
  }

  /**
   * Appends a deletion vector.
   *
   * @param vector the vector; not kept
   * @return where it went
   * @throws DvLimitException if its offset or size would not fit 32 bits; nothing of it is written,
   *     and the file so far can be finished
   * @throws DvIoException if the sink fails; what a {@link FileTarget} or a channel throws is
   *     thrown as it was
   * @throws DvStateException if the writer is finished, or the sink has failed before
   */
  public DeltaDvResult write(DeletionVector vector) {
    Objects.requireNonNull(vector, "vector");
    return use(
        sink,
        (writer, unused) ->
            vector.use(
                dv -> {
                  try (Scratch scratch = new Scratch()) {
                    MemorySegment out = scratch.allocate(Layouts.DELTA_RESULT);
                    Calls.FILES.run(
                        () -> (int) Native.DV_DELTA_WRITER_WRITE.invokeExact(writer, dv, out));
                    return result(out);
                  }
                }));
  }

  private static DeltaDvResult result(MemorySegment out) {
    return new DeltaDvResult(
        out.get(JAVA_LONG, Layouts.offset(Layouts.DELTA_RESULT, "cardinality")),
        out.get(JAVA_INT, Layouts.offset(Layouts.DELTA_RESULT, "offset")),
        out.get(JAVA_INT, Layouts.offset(Layouts.DELTA_RESULT, "size_in_bytes")));
  }

  /**
   * Completes the file and commits the sink.
   *
   * @throws DvIoException if the sink fails; the file is dropped then
   * @throws DvStateException if the writer is finished, or the sink has failed before
   */
  public void finish() {
    use(
        sink,
        (writer, unused) -> {
          Calls.FILES.run(() -> (int) Native.DV_DELTA_WRITER_FINALIZE.invokeExact(writer));
          return null;
        });
  }
}
