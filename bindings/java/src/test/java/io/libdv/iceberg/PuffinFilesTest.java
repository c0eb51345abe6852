package io.libdv.iceberg;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.libdv.DeletionVector;
import io.libdv.DvEntry;
import io.libdv.DvReadResult;
import io.libdv.DvReader;
import io.libdv.DvWriter;
import io.libdv.PuffinBlob;
import io.libdv.PuffinFile;
import io.libdv.Source;
import io.libdv.testing.NoLeaks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.ContentFileParser;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.SeekableInputStream;
import org.apache.iceberg.puffin.BlobMetadata;
import org.apache.iceberg.puffin.Puffin;
import org.apache.iceberg.puffin.PuffinReader;
import org.apache.iceberg.util.Pair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Puffin files go to Iceberg and come from it. */
@ExtendWith(NoLeaks.class)
class PuffinFilesTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final LocalFileIO FILES = new LocalFileIO();

  private static String dataFile(int i) {
    return "file:/table/data/file-" + i + ".parquet";
  }

  /** One data file for each shape, written by Iceberg. */
  @SuppressWarnings("deprecation") // the other way to name the file needs a table
  private static List<DeleteFile> writtenByIceberg(Path file) throws IOException {
    OutputFile output = FILES.newOutputFile(file.toString());
    BaseDVFileWriter writer = new BaseDVFileWriter(() -> output, path -> null);
    try (writer) {
      List<Shapes> shapes = Shapes.all();
      for (int i = 0; i < shapes.size(); i++) {
        for (long position : shapes.get(i).positions()) {
          writer.delete(dataFile(i), position, PartitionSpec.unpartitioned(), null);
        }
      }
    }
    return writer.result().deleteFiles();
  }

  private static String writtenByUs(Path file) {
    try (DvWriter writer = new DvWriter()) {
      List<Shapes> shapes = Shapes.all();
      for (int i = 0; i < shapes.size(); i++) {
        writer.add(dataFile(i), shapes.get(i).positions());
      }
      return writer.flush(file, file.toString());
    }
  }

  private static int shapeOf(CharSequence dataFile) {
    return Integer.parseInt(dataFile.toString().replaceAll("\\D", ""));
  }

  @Test
  void weReadWhatIcebergWrites(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("java.puffin");
    List<DeleteFile> entries = writtenByIceberg(file);
    assertEquals(Shapes.all().size(), entries.size());
    InputFile input = FILES.newInputFile(file.toString());
    try (PuffinFile puffin = PuffinFile.open(file);
        SeekableInputStream stream = input.newStream();
        Source remote = Source.of(input.getLength(), (at, to) -> read(stream, at, to))) {
      assertEquals(entries.size(), puffin.blobs().size());
      for (DeleteFile entry : entries) {
        long[] positions = Shapes.all().get(shapeOf(entry.referencedDataFile())).positions();
        DvEntry wanted =
            new DvEntry(
                entry.contentOffset(),
                entry.contentSizeInBytes(),
                entry.recordCount(),
                entry.referencedDataFile());
        try (DvReadResult opened = puffin.readEntry(wanted);
            DvReadResult direct = DvReader.read(remote, wanted);
            DeletionVector range =
                DvReader.readRange(
                    remote, wanted.contentOffset(), wanted.contentSize(), positions.length)) {
          assertArrayEquals(positions, opened.vector().toArray());
          assertArrayEquals(positions, direct.vector().toArray());
          assertArrayEquals(positions, range.toArray());
          assertEquals(0, opened.warnings().size());
        }
      }
    }
  }

  private static int read(SeekableInputStream stream, long position, ByteBuffer target)
      throws IOException {
    stream.seek(position);
    ReadableByteChannel channel = Channels.newChannel(stream);
    return channel.read(target);
  }

  @Test
  void icebergReadsWhatWeWrite(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("ours.puffin");
    writtenByUs(file);
    List<Shapes> shapes = Shapes.all();
    try (PuffinReader reader = Puffin.read(FILES.newInputFile(file.toString())).build()) {
      List<BlobMetadata> blobs = reader.fileMetadata().blobs();
      assertEquals(shapes.size(), blobs.size());
      assertNotNull(reader.fileMetadata().properties().get("created-by"));
      int i = 0;
      for (Pair<BlobMetadata, ByteBuffer> blob : reader.readAll(blobs)) {
        BlobMetadata metadata = blob.first();
        long[] positions = shapes.get(i).positions();
        assertEquals("deletion-vector-v1", metadata.type());
        assertEquals(List.of(2147483645), metadata.inputFields());
        assertEquals(-1, metadata.snapshotId());
        assertEquals(-1, metadata.sequenceNumber());
        assertNull(metadata.compressionCodec());
        assertEquals(
            Map.of(
                "referenced-data-file", dataFile(i),
                "cardinality", String.valueOf(positions.length)),
            metadata.properties());
        byte[] bytes = new byte[blob.second().remaining()];
        blob.second().get(bytes);
        try (DeletionVector dv = DeletionVector.of(positions)) {
          assertArrayEquals(dv.serialize(), bytes);
        }
        i++;
      }
      assertEquals(shapes.size(), i);
    }
  }

  @Test
  void blobsAreTheSameBytes(@TempDir Path folder) throws IOException {
    Path javas = folder.resolve("java.puffin");
    Path ours = folder.resolve("ours.puffin");
    writtenByIceberg(javas);
    writtenByUs(ours);
    Map<String, byte[]> expected = blobs(javas);
    Map<String, byte[]> written = blobs(ours);
    assertEquals(expected.keySet(), written.keySet());
    expected.forEach((name, bytes) -> assertArrayEquals(bytes, written.get(name), name));
  }

  private static Map<String, byte[]> blobs(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Map<String, byte[]> found = new java.util.TreeMap<>();
    try (PuffinFile puffin = PuffinFile.open(file)) {
      for (PuffinBlob blob : puffin.blobs()) {
        int from = (int) blob.offset();
        found.put(
            blob.referencedDataFile(), Arrays.copyOfRange(bytes, from, from + (int) blob.length()));
      }
    }
    return found;
  }

  @Test
  void entriesAreIcebergsContentFiles(@TempDir Path folder) throws IOException {
    Path ours = folder.resolve("ours.puffin");
    JsonNode entries = JSON.readTree(writtenByUs(ours));
    List<String> javas = new ArrayList<>();
    List<String> mine = new ArrayList<>();
    for (JsonNode entry : entries) {
      DeleteFile file =
          (DeleteFile) ContentFileParser.fromJson(entry, PartitionSpec.unpartitioned());
      assertEquals(Files.size(ours), file.fileSizeInBytes());
      long[] positions = Shapes.all().get(shapeOf(file.referencedDataFile())).positions();
      assertEquals(positions.length, file.recordCount());
      javas.add(ContentFileParser.toJson(file, PartitionSpec.unpartitioned()));
      mine.add(entry.toString());
    }
    for (int i = 0; i < mine.size(); i++) {
      assertEquals(JSON.readTree(javas.get(i)), JSON.readTree(mine.get(i)));
    }
  }

  @Test
  void weMergeWhatIcebergWrote(@TempDir Path folder) throws IOException {
    Path javas = folder.resolve("java.puffin");
    Path merged = folder.resolve("merged.puffin");
    writtenByIceberg(javas);
    try (PuffinFile puffin = PuffinFile.open(javas);
        DvWriter writer = new DvWriter()) {
      List<PuffinBlob> blobs = puffin.blobs();
      for (int i = 0; i < blobs.size(); i++) {
        try (DeletionVector existing = puffin.read(i)) {
          writer.load(blobs.get(i).referencedDataFile(), existing);
        }
        writer.add(blobs.get(i).referencedDataFile(), 7, 1_000_000);
      }
      writer.flush(merged, "merged");
    }
    try (PuffinReader reader = Puffin.read(FILES.newInputFile(merged.toString())).build()) {
      for (Pair<BlobMetadata, ByteBuffer> blob : reader.readAll(reader.fileMetadata().blobs())) {
        int shape = shapeOf(blob.first().properties().get("referenced-data-file"));
        byte[] bytes = new byte[blob.second().remaining()];
        blob.second().get(bytes);
        PositionDeleteIndex index = index(bytes, blob.first());
        for (long position : Shapes.all().get(shape).positions()) {
          assertEquals(true, index.isDeleted(position));
        }
        assertEquals(true, index.isDeleted(7));
        assertEquals(true, index.isDeleted(1_000_000));
      }
    }
  }

  private static PositionDeleteIndex index(byte[] bytes, BlobMetadata blob) {
    return PositionDeleteIndex.deserialize(
        bytes,
        org.apache.iceberg.FileMetadata.deleteFileBuilder(PartitionSpec.unpartitioned())
            .ofPositionDeletes()
            .withFormat(org.apache.iceberg.FileFormat.PUFFIN)
            .withPath("file:/dv.puffin")
            .withFileSizeInBytes(bytes.length + 100L)
            .withContentOffset(blob.offset())
            .withContentSizeInBytes(blob.length())
            .withReferencedDataFile(blob.properties().get("referenced-data-file"))
            .withRecordCount(Long.parseLong(blob.properties().get("cardinality")))
            .build());
  }
}
