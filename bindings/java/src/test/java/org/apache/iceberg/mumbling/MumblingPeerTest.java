package org.apache.iceberg.mumbling;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.libdv.DeletionVector;
import io.libdv.Pfor;
import io.libdv.testing.NoLeaks;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.apache.iceberg.ManifestBitmap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Iceberg's own Mumbling reader and PFOR codec, which are private to their package. */
@ExtendWith(NoLeaks.class)
class MumblingPeerTest {
  private static final int LIMIT = io.libdv.MumblingBitmap.MAX_CARDINALITY;

  /** Shapes of bitmaps over every position that the format has. */
  enum Shape {
    EMPTY(1, i -> false),
    SPARSE(1, i -> i % 997 == 5),
    DENSE(1, i -> i % 3 != 0),
    CLUSTERED(1, i -> i / 700 % 11 < 2),
    EDGES(1, i -> i == 0 || i == 255 || i == 256 || i == LIMIT - 1),
    AROUND_32(1, i -> i % 256 < 30 + i / 256 % 5),
    FULL(1, i -> true),
    RANDOM_1_PERCENT(3, null),
    RANDOM_12_PERCENT(4, null),
    RANDOM_50_PERCENT(5, null);

    private final int seed;
    private final IntPredicate has;

    Shape(int seed, IntPredicate has) {
      this.seed = seed;
      this.has = has;
    }

    BitSet positions() {
      BitSet set = new BitSet(LIMIT);
      Random random = new Random(seed);
      double density = seed == 3 ? 0.01 : seed == 4 ? 0.12 : 0.5;
      IntPredicate member = has != null ? has : i -> random.nextDouble() < density;
      IntStream.range(0, LIMIT).filter(member).forEach(set::set);
      return set;
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void icebergAnswersTheSameForEveryPosition(Shape shape) {
    BitSet positions = shape.positions();
    byte[] bytes;
    try (DeletionVector dv = DeletionVector.of(positions.stream().asLongStream().toArray())) {
      bytes = io.libdv.MumblingBitmap.serialize(dv);
    }
    ManifestBitmap javas = MumblingBitmaps.read(ByteBuffer.wrap(bytes));
    assertEquals(positions.cardinality(), javas.cardinality());
    for (int i = 0; i < LIMIT; i++) {
      if (positions.get(i) != javas.isSet(i)) {
        throw new AssertionError("position " + i);
      }
    }
    try (io.libdv.MumblingBitmap ours = io.libdv.MumblingBitmap.read(bytes)) {
      ours.validate();
      assertArrayEquals(positions.stream().toArray(), ours.positions());
      byte[] mask = ours.keepMask(0, LIMIT);
      positions.flip(0, LIMIT);
      byte[] kept = positions.toByteArray();
      assertArrayEquals(kept, java.util.Arrays.copyOf(mask, kept.length));
    }
  }

  @Test
  void pforIsEncodedAsIcebergDoes() {
    Random random = new Random(11);
    for (int i = 0; i < 5_000; i++) {
      byte[] values = values(random, i);
      int[] unsigned = new int[values.length];
      for (int k = 0; k < values.length; k++) {
        unsigned[k] = Byte.toUnsignedInt(values[k]);
      }
      ByteBuffer javas = PFOREncoding.encode(unsigned, unsigned.length);
      byte[] expected = new byte[javas.remaining()];
      javas.get(expected);
      byte[] code = Pfor.encode(values);
      assertArrayEquals(expected, code, "array " + i);
      assertArrayEquals(unsigned, PFOREncoding.decode(ByteBuffer.wrap(code), unsigned.length));
      byte[] back = new byte[values.length];
      assertEquals(code.length, Pfor.decode(expected, back));
      assertArrayEquals(values, back);
      assertTrue(code.length <= Pfor.estimate(values.length));
    }
  }

  /** Arrays of up to three chunks: narrow, wide, and narrow with a few exceptions. */
  private static byte[] values(Random random, int i) {
    byte[] values = new byte[random.nextInt(i % 10 == 0 ? 700 : 60)];
    int width = random.nextInt(9);
    int least = random.nextInt(256);
    double exceptions = i % 3 == 0 ? 0 : random.nextDouble() * 0.3;
    for (int k = 0; k < values.length; k++) {
      int value = Math.min(255, least + random.nextInt(1 << width));
      values[k] = (byte) (random.nextDouble() < exceptions ? random.nextInt(256) : value);
    }
    return values;
  }
}
