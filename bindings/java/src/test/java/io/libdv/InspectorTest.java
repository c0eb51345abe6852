package io.libdv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.libdv.testing.Golden;
import io.libdv.testing.NoLeaks;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What bytes are, told of sound and of damaged ones. */
@ExtendWith(NoLeaks.class)
class InspectorTest {
  private static JsonNode parse(String json) throws JsonProcessingException {
    return new ObjectMapper().readTree(json);
  }

  @ParameterizedTest
  @CsvSource({
    "iceberg/multi_3_files.puffin, puffin, 3",
    "iceberg/all_kinds_3c.dv, dv-blob, 1",
    "iceberg/pyroaring/pos5.roaring64, roaring-64, 1",
    "delta/spark_keys.bin, delta-dv, 4",
    "mumbling/gap_middle.bin, mumbling, 1",
  })
  void knowsEachFormat(String file, String format, int vectors) throws JsonProcessingException {
    Path path = Golden.path(file);
    JsonNode found = parse(DvInspector.inspect(path));
    assertEquals(format, found.get("format").textValue());
    assertTrue(found.get("guessed").booleanValue());
    assertTrue(found.get("fault").isNull());
    assertEquals(vectors, found.get("vectors").size());
    try (Source source = Source.of(path)) {
      JsonNode named = parse(DvInspector.inspect(source, format));
      assertFalse(named.get("guessed").booleanValue());
      assertEquals(found.get("vectors"), named.get("vectors"));
      assertEquals(found, parse(DvInspector.inspect(source, "unknown")));
    }
  }

  @Test
  void describesDamagedBytes() throws JsonProcessingException {
    byte[] blob;
    try (DeletionVector dv = DeletionVector.of(1, 1L << 33)) {
      blob = dv.serialize();
    }
    blob[blob.length - 1] ^= 1;
    try (Source source = Source.of(blob)) {
      JsonNode found = parse(DvInspector.inspect(source));
      assertEquals("DV_CORRUPT", found.at("/fault/status").textValue());
      assertTrue(found.at("/fault/message").textValue().contains("CRC-32"));
      assertEquals(2, found.at("/vectors/0/cardinality").longValue());
      assertEquals(1L << 33, found.at("/vectors/0/bounds/last").longValue());
    }
  }

  @Test
  void failsWhereNothingCanBeSaid() {
    try (Source source = Source.of(new byte[3])) {
      assertThrows(DvInvalidArgumentException.class, () -> DvInspector.inspect(source, "Puffin"));
      assertThrows(DvInvalidArgumentException.class, () -> DvInspector.inspect(source, "puffin\0"));
    }
    assertThrows(DvIoException.class, () -> DvInspector.inspect(Path.of("/nowhere/at/all")));
    IllegalStateException thrown = new IllegalStateException("offline");
    try (Source source =
        Source.of(
            100,
            (offset, buffer) -> {
              throw thrown;
            })) {
      assertSame(
          thrown, assertThrows(IllegalStateException.class, () -> DvInspector.inspect(source)));
    }
  }
}
