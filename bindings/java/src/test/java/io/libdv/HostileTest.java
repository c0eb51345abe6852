package io.libdv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.libdv.testing.Golden;
import io.libdv.testing.NoLeaks;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Broken bytes get an exception with a status and one line of text, and nothing else. */
@ExtendWith(NoLeaks.class)
class HostileTest {
  private static final Set<DvStatus> REFUSALS =
      EnumSet.of(
          DvStatus.CORRUPT, DvStatus.MISMATCH, DvStatus.UNSUPPORTED, DvStatus.INVALID_ARGUMENT);

  static List<Golden.Hostile> runs() {
    return Golden.hostile();
  }

  @ParameterizedTest
  @MethodSource("runs")
  void isJudged(Golden.Hostile hostile) {
    switch (hostile.expected()) {
      case "accept" -> read(hostile);
      case "reject" -> refuses(hostile);
      case "either" -> {
        try {
          read(hostile);
        } catch (DvException e) {
          check(e);
        }
      }
      default -> throw new AssertionError(hostile.expected());
    }
  }

  private static void refuses(Golden.Hostile hostile) {
    check(assertThrows(DvException.class, () -> read(hostile)));
  }

  private static void check(DvException e) {
    assertTrue(REFUSALS.contains(e.status()), e.toString());
    assertFalse(e.getMessage().isBlank());
    assertEquals(1, e.getMessage().lines().count(), e.getMessage());
  }

  private static void read(Golden.Hostile hostile) {
    JsonNode run = hostile.run();
    switch (hostile.kind()) {
      case "blob" -> blob(Golden.bytes(file(run)), run.get("card").asLong());
      case "roaring64" -> drain(DeletionVector.fromBitmap(Golden.bytes(file(run))));
      case "puffin" -> puffin(Golden.bytes(file(run)));
      case "delta" -> delta(run);
      case "inline" -> inline(run);
      case "mumbling" -> mumbling(Golden.bytes(file(run)));
      default -> throw new AssertionError(hostile.kind());
    }
  }

  private static String file(JsonNode run) {
    return run.get("file").asText();
  }

  private static void drain(DeletionVector vector) {
    try (vector) {
      assertEquals(vector.cardinality(), vector.positions().count());
    }
  }

  private static void blob(byte[] bytes, long cardinality) {
    drain(DeletionVector.deserialize(bytes, cardinality));
    DvReader.keepMask(bytes, cardinality, 0, 1000);
  }

  private static void puffin(byte[] bytes) {
    try (Source source = Source.of(bytes);
        PuffinFile puffin = PuffinFile.open(source)) {
      int count = puffin.blobs().size();
      for (int i = 0; i < count; i++) {
        drain(puffin.read(i));
      }
    }
  }

  private static void delta(JsonNode run) {
    try (Source source = Source.of(Golden.bytes(file(run)))) {
      drain(
          DeltaReader.read(
              source,
              run.get("offset").asInt(),
              run.get("size").asInt(),
              run.get("card").asLong()));
    }
  }

  private static void inline(JsonNode run) {
    drain(
        DeltaReader.decode(
            run.get("text").asText(), run.get("size").asInt(), run.get("card").asLong()));
  }

  private static void mumbling(byte[] bytes) {
    try (MumblingBitmap bitmap = MumblingBitmap.read(bytes)) {
      bitmap.validate();
      drain(bitmap.toDeletionVector());
    }
  }

  /** The rest of Mumbling stays safe on bytes that only validate refuses. */
  @Test
  void lazyReadsAreSafe() {
    for (Golden.Hostile hostile : Golden.hostile()) {
      if (!hostile.kind().equals("mumbling")) {
        continue;
      }
      try (MumblingBitmap bitmap = MumblingBitmap.read(Golden.bytes(file(hostile.run())))) {
        for (int position : new int[] {0, 255, 256, 100_000, Integer.MAX_VALUE}) {
          bitmap.isSet(position);
        }
        bitmap.keepMask(0, MumblingBitmap.MAX_CARDINALITY);
        bitmap.positions();
      } catch (DvException e) {
        check(e);
      }
    }
  }

  @Test
  void everyTruncationIsRefused() {
    byte[] whole = Golden.bytes("iceberg/keys_gap_0_2.dv");
    for (int size = 0; size < whole.length; size++) {
      byte[] cut = java.util.Arrays.copyOf(whole, size);
      assertThrows(
          DvCorruptException.class,
          () -> DeletionVector.deserialize(cut).close(),
          "at " + size + " bytes");
    }
  }

  @Test
  void everyFlippedBitIsRefused() {
    byte[] whole = Golden.bytes("iceberg/pos63_64.dv");
    for (int bit = 0; bit < whole.length * 8; bit++) {
      byte[] flipped = whole.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      DvException e =
          assertThrows(DvException.class, () -> DeletionVector.deserialize(flipped).close());
      check(e);
    }
  }
}
