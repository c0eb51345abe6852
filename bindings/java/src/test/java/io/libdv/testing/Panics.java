package io.libdv.testing;

import io.libdv.DeletionVector;
import io.libdv.DvException;
import io.libdv.DvReader;
import io.libdv.DvStateException;
import io.libdv.DvStatus;
import io.libdv.DvWriter;
import io.libdv.Libdv;
import io.libdv.MumblingBitmap;
import io.libdv.Pfor;
import io.libdv.PuffinFile;
import io.libdv.Sink;
import io.libdv.Source;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Runs against the library that panics on demand: a bug in it must be an exception like another.
 */
public final class Panics {
  private static final int AT_BEGIN = 1;
  private static final int LOCKED = 2;

  private static MethodHandle panicNext;

  private Panics() {}

  private interface Call {
    void run() throws Exception;
  }

  /** The arguments name the library, a blob, a Puffin file and a Mumbling bitmap. */
  public static void main(String[] arguments) throws Throwable {
    SymbolLookup library =
        SymbolLookup.libraryLookup(Path.of(System.getProperty("libdv.path")), Arena.global());
    MemorySegment function = library.find("dv_panic_next").orElseThrow();
    panicNext =
        Linker.nativeLinker()
            .downcallHandle(
                function, FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    byte[] blob = Files.readAllBytes(Path.of(arguments[0]));
    byte[] puffin = Files.readAllBytes(Path.of(arguments[1]));
    byte[] mumbling = Files.readAllBytes(Path.of(arguments[2]));
    calls(blob, puffin, mumbling);
    if (Libdv.liveHandles() != 0) {
      throw new AssertionError("objects left: " + Libdv.liveHandles());
    }
    System.out.println("every panic was caught");
  }

  private static void calls(byte[] blob, byte[] file, byte[] mumbling) throws Throwable {
    Map<String, Call> making = new LinkedHashMap<>();
    making.put("new", () -> new DeletionVector().close());
    making.put("deserialize", () -> DeletionVector.deserialize(blob).close());
    making.put("blob mask", () -> DvReader.keepMask(blob, -1, 0, 10));
    making.put("mumbling", () -> MumblingBitmap.read(mumbling).close());
    making.put("pfor", () -> Pfor.encode(new byte[9]));
    making.put("source", () -> Source.of(file).close());
    making.put("sink", () -> Sink.memory().close());
    making.put("writer", () -> new DvWriter().close());
    for (Map.Entry<String, Call> call : making.entrySet()) {
      panics(AT_BEGIN, call.getKey(), call.getValue());
    }
    Map<String, Call> reading = new LinkedHashMap<>();
    try (DeletionVector dv = DeletionVector.of(1, 2);
        Source source = Source.of(file);
        PuffinFile puffin = PuffinFile.open(source);
        MumblingBitmap bitmap = MumblingBitmap.read(mumbling)) {
      reading.put("contains", () -> dv.contains(3));
      reading.put("toArray", dv::toArray);
      reading.put("keepMask", () -> dv.keepMask(0, 9));
      reading.put("keepIndices", () -> dv.keepIndices(0, 9));
      reading.put("serialize", dv::serialize);
      reading.put("copy", () -> dv.copy().close());
      panics(AT_BEGIN, "open", () -> PuffinFile.open(source).close());
      panics(AT_BEGIN, "read", () -> puffin.read(0).close());
      panics(AT_BEGIN, "blobs", puffin::blobs);
      panics(AT_BEGIN, "is set", () -> bitmap.isSet(3));
      panics(AT_BEGIN, "positions", bitmap::positions);
      for (Map.Entry<String, Call> call : reading.entrySet()) {
        panics(AT_BEGIN, call.getKey(), call.getValue());
        panics(LOCKED, call.getKey(), call.getValue());
        call.getValue().run();
      }
    }
    changing();
  }

  /** An object that was being changed is not trusted any more; it can still be closed. */
  private static void changing() throws Throwable {
    try (DeletionVector dv = DeletionVector.of(1, 2);
        DvWriter writer = new DvWriter()) {
      panics(AT_BEGIN, "add", () -> dv.add(3));
      if (dv.contains(3)) {
        throw new AssertionError("a call that failed changed its object");
      }
      panics(LOCKED, "add", () -> dv.add(3));
      panics(LOCKED, "writer add", () -> writer.add("f", 1));
      try {
        dv.cardinality();
        throw new AssertionError("half changed, and used");
      } catch (DvStateException e) {
        // as it should be
      }
    }
    try (DeletionVector fresh = DeletionVector.of(7)) {
      if (!fresh.contains(7)) {
        throw new AssertionError("the library works on");
      }
    }
  }

  private static void panics(int at, String name, Call call) throws Throwable {
    int before = (int) panicNext.invokeExact(at);
    try {
      call.run();
      throw new AssertionError(name + " at " + at + ": no failure");
    } catch (DvException e) {
      if (e.status() != DvStatus.INTERNAL || !e.getMessage().contains("a bug in libdv")) {
        throw e;
      }
    }
    int left = (int) panicNext.invokeExact(0);
    if (before != 0 || left != 0) {
      throw new AssertionError(name + " at " + at + ": it never came there");
    }
  }
}
