package io.libdv.iceberg;

import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

/** Sets of positions of the shapes that deletes have. */
record Shapes(String name, long[] positions) {
  private static final int ROWS = 300_000;

  /** One of each, the same on every run. */
  static List<Shapes> all() {
    Random random = new Random(20);
    return List.of(
        new Shapes("one", new long[] {0}),
        new Shapes("edges", new long[] {0, 65_535, 65_536, 131_071, ROWS}),
        new Shapes("array of 4096", LongStream.range(0, 4096).map(i -> i * 3).toArray()),
        new Shapes("bitmap of 4097", LongStream.range(0, 4097).map(i -> i * 3).toArray()),
        new Shapes("sparse", some(random, 0.001)),
        new Shapes("dense", some(random, 0.4)),
        new Shapes("clustered", LongStream.range(0, ROWS).filter(i -> i / 500 % 3 == 0).toArray()),
        new Shapes("all", LongStream.range(0, ROWS).toArray()),
        new Shapes("two keys", LongStream.range((1L << 32) - 500, (1L << 32) + 700).toArray()));
  }

  private static long[] some(Random random, double density) {
    return LongStream.range(0, ROWS).filter(i -> random.nextDouble() < density).toArray();
  }

  @Override
  public String toString() {
    return name;
  }
}
