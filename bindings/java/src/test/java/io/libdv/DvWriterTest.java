package io.libdv;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.libdv.testing.Golden;
import io.libdv.testing.NoLeaks;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Deletes collected per data file, and the manifest entries for them. */
@ExtendWith(NoLeaks.class)
class DvWriterTest {
  private static final String SPECS =
      """
      [{"spec-id": 3, "fields": [
         {"source-id": 1, "field-id": 1000, "name": "day", "transform": "day"},
         {"source-id": 2, "field-id": 1001, "name": "price", "transform": "identity"}]}]
      """;

  @Test
  void entriesHoldThePartitionVerbatim() throws IOException {
    try (DvWriter writer = new DvWriter(SPECS);
        Sink sink = Sink.memory();
        Arena arena = Arena.ofConfined()) {
      writer.add("a", new long[] {5, 1}, 3, "{\"1001\": \"12.50\", \"1000\": \"2022-01-08\"}");
      MemorySegment more = arena.allocateFrom(ValueLayout.JAVA_LONG, 7, 5);
      writer.add("a", more, 99, "ignored after the first add");
      writer.add("b", new long[] {0}, 3, "[null, \"-0.01\"]");
      writer.add("c", new long[0], 3, "[null, null]");
      JsonNode entries = new ObjectMapper().readTree(writer.flush(sink, "s3://t/dv.puffin"));
      assertEquals(2, entries.size());
      JsonNode a = entries.get(0);
      assertEquals(3, a.get("spec-id").asInt());
      assertEquals("[\"2022-01-08\",\"12.50\"]", a.get("partition").toString());
      assertEquals("[null,\"-0.01\"]", entries.get(1).get("partition").toString());
      assertEquals("s3://t/dv.puffin", a.get("file-path").asText());
      byte[] file = sink.take();
      assertEquals(file.length, a.get("file-size-in-bytes").asLong());
      DvEntry entry =
          new DvEntry(
              a.get("content-offset").asLong(),
              a.get("content-size-in-bytes").asLong(),
              a.get("record-count").asLong(),
              a.get("referenced-data-file").asText());
      try (Source source = Source.of(file);
          DvReadResult read = DvReader.read(source, entry)) {
        assertArrayEquals(new long[] {1, 5, 7}, read.vector().toArray());
      }
    }
  }

  @Test
  void wrongPartitionsAreRefused() {
    try (DvWriter writer = new DvWriter(SPECS)) {
      long[] one = {1};
      for (String bad :
          new String[] {
            null, "{}", "[]", "{\"1000\": null}", "{\"7\": 1}", "nonsense", "[1,2,3]"
          }) {
        assertThrows(DvInvalidArgumentException.class, () -> writer.add("a", one, 3, bad), bad);
      }
      assertThrows(DvInvalidArgumentException.class, () -> writer.add("a", one, 4, "[1,2]"));
      assertThrows(DvInvalidArgumentException.class, () -> writer.add("a", -1));
      assertThrows(DvInvalidArgumentException.class, () -> new DvWriter("{}").close());
      try (Sink sink = Sink.memory()) {
        assertEquals("[]", writer.flush(sink, "loc"));
        assertThrows(DvStateException.class, sink::take);
      }
    }
  }

  @Test
  void positionsBecomeBlobsInOneCall() {
    long[] large = LongStream.rangeClosed(-1_200_000, 0).map(i -> -3 * i).toArray();
    for (long[] positions :
        new long[][] {{}, {5}, {7, 1, 7, 3}, {DeletionVector.MAX_POSITION, 0}, large}) {
      MemorySegment segment = MemorySegment.ofArray(positions);
      try (DeletionVector dv = DeletionVector.of(positions);
          Arena arena = Arena.ofConfined()) {
        MemorySegment off = arena.allocateFrom(ValueLayout.JAVA_LONG, positions);
        assertArrayEquals(dv.serialize(), DvWriter.blob(positions));
        assertArrayEquals(dv.serialize(), DvWriter.blob(segment));
        assertArrayEquals(dv.serialize(), DvWriter.blob(off));
      }
    }
    assertArrayEquals(Golden.bytes("iceberg/pos5.dv"), DvWriter.blob(5, 5));
    for (long bad : new long[] {-1, Long.MIN_VALUE, DeletionVector.MAX_POSITION + 1}) {
      assertThrows(DvInvalidArgumentException.class, () -> DvWriter.blob(1, bad));
      long[] badAtEnd = large.clone();
      badAtEnd[badAtEnd.length - 1] = bad;
      assertThrows(DvInvalidArgumentException.class, () -> DvWriter.blob(badAtEnd));
    }
    MemorySegment odd = MemorySegment.ofArray(new byte[12]);
    assertThrows(IllegalArgumentException.class, () -> DvWriter.blob(odd));
    assertThrows(NullPointerException.class, () -> DvWriter.blob((long[]) null));
    assertThrows(NullPointerException.class, () -> DvWriter.blob((MemorySegment) null));
  }

  @Test
  void anExistingFileStays(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("dv.puffin"), "precious");
    try (DvWriter writer = new DvWriter()) {
      writer.add("a", 1);
      DvIoException e = assertThrows(DvIoException.class, () -> writer.flush(file, "loc"));
      assertTrue(e.getMessage().contains("dv.puffin"), e.getMessage());
      assertEquals("precious", Files.readString(file));
      Path other = folder.resolve("other \u00e9\u4e2d.puffin");
      writer.flush(other, "loc");
      assertArrayEquals(
          new String[] {"dv.puffin", other.getFileName().toString()},
          java.util.Arrays.stream(folder.toFile().list()).sorted().toArray());
      try (PuffinFile puffin = PuffinFile.open(other)) {
        assertTrue(puffin.footerJson().contains("\"referenced-data-file\""));
      }
    }
  }

  @Test
  void pathsOfOtherFileSystemsAreRefused(@TempDir Path folder) throws IOException {
    Path zip = folder.resolve("x.zip");
    try (var files =
        java.nio.file.FileSystems.newFileSystem(zip, java.util.Map.of("create", "true"))) {
      Path inside = files.getPath("/dv.puffin");
      assertThrows(IllegalArgumentException.class, () -> Source.of(inside).close());
      assertThrows(IllegalArgumentException.class, () -> Sink.of(inside).close());
    }
  }

  @Test
  void entriesAreCrossChecked() {
    byte[] file;
    try (DvWriter writer = new DvWriter();
        Sink sink = Sink.memory()) {
      writer.add("a", 1, 2);
      writer.flush(sink, "loc");
      file = sink.take();
    }
    try (Source source = Source.of(file);
        PuffinFile puffin = PuffinFile.open(source)) {
      PuffinBlob blob = puffin.blobs().get(0);
      DvEntry right = new DvEntry(blob.offset(), blob.length(), 2, "a");
      DvReader.read(source, right).close();
      for (DvEntry wrong :
          new DvEntry[] {
            new DvEntry(blob.offset(), blob.length(), 3, "a"),
            new DvEntry(blob.offset(), blob.length(), 2, "b"),
            new DvEntry(blob.offset(), blob.length() - 1, 2, "a"),
            new DvEntry(blob.offset() + 1, blob.length(), 2, "a")
          }) {
        assertThrows(DvMismatchException.class, () -> DvReader.read(source, wrong).close());
        assertThrows(DvMismatchException.class, () -> puffin.readEntry(wrong).close());
      }
      assertThrows(DvInvalidArgumentException.class, () -> puffin.read(1).close());
      assertThrows(DvInvalidArgumentException.class, () -> puffin.read(-1).close());
    }
  }
}
