package io.libdv.bench;

import io.libdv.DeletionVector;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** Reproducible sets of deleted rows, and what is made of them. */
final class Data {
  /** Rows of the large tasks. */
  static final int ROWS = 10_000_000;

  private static final Map<String, Double> DENSITIES =
      Map.of("0.01%", 0.0001, "0.1%", 0.001, "1%", 0.01, "5%", 0.05, "10%", 0.1, "50%", 0.5);

  private Data() {}

  /** The deleted rows below {@code rows}, ascending, lying as the cell's label says. */
  static long[] positions(String cell, int rows, long seed) {
    return switch (cell) {
      case "all" -> LongStream.range(0, rows).toArray();
      case "clustered" -> runs(rows, seed);
      case "100 positions" -> sample(100, rows, seed);
      default -> {
        double density = DENSITIES.get(cell);
        SplittableRandom random = new SplittableRandom(seed);
        yield LongStream.range(0, rows).filter(row -> random.nextDouble() < density).toArray();
      }
    };
  }

  /** That many different rows, ascending. */
  static long[] sample(int count, int rows, long seed) {
    return new SplittableRandom(seed).longs(0, rows).distinct().limit(count).sorted().toArray();
  }

  /** Runs of 1 to 2,000 deleted rows with gaps of 1 to 8,000 between them. */
  private static long[] runs(int rows, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    LongStream.Builder out = LongStream.builder();
    for (int at = random.nextInt(8000); at < rows; ) {
      int end = Math.min(at + 1 + random.nextInt(2000), rows);
      LongStream.range(at, end).forEach(out);
      at = end + 1 + random.nextInt(8000);
    }
    return out.build().toArray();
  }

  /** The Iceberg blob. */
  static byte[] blob(long[] positions) {
    try (DeletionVector vector = DeletionVector.of(positions)) {
      return vector.serialize();
    }
  }

  /** The packed keep mask, worked out the plain way. */
  static byte[] mask(long[] positions, int rows) {
    byte[] mask = allKept(rows);
    for (long position : positions) {
      clear(mask, position);
    }
    return mask;
  }

  /** A mask that keeps every row. */
  static byte[] allKept(int rows) {
    byte[] mask = new byte[(rows + 7) / 8];
    keepAll(mask, rows);
    return mask;
  }

  /** Sets the bits of all rows. */
  static void keepAll(byte[] mask, int rows) {
    Arrays.fill(mask, (byte) -1);
    if (rows % 8 != 0) {
      mask[mask.length - 1] = (byte) ((1 << rows % 8) - 1);
    }
  }

  /** Clears the bit of one row. */
  static void clear(byte[] mask, long row) {
    mask[(int) (row >>> 3)] &= (byte) ~(1 << (row & 7));
  }
}
