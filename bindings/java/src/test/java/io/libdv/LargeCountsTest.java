package io.libdv;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.libdv.testing.Golden;
import io.libdv.testing.NoLeaks;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Large arrays, and counts and indices beyond what an array has room for. */
@ExtendWith(NoLeaks.class)
class LargeCountsTest {
  @Test
  void anIndexIsToldAsItWasGiven() {
    try (PuffinFile puffin = PuffinFile.open(Golden.path("iceberg/runs_5c_mixed.puffin"))) {
      for (int index : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
        String message =
            assertThrows(DvInvalidArgumentException.class, () -> puffin.read(index).close())
                .getMessage();
        assertTrue(message.matches(".*(?<![-\\d])" + index + "(?!\\d).*"), message);
      }
    }
  }

  @Test
  void tooManyPositionsAreCountedRight() {
    try (DeletionVector dv = new DeletionVector()) {
      dv.addRange(0, 1L << 33);
      String message = assertThrows(DvLimitException.class, dv::toArray).getMessage();
      assertTrue(message.startsWith("8589934592 "), message);
    }
  }

  @Test
  void anArrayMayTakeMemoryThatIsMappedForIt() {
    long[] odd = LongStream.range(0, 5_000_000).map(i -> 2 * i + 1).toArray(); // 40 MB
    try (DeletionVector dv = DeletionVector.of(odd)) {
      assertArrayEquals(odd, dv.toArray());
      assertArrayEquals(odd, DvReader.positions(dv.serialize(), odd.length));
      int[] kept = dv.keepIndices(0, 2L * odd.length);
      assertArrayEquals(IntStream.range(0, odd.length).map(i -> 2 * i).toArray(), kept);
    }
  }

  @Test
  void aLargeArrayMakesTheVectorThatItsPartsMake() {
    SplittableRandom random = new SplittableRandom(1);
    for (int length : new int[] {(1 << 20) + 1, 3_000_000, 9_000_000}) {
      long[] positions = random.longs(length, 0, 20_000_000).toArray();
      long[] sorted = LongStream.of(positions).sorted().distinct().toArray();
      for (long[] some : new long[][] {positions, sorted}) {
        try (DeletionVector dv = DeletionVector.of(some);
            DeletionVector whole = new DeletionVector()) {
          assertArrayEquals(sorted, dv.toArray());
          whole.addAll(some);
          assertArrayEquals(whole.serialize(), dv.serialize());
        }
      }
    }
  }

  @Test
  void aBadPositionIsToldByItsPlaceInTheWholeArray() {
    long[] positions = LongStream.range(0, 2_500_000).toArray();
    for (int place : new int[] {0, 1 << 20, 2_222_222, positions.length - 1}) {
      long[] bad = positions.clone();
      bad[place] = -7;
      String message =
          assertThrows(DvInvalidArgumentException.class, () -> DeletionVector.of(bad).close())
              .getMessage();
      assertTrue(message.contains("position -7 at index " + place + ","), message);
    }
  }

  @Test
  void theKeptRowsAreWhatMustFit() {
    try (DeletionVector dv = new DeletionVector()) {
      dv.addRange(0, 1L << 31);
      assertArrayEquals(new int[0], dv.keepIndices(0, 1L << 31));
      assertArrayEquals(
          new int[] {Integer.MIN_VALUE, Integer.MIN_VALUE + 1}, // 2^31 and the next, unsigned
          dv.keepIndices(0, (1L << 31) + 2));
      assertEquals(0, dv.keepIndices(7, 0).length);
      assertThrows(DvLimitException.class, () -> dv.keepIndices(1L << 31, 1L << 31));
      assertThrows(DvInvalidArgumentException.class, () -> dv.keepIndices(-1, 1));
      assertThrows(DvInvalidArgumentException.class, () -> dv.keepIndices(0, -1));
      assertThrows(DvInvalidArgumentException.class, () -> dv.keepIndices(9, Long.MAX_VALUE));
    }
  }
}
