package io.libdv;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.libdv.testing.Golden;
import io.libdv.testing.NoLeaks;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What real implementations wrote is read, and written again byte for byte where they agree. */
@ExtendWith(NoLeaks.class)
class GoldenTest {
  /**
   * What two of the writers keep as a run because it was added as one, or write as an empty gap.
   */
  private static final Set<String> OTHER_FORM =
      Set.of(
          "iceberg/keys_0_1.dv",
          "iceberg/keys_gap_0_2.dv",
          "iceberg/keys_gap_3_7.dv",
          "iceberg/key_1000_only.dv",
          "iceberg/go/keys_0_1.dv");

  static Stream<JsonNode> blobs() {
    return Golden.files("iceberg-dv-blob");
  }

  @ParameterizedTest
  @MethodSource("blobs")
  void readsBlobs(JsonNode file) {
    String name = file.get("file").asText();
    byte[] bytes = Golden.bytes(name);
    long cardinality = file.get("cardinality").asLong();
    try (DeletionVector dv = DeletionVector.deserialize(bytes, cardinality)) {
      long[] positions = dv.toArray();
      assertEquals(file.get("positions_sha256").asText(), Golden.digest(positions));
      assertArrayEquals(positions, DvReader.positions(bytes, cardinality));
      try (DeletionVector again = DeletionVector.of(positions)) {
        assertTrue(again.samePositions(dv));
        assertArrayEquals(dv.serialize(), again.serialize());
        assertArrayEquals(dv.serialize(), DvWriter.blob(positions));
        if (!OTHER_FORM.contains(name)) {
          assertArrayEquals(bytes, again.serialize(), name);
        }
      }
    }
  }

  static Stream<JsonNode> bitmaps() {
    return Golden.files("roaring64-portable");
  }

  @ParameterizedTest
  @MethodSource("bitmaps")
  void readsBitmaps(JsonNode file) {
    try (DeletionVector dv = DeletionVector.fromBitmap(Golden.bytes(file.get("file").asText()))) {
      assertEquals(file.get("positions_sha256").asText(), Golden.digest(dv.toArray()));
    }
  }

  static Stream<JsonNode> puffins() {
    return Golden.files("puffin");
  }

  @ParameterizedTest
  @MethodSource("puffins")
  void readsPuffinFiles(JsonNode file) {
    try (PuffinFile puffin = PuffinFile.open(Golden.path(file.get("file").asText()))) {
      List<PuffinBlob> blobs = puffin.blobs();
      List<JsonNode> expected = Golden.elements(file.get("blobs")).toList();
      assertEquals(expected.size(), blobs.size());
      for (int i = 0; i < blobs.size(); i++) {
        checkBlob(puffin, i, blobs.get(i), expected.get(i));
      }
    }
  }

  private static void checkBlob(PuffinFile puffin, int index, PuffinBlob blob, JsonNode expected) {
    JsonNode properties = expected.get("properties");
    assertEquals(
        new PuffinBlob(
            expected.get("type").asText(),
            expected.get("compression-codec").asText(null),
            properties.path("referenced-data-file").asText(null),
            properties.path("cardinality").asLong(DeletionVector.UNKNOWN),
            expected.get("offset").asLong(),
            expected.get("length").asLong(),
            expected.get("snapshot-id").asLong(),
            expected.get("sequence-number").asLong()),
        blob);
    if (blob.compressionCodec() != null) {
      Class<? extends DvException> refused =
          blob.type().equals("deletion-vector-v1")
              ? DvUnsupportedException.class
              : DvException.class;
      assertThrows(refused, () -> puffin.read(index).close());
    } else if (expected.has("positions_sha256")) {
      String digest = expected.get("positions_sha256").asText();
      try (DeletionVector dv = puffin.read(index);
          DvReadResult read = puffin.readEntry(entry(blob, dv.cardinality()))) {
        assertEquals(digest, Golden.digest(dv.toArray()));
        assertEquals(digest, Golden.digest(read.vector().toArray()));
        Set<DvWarning> warnings =
            blob.cardinality() < 0 ? Set.of(DvWarning.NO_CARDINALITY) : Set.of();
        assertEquals(warnings, read.warnings());
      }
    } else {
      assertThrows(DvMismatchException.class, () -> puffin.read(index).close());
    }
  }

  private static DvEntry entry(PuffinBlob blob, long records) {
    return new DvEntry(blob.offset(), blob.length(), records, blob.referencedDataFile());
  }

  static Stream<JsonNode> deltas() {
    return Golden.files("delta-dv-file");
  }

  @ParameterizedTest
  @MethodSource("deltas")
  void readsDeltaFiles(JsonNode file) {
    boolean portable = file.get("magic").asText().equals("portable");
    byte[] bytes = Golden.bytes(file.get("file").asText());
    try (Source source = Source.of(bytes);
        Sink sink = Sink.memory();
        DeltaDvWriter writer = new DeltaDvWriter(sink)) {
      for (JsonNode dv : file.get("dvs")) {
        int offset = dv.get("offset").asInt();
        int size = dv.get("sizeInBytes").asInt();
        long cardinality = dv.get("cardinality").asLong();
        if (!portable) {
          assertThrows(
              DvUnsupportedException.class,
              () -> DeltaReader.read(source, offset, size, cardinality).close());
          continue;
        }
        try (DeletionVector read = DeltaReader.read(source, offset, size, cardinality)) {
          assertEquals(dv.get("positions_sha256").asText(), Golden.digest(read.toArray()));
          writer.write(read);
        }
      }
      if (sameForm(file)) {
        writer.finish();
        assertArrayEquals(bytes, sink.take());
      }
    }
  }

  /** Kernel never optimises runs, and one of Spark's files was written without. */
  private static boolean sameForm(JsonNode file) {
    return Set.of("delta/spark_single.bin", "delta/spark_random.bin", "delta/kernel_single.bin")
        .contains(file.get("file").asText());
  }

  @Test
  void readsAndWritesInlineVectors() {
    int read = 0;
    for (JsonNode v : Golden.json("delta/inline.json").get("vectors")) {
      String text = v.get("pathOrInlineDv").asText();
      int size = v.get("sizeInBytes").asInt();
      long cardinality = v.get("cardinality").asLong();
      if (v.get("magic").asText().equals("native")) {
        assertThrows(
            DvUnsupportedException.class,
            () -> DeltaReader.decode(text, size, cardinality).close());
        continue;
      }
      try (DeletionVector dv = DeltaReader.decode(text, size, cardinality)) {
        assertArrayEquals(Golden.positions(v), dv.toArray());
        assertEquals(new DeltaReader.Inline(text, size), DeltaReader.encode(dv));
        DeltaDescriptor descriptor = DeltaDescriptor.inline(dv);
        assertEquals(v.get("uniqueId").asText(), descriptor.uniqueId());
        assertEquals("", descriptor.path());
        try (DeletionVector again = DeltaDescriptor.parse(descriptor.toJson()).read()) {
          assertTrue(again.samePositions(dv));
        }
        read++;
      }
    }
    assertTrue(read > 5, "vectors read: " + read);
  }

  static Stream<JsonNode> mumblings() {
    return Golden.files("mumbling-v1");
  }

  @ParameterizedTest
  @MethodSource("mumblings")
  void readsMumblingBitmaps(JsonNode file) {
    byte[] bytes = Golden.bytes(file.get("file").asText());
    try (MumblingBitmap bitmap = MumblingBitmap.read(bytes);
        DeletionVector dv = bitmap.toDeletionVector()) {
      bitmap.validate();
      assertEquals(file.get("cardinality").asInt(), bitmap.cardinality());
      assertEquals(file.get("positions_sha256").asText(), Golden.digest(dv.toArray()));
      int[] positions = bitmap.positions();
      assertArrayEquals(dv.toArray(), java.util.Arrays.stream(positions).asLongStream().toArray());
      assertArrayEquals(bytes, bitmap.toByteArray());
      int rows = positions.length == 0 ? 9 : positions[positions.length - 1] + 9;
      assertArrayEquals(dv.keepMask(0, rows), bitmap.keepMask(0, rows));
      byte[] written = MumblingBitmap.serialize(dv);
      try (MumblingBitmap again = MumblingBitmap.read(written)) {
        again.validate();
        assertArrayEquals(positions, again.positions());
      }
    }
  }

  @Test
  void pforAgreesWithJavasEncoder() {
    for (JsonNode v : Golden.json("mumbling/pfor.json").get("encode")) {
      byte[] values = values(v.get("values"));
      byte[] code = HexFormat.of().parseHex(v.get("hex").asText());
      assertArrayEquals(code, Pfor.encode(values), v.get("label").asText());
      assertTrue(code.length <= Pfor.estimate(values.length));
      byte[] back = new byte[values.length];
      assertEquals(code.length, Pfor.decode(code, back));
      assertArrayEquals(values, back);
    }
  }

  private static byte[] values(JsonNode node) {
    List<JsonNode> list = new ArrayList<>();
    node.forEach(list::add);
    byte[] values = new byte[list.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (byte) list.get(i).asInt();
    }
    return values;
  }
}
