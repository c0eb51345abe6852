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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Delta files and descriptors, against what Delta's own code says of them. */
@ExtendWith(NoLeaks.class)
class DeltaTest {
  /** The protocol's example of a set, in the portable form. */
  private static final String INLINE = "^Bg9^0rr910000000000iXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L";

  static List<JsonNode> descriptors() {
    return Golden.elements(Golden.json("delta/descriptors.json").get("descriptors")).toList();
  }

  private static DeltaDescriptor descriptor(JsonNode node) {
    JsonNode offset = node.get("offset");
    return new DeltaDescriptor(
        node.get("storageType").asText(),
        node.get("pathOrInlineDv").asText(),
        offset == null || offset.isNull() ? OptionalInt.empty() : OptionalInt.of(offset.asInt()),
        node.get("sizeInBytes").asInt(),
        node.get("cardinality").asLong());
  }

  @ParameterizedTest
  @MethodSource("descriptors")
  void agreesWithDelta(JsonNode node) throws IOException {
    DeltaDescriptor descriptor = descriptor(node);
    JsonNode spark = node.get("delta-spark");
    if (node.path("delta_kernel").has("error")) {
      assertThrows(DvException.class, descriptor::path);
      return;
    }
    if (spark.has("absolutePathError")) { // an inline vector with an offset
      assertThrows(DvException.class, () -> descriptor.read().close());
      return;
    }
    assertEquals(spark.get("uniqueId").asText(), descriptor.uniqueId());
    DeltaDescriptor parsed = DeltaDescriptor.parse(descriptor.toJson());
    assertEquals(descriptor, parsed);
    assertEquals(
        new ObjectMapper().readTree(descriptor.toJson()),
        new ObjectMapper().readTree(parsed.toJson()));
    String kernels = node.get("delta_kernel").get("absolutePath").asText();
    if (descriptor.storageType().equals("p")) {
      assertEquals(descriptor.pathOrInlineDv(), descriptor.path());
    } else {
      assertTrue(kernels.endsWith("/" + descriptor.path()), kernels);
    }
  }

  @Test
  void parsesWhatTheLogHolds() {
    DeltaDescriptor parsed =
        DeltaDescriptor.parse(
            """
            { "cardinality" : 6, "extra": {"a": [1, "}\\"", null], "offset": 9}, "more": true,
              "storageType":"i", "sizeInBytes":44, "none": null,
              "pathOrInlineDv":"%s" }
            """
                .formatted(INLINE.replace("D", "\\u0044")));
    assertEquals(new DeltaDescriptor("i", INLINE, OptionalInt.empty(), 44, 6), parsed);
    try (DeletionVector dv = parsed.read()) {
      assertArrayEquals(new long[] {3, 4, 7, 11, 18, 29}, dv.toArray());
      assertEquals(parsed, DeltaDescriptor.inline(dv));
      assertEquals(new DeltaReader.Inline(INLINE, 44), DeltaReader.encode(dv));
    }
  }

  @Test
  void refusesWhatIsNoDescriptor() {
    for (String bad :
        List.of(
            "",
            "[]",
            "{}",
            "{\"storageType\":\"i\"",
            "{\"storageType\":\"i\",\"pathOrInlineDv\":\"\",\"sizeInBytes\":-1,\"cardinality\":0}",
            "{\"storageType\":\"i\",\"pathOrInlineDv\":\"\",\"sizeInBytes\":\"0\",\"cardinality\":0}",
            "{\"storageType\":7,\"pathOrInlineDv\":\"\",\"sizeInBytes\":0,\"cardinality\":0}")) {
      assertThrows(DvInvalidArgumentException.class, () -> DeltaDescriptor.parse(bad), bad);
    }
  }

  @Test
  void writesFilesThatDescriptorsFind(@TempDir Path table) throws IOException {
    String name = "ab/deletion_vector_" + UUID.randomUUID() + ".bin";
    Files.createDirectory(table.resolve("ab"));
    DeltaDescriptor one;
    DeltaDescriptor two;
    try (DeletionVector first = DeletionVector.of(3, 4, 7, 11, 18, 29);
        DeletionVector second = DeletionVector.of(1L << 33);
        Sink sink = Sink.of(table.resolve(name));
        DeltaDvWriter writer = new DeltaDvWriter(sink)) {
      DeltaDvResult at = writer.write(first);
      assertEquals(new DeltaDvResult(6, 1, 44), at);
      one = DeltaDescriptor.forFile(name, at);
      two = DeltaDescriptor.forFile(name, writer.write(second));
      assertTrue(Files.notExists(table.resolve(name)), "the file appears when it is finished");
      writer.finish();
      assertThrows(DvStateException.class, writer::finish);
      assertThrows(DvStateException.class, () -> writer.write(first));
    }
    assertEquals(name, one.path());
    assertEquals("u", one.storageType());
    assertEquals(OptionalInt.of(1 + 4 + 44 + 4), two.offset());
    try (DeletionVector first = one.read(table);
        DeletionVector second = DeltaDescriptor.parse(two.toJson()).read(table)) {
      assertArrayEquals(new long[] {3, 4, 7, 11, 18, 29}, first.toArray());
      assertArrayEquals(new long[] {1L << 33}, second.toArray());
    }
    String url = table.resolve(name).toUri().toString();
    DeltaDescriptor byUrl = new DeltaDescriptor("p", url, one.offset(), 44, 6);
    DeltaDescriptor relative = new DeltaDescriptor("r", name, one.offset(), 44, 6);
    try (DeletionVector first = byUrl.read(table);
        DeletionVector again = relative.read(table)) {
      assertTrue(first.samePositions(again));
    }
    DeltaDescriptor wrong = new DeltaDescriptor("u", one.pathOrInlineDv(), one.offset(), 44, 5);
    assertThrows(DvMismatchException.class, () -> wrong.read(table).close());
  }

  /** A Delta record is an Iceberg blob: the bytes need no coding between the two. */
  @Test
  void recordsAreBlobs() {
    try (DeletionVector dv = DeletionVector.of(5, 6, 7);
        Sink sink = Sink.memory();
        DeltaDvWriter writer = new DeltaDvWriter(sink)) {
      DeltaDvResult at = writer.write(dv);
      writer.finish();
      byte[] file = sink.take();
      byte[] record = Arrays.copyOfRange(file, at.offset(), at.offset() + at.sizeInBytes() + 8);
      assertArrayEquals(dv.serialize(), record);
    }
  }
}
