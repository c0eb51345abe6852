package io.libdv;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.libdv.testing.NoLeaks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A vector as a set of positions, against a plain set. */
@ExtendWith(NoLeaks.class)
class DeletionVectorTest {
  /** The example of the Puffin specification's layout: {1}. */
  private static final byte[] ONE =
      HexFormat.of()
          .parseHex(
              "00000022d1d339640100000000000000000000003a3000000100000000000000100000000100eebd85f4");

  private static final byte[] EMPTY =
      HexFormat.of().parseHex("0000000cd1d339640000000000000000bf18480c");

  @Test
  void serializesTheSpecificationsExamples() {
    try (DeletionVector one = DeletionVector.of(1);
        DeletionVector empty = new DeletionVector()) {
      assertArrayEquals(ONE, one.serialize());
      assertArrayEquals(EMPTY, empty.serialize());
    }
  }

  @Test
  void deserializesTheSpecificationsExample() {
    try (DeletionVector one = DeletionVector.deserialize(ONE, 1)) {
      assertArrayEquals(new long[] {1}, one.toArray());
    }
    DvMismatchException e =
        assertThrows(DvMismatchException.class, () -> DeletionVector.deserialize(ONE, 2).close());
    assertEquals(DvStatus.MISMATCH, e.status());
  }

  @Test
  void readsOutOfSegmentsOfEveryKind() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment spaced = arena.allocate(ONE.length + 3);
      MemorySegment unaligned = spaced.asSlice(3).copyFrom(MemorySegment.ofArray(ONE));
      try (DeletionVector fromNative = DeletionVector.deserialize(unaligned, 1);
          DeletionVector fromHeap = DeletionVector.deserialize(MemorySegment.ofArray(ONE), -1);
          DeletionVector view = DeletionVector.view(unaligned, 1)) {
        assertTrue(fromNative.samePositions(fromHeap));
        assertTrue(view.samePositions(fromHeap));
        view.add(7);
        assertArrayEquals(new long[] {1, 7}, view.toArray());
        assertArrayEquals(ONE, unaligned.toArray(ValueLayout.JAVA_BYTE));
      }
    }
  }

  @Test
  void viewRefusesTheHeap() {
    assertThrows(
        IllegalArgumentException.class,
        () -> DeletionVector.view(MemorySegment.ofArray(ONE), 1).close());
  }

  @Test
  void addsInEveryWay() {
    try (Arena arena = Arena.ofConfined();
        DeletionVector dv = new DeletionVector()) {
      assertTrue(dv.isEmpty());
      dv.add(5);
      dv.addAll(9, 7, 9);
      dv.addAll(LongStream.of(100, 3));
      dv.addAll(arena.allocateFrom(ValueLayout.JAVA_LONG, DeletionVector.MAX_POSITION, 0));
      dv.addAll(MemorySegment.ofArray(new long[] {11}));
      dv.addRange(20, 23);
      dv.addRange(30, 30);
      dv.addRange(40, 31);
      dv.addAll();
      long[] expected = {0, 3, 5, 7, 9, 11, 20, 21, 22, 100, DeletionVector.MAX_POSITION};
      assertArrayEquals(expected, dv.toArray());
      assertArrayEquals(expected, dv.positions().toArray());
      assertEquals(expected.length, dv.cardinality());
      assertFalse(dv.isEmpty());
      assertEquals(4, dv.count(5, 12));
      assertEquals(0, dv.count(12, 5));
      assertTrue(dv.contains(100));
      assertFalse(dv.contains(101));
      assertArrayEquals(new byte[] {1, 0, 1}, dv.containsAll(new long[] {3, 4, 0}));
    }
  }

  @Test
  void aRefusedAddChangesNothing() {
    try (DeletionVector dv = DeletionVector.of(4)) {
      long tooLarge = DeletionVector.MAX_POSITION + 1;
      for (long bad : new long[] {-1, Long.MIN_VALUE, tooLarge, Long.MAX_VALUE}) {
        DvInvalidArgumentException e =
            assertThrows(DvInvalidArgumentException.class, () -> dv.addAll(1, 2, bad));
        assertTrue(e.getMessage().contains(String.valueOf(bad)), e.getMessage());
        assertThrows(DvInvalidArgumentException.class, () -> dv.add(bad));
      }
      assertThrows(DvInvalidArgumentException.class, () -> dv.addRange(-1, 3));
      assertThrows(
          IllegalArgumentException.class, () -> dv.addAll(MemorySegment.ofArray(new byte[12])));
      assertArrayEquals(new long[] {4}, dv.toArray());
    }
  }

  @Test
  void mergesAndSubtracts() {
    try (DeletionVector a = DeletionVector.of(1, 2, 3);
        DeletionVector b = DeletionVector.of(3, 4)) {
      a.or(b);
      assertArrayEquals(new long[] {1, 2, 3, 4}, a.toArray());
      try (DeletionVector copy = a.copy()) {
        a.andNot(b);
        assertArrayEquals(new long[] {1, 2}, a.toArray());
        assertArrayEquals(new long[] {1, 2, 3, 4}, copy.toArray());
      }
      a.or(a);
      assertArrayEquals(new long[] {1, 2}, a.toArray());
      a.andNot(a);
      assertTrue(a.isEmpty());
      assertTrue(a.samePositions(a));
    }
  }

  @Test
  void bitmapsGoBothWays() {
    try (DeletionVector dv = new DeletionVector()) {
      dv.addRange(10, 5000);
      dv.add(1L << 40);
      byte[] plain = dv.toBitmap();
      dv.runOptimize();
      byte[] optimized = dv.toBitmap();
      assertTrue(optimized.length < plain.length || Arrays.equals(optimized, plain));
      try (DeletionVector back = DeletionVector.fromBitmap(optimized);
          DeletionVector from = DeletionVector.fromBitmap(MemorySegment.ofArray(plain))) {
        assertTrue(back.samePositions(dv));
        assertTrue(from.samePositions(dv));
      }
    }
  }

  @Test
  void masksAgreeWithAPlainSet() {
    Random random = new Random(7);
    for (double density : new double[] {0, 0.001, 0.1, 0.7, 1}) {
      BitSet model = new BitSet();
      IntStream.range(0, 200_000).filter(i -> random.nextDouble() < density).forEach(model::set);
      try (DeletionVector dv = DeletionVector.of(model.stream().asLongStream().toArray())) {
        checkWindow(dv, model, 0, 200_000);
        checkWindow(dv, model, 65_535, 3);
        checkWindow(dv, model, 199_990, 77);
        checkWindow(dv, model, 13, 0);
        for (int i = 0; i < 20; i++) {
          checkWindow(dv, model, random.nextInt(210_000), random.nextInt(70_000));
        }
      }
    }
  }

  private static void checkWindow(DeletionVector dv, BitSet model, int start, int length) {
    byte[] mask = dv.keepMask(start, length);
    byte[] deleted = dv.deleteMask(start, length);
    byte[] bytes = dv.keepBytes(start, length);
    int[] indices = dv.keepIndices(start, length);
    byte[] expectedMask = new byte[(length + 7) / 8];
    byte[] expectedDeleted = new byte[(length + 7) / 8];
    byte[] expectedBytes = new byte[length];
    for (int i = 0; i < length; i++) {
      if (model.get(start + i)) {
        expectedDeleted[i / 8] |= (byte) (1 << (i % 8));
      } else {
        expectedMask[i / 8] |= (byte) (1 << (i % 8));
        expectedBytes[i] = 1;
      }
    }
    assertArrayEquals(expectedMask, mask);
    assertArrayEquals(expectedDeleted, deleted);
    assertArrayEquals(expectedBytes, bytes);
    assertArrayEquals(
        IntStream.range(0, length).filter(i -> !model.get(start + i)).toArray(), indices);
    assertArrayEquals(
        IntStream.range(start, start + length).filter(model::get).asLongStream().toArray(),
        dv.toArray(start, start + (long) length));
  }

  @Test
  void segmentsGetWhatArraysGet() {
    try (Arena arena = Arena.ofConfined();
        DeletionVector dv = DeletionVector.of(0, 3, 9, 10)) {
      MemorySegment out = arena.allocate(64);
      out.fill((byte) 0x55);
      dv.keepMask(0, 12, out);
      assertArrayEquals(new byte[] {(byte) 0b1111_0110, 0b1001}, head(out, 2));
      assertEquals(0x55, out.get(ValueLayout.JAVA_BYTE, 2), "what is beyond stays untouched");
      dv.deleteMask(0, 12, out);
      assertArrayEquals(new byte[] {0b1001, 0b0110}, head(out, 2));
      dv.keepBytes(8, 4, out);
      assertArrayEquals(new byte[] {1, 0, 0, 1}, head(out, 4));
      assertEquals(2, dv.keepIndices(8, 4, out));
      assertArrayEquals(new int[] {0, 3}, out.asSlice(0, 8).toArray(ValueLayout.JAVA_INT));
      assertEquals(4, dv.positions(0, 100, out));
      assertArrayEquals(
          new long[] {0, 3, 9, 10}, out.asSlice(0, 32).toArray(ValueLayout.JAVA_LONG));
      long[] array = new long[2];
      assertEquals(2, dv.positions(1, 100, array));
      assertArrayEquals(new long[] {3, 9}, array);
      MemorySegment odd = arena.allocate(65).asSlice(1);
      assertEquals(4, dv.positions(0, 100, odd));
      assertEquals(3, odd.get(ValueLayout.JAVA_LONG_UNALIGNED, 8));
      byte[] larger = {0, 0, 7};
      dv.keepMask(0, 12, larger);
      assertEquals(7, larger[2]);
    }
  }

  private static byte[] head(MemorySegment segment, long size) {
    return segment.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE);
  }

  @Test
  void shortBuffersAreRefused() {
    try (DeletionVector dv = DeletionVector.of(1)) {
      MemorySegment small = MemorySegment.ofArray(new byte[1]);
      assertThrows(DvTooSmallException.class, () -> dv.keepMask(0, 9, small));
      assertThrows(DvTooSmallException.class, () -> dv.deleteMask(0, 9, small));
      assertThrows(DvTooSmallException.class, () -> dv.keepBytes(0, 2, small));
      assertThrows(
          DvTooSmallException.class,
          () -> dv.containsAll(MemorySegment.ofArray(new long[2]), small));
      MemorySegment two = MemorySegment.ofArray(new int[2]);
      DvTooSmallException e =
          assertThrows(DvTooSmallException.class, () -> dv.keepIndices(0, 9, two));
      assertEquals(8, e.needed());
      assertThrows(IllegalArgumentException.class, () -> dv.keepMask(0, 8, small.asReadOnly()));
    }
  }

  @Test
  void windowsOutsideAreRefused() {
    try (DeletionVector dv = DeletionVector.of(1)) {
      byte[] out = new byte[8];
      assertThrows(DvInvalidArgumentException.class, () -> dv.keepMask(-1, 8, out));
      assertThrows(DvInvalidArgumentException.class, () -> dv.keepMask(Long.MAX_VALUE, 8, out));
      assertThrows(DvInvalidArgumentException.class, () -> dv.contains(-1));
      assertThrows(DvInvalidArgumentException.class, () -> dv.contains(Long.MAX_VALUE));
      assertThrows(DvInvalidArgumentException.class, () -> dv.positions(-1, 5).count());
      assertThrows(DvInvalidArgumentException.class, () -> dv.count(-1, 5));
    }
  }

  @Test
  void streamsArePaged() {
    long[] positions = LongStream.range(0, 10_000).map(i -> i * 3).toArray();
    try (DeletionVector dv = DeletionVector.of(positions)) {
      assertArrayEquals(positions, dv.positions().toArray());
      assertArrayEquals(positions, dv.positions().sorted().distinct().toArray());
      assertEquals(3 * 5_000, dv.positions().skip(5_000).findFirst().orElseThrow());
      assertEquals(2_000, dv.positions(0, 6_000).count());
      assertEquals(0, dv.positions(5, 5).count());
      assertEquals(0, dv.positions(29_998, Long.MAX_VALUE).count());
      assertArrayEquals(positions, dv.positions().parallel().toArray());
    }
  }

  @Test
  void saysWhatItIs() {
    DeletionVector dv = DeletionVector.of(1, 2);
    assertEquals("DeletionVector[cardinality=2]", dv.toString());
    dv.close();
    assertEquals("DeletionVector[closed]", dv.toString());
  }
}
