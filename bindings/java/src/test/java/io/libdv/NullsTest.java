package io.libdv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.libdv.testing.NoLeaks;
import java.lang.foreign.MemorySegment;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/** Null is refused by the name of the argument. */
@ExtendWith(NoLeaks.class)
class NullsTest {
  private static final MemorySegment NONE = null;
  private static final byte[] BYTES = new byte[8];
  private static final MemorySegment SEGMENT = MemorySegment.ofArray(BYTES);

  private static void named(String argument, Executable call) {
    assertEquals(argument, assertThrows(NullPointerException.class, call).getMessage());
  }

  @Test
  void ofVectors() {
    named("positions", () -> DeletionVector.of((long[]) null));
    named("blob", () -> DeletionVector.deserialize(null));
    named("blob", () -> DeletionVector.deserialize((byte[]) null, 1));
    named("blob", () -> DeletionVector.deserialize(NONE, 1));
    named("blob", () -> DeletionVector.view(null, 1));
    named("bitmap", () -> DeletionVector.fromBitmap((byte[]) null));
    named("bitmap", () -> DeletionVector.fromBitmap(NONE));
    try (DeletionVector dv = new DeletionVector()) {
      named("positions", () -> dv.addAll((long[]) null));
      named("positions", () -> dv.addAll(NONE));
      named("positions", () -> dv.addAll((LongStream) null));
      named("other", () -> dv.or(null));
      named("other", () -> dv.andNot(null));
      named("other", () -> dv.samePositions(null));
      named("positions", () -> dv.containsAll(null));
      named("positions", () -> dv.containsAll(null, SEGMENT));
      named("out", () -> dv.containsAll(SEGMENT, null));
      named("out", () -> dv.positions(0, 1, (long[]) null));
      named("out", () -> dv.positions(0, 1, NONE));
      named("out", () -> dv.keepMask(0, 1, (byte[]) null));
      named("out", () -> dv.keepMask(0, 1, NONE));
      named("out", () -> dv.deleteMask(0, 1, null));
      named("out", () -> dv.keepBytes(0, 1, null));
      named("out", () -> dv.keepIndices(0, 1, null));
    }
  }

  @Test
  void ofFiles() {
    named("source", () -> PuffinFile.open((Source) null));
    named("path", () -> PuffinFile.open((Path) null));
    named("bytes", () -> Source.of((byte[]) null));
    named("bytes", () -> Source.of(NONE));
    named("path", () -> Source.of((Path) null));
    named("channel", () -> Source.of((SeekableByteChannel) null));
    named("reader", () -> Source.of(1, null));
    named("path", () -> Sink.of((Path) null));
    named("channel", () -> Sink.of((WritableByteChannel) null));
    named("target", () -> Sink.of((FileTarget) null));
    named("source", () -> DvInspector.inspect((Source) null));
    named("path", () -> DvInspector.inspect((Path) null));
    DvEntry entry = new DvEntry(4, 8, 0, "a");
    named("source", () -> DvReader.read((Source) null, entry));
    named("path", () -> DvReader.read((Path) null, entry));
    named("source", () -> DvReader.readRange(null, 0, 1, 1));
    try (Source source = Source.of(BYTES)) {
      named("entry", () -> DvReader.read(source, null));
    }
    named("blob", () -> DvReader.keepMask(null, 1, 0, 1));
    named("blob", () -> DvReader.keepMask(null, 1, 0, 1, SEGMENT));
    named("out", () -> DvReader.keepMask(SEGMENT, 1, 0, 1, null));
    named("blob", () -> DvReader.positions(null, 1));
    named("blob", () -> DvReader.positions(null, 1, SEGMENT));
    named("out", () -> DvReader.positions(SEGMENT, 1, null));
  }

  @Test
  void ofWriters() {
    named("positions", () -> DvWriter.blob((long[]) null));
    named("positions", () -> DvWriter.blob(NONE));
    try (DvWriter writer = new DvWriter();
        DeletionVector dv = DeletionVector.of(1);
        Sink sink = Sink.memory()) {
      named("dataFile", () -> writer.add(null, 1));
      named("positions", () -> writer.add("a", (long[]) null));
      named("positions", () -> writer.add("a", (long[]) null, 0, null));
      named("positions", () -> writer.add("a", NONE, 0, null));
      named("dataFile", () -> writer.load(null, dv));
      named("existing", () -> writer.load("a", null));
      named("sink", () -> writer.flush((Sink) null, "a"));
      named("location", () -> writer.flush(sink, null));
      named("file", () -> writer.flush((Path) null, "a"));
    }
    try (DvWriter writer = new DvWriter()) {
      writer.add("a", 1);
      try (Sink sink = Sink.memory()) {
        writer.flush(sink, "b");
        try (Source source = Source.of(sink.take());
            PuffinFile puffin = PuffinFile.open(source)) {
          named("rows", () -> puffin.keepMasks(null));
          named("blobs", () -> puffin.keepMasks(null, new long[1]));
          named("rows", () -> puffin.keepMasks(new int[1], (long[]) null));
          named("out", () -> puffin.keepMasks(new long[1], null));
          named("entry", () -> puffin.readEntry(null));
        }
      }
    }
  }

  @Test
  void ofDelta() {
    named("sink", () -> new DeltaDvWriter(null));
    named("source", () -> DeltaReader.read(null, 1, 1, 1));
    named("text", () -> DeltaReader.decode(null, 1, 1));
    named("vector", () -> DeltaReader.encode(null));
    named("json", () -> DeltaDescriptor.parse(null));
    named("relativePath", () -> DeltaDescriptor.forFile(null, new DeltaDvResult(1, 1, 34)));
    named("where", () -> DeltaDescriptor.forFile("a", null));
    named("vector", () -> DeltaDescriptor.inline(null));
    try (Sink sink = Sink.memory();
        DeltaDvWriter writer = new DeltaDvWriter(sink)) {
      named("vector", () -> writer.write(null));
    }
  }

  @Test
  void ofMumbling() {
    named("data", () -> MumblingBitmap.read((byte[]) null));
    named("data", () -> MumblingBitmap.read(NONE));
    named("vector", () -> MumblingBitmap.serialize(null));
    named("values", () -> Pfor.encode(null));
    named("data", () -> Pfor.decode(null, BYTES));
    named("values", () -> Pfor.decode(BYTES, null));
  }
}
