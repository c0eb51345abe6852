package io.libdv.testing;

import io.libdv.DeletionVector;
import io.libdv.DeltaDescriptor;
import io.libdv.DeltaReader;
import io.libdv.DvInspector;
import io.libdv.DvLoadException;
import io.libdv.DvReader;
import io.libdv.DvWriter;
import io.libdv.Libdv;
import io.libdv.MumblingBitmap;
import io.libdv.Pfor;
import io.libdv.PuffinFile;
import io.libdv.Sink;
import io.libdv.Source;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.List;

/** Every way into the binding, in a JVM where none can work: each must say why, each time. */
public final class EveryEntry {
  private EveryEntry() {}

  private interface Entry {
    void enter() throws Exception;
  }

  private static final List<Entry> ENTRIES =
      List.of(
          DeletionVector::new,
          () -> DeletionVector.of(1),
          () -> DeletionVector.deserialize(new byte[42]),
          () -> DeletionVector.deserialize(new byte[9000]),
          () -> DeletionVector.fromBitmap(new byte[8]),
          () -> DeletionVector.view(Arena.ofAuto().allocate(42), 1),
          () -> DvReader.keepMask(new byte[42], -1, 0, 10),
          () -> DvReader.positions(new byte[42], -1),
          () -> PuffinFile.open(Path.of("/dev/null")),
          () -> DvInspector.inspect(Path.of("/dev/null")),
          () -> Source.of(new byte[3]),
          () -> Source.of(Arena.ofAuto().allocate(3)),
          () -> Source.of(Path.of("/dev/null")),
          () -> Source.of(3, (position, target) -> 0),
          Sink::memory,
          () -> Sink.of(Path.of("/dev/null")),
          () -> Sink.of(Channels.newChannel(new ByteArrayOutputStream())),
          DvWriter::new,
          () -> DvWriter.blob(1),
          () -> DvWriter.blob(Arena.ofAuto().allocate(8)),
          () -> DeltaReader.decode("", 0, 0),
          () -> DeltaDescriptor.parse("{}"),
          () -> MumblingBitmap.read(new byte[6]),
          () -> Pfor.encode(new byte[9000]),
          () -> Pfor.estimate(3),
          Libdv::load,
          Libdv::version,
          Libdv::origin,
          Libdv::liveHandles);

  /** Fails where an entry says anything else. */
  public static void main(String[] arguments) throws Exception {
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < ENTRIES.size(); i++) {
        try {
          ENTRIES.get(i).enter();
          throw new AssertionError("entry " + i + " worked");
        } catch (DvLoadException e) {
          if (!e.getMessage().contains("--enable-native-access")) {
            throw e;
          }
        }
      }
    }
  }
}
