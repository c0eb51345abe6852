package io.libdv;

import java.util.Comparator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;

/** The positions of a range, fetched a page at a time. */
final class PositionPages extends Spliterators.AbstractLongSpliterator {
  private static final int PAGE = 4096;

  private final VectorReads vector;
  private final long[] page = new long[PAGE];
  private final long end;
  private long next;
  private int index;
  private int size;
  private boolean last;

  private PositionPages(VectorReads vector, long start, long end, long estimate) {
    super(estimate, Spliterator.ORDERED | Spliterator.DISTINCT | Spliterator.SORTED);
    this.vector = vector;
    this.next = start;
    this.end = end;
  }

  static LongStream stream(VectorReads vector, long start, long end) {
    long estimate = vector.count(start, end);
    return StreamSupport.longStream(new PositionPages(vector, start, end, estimate), false);
  }

  @Override
  public boolean tryAdvance(LongConsumer action) {
    if (index == size && !fetch()) {
      return false;
    }
    action.accept(page[index++]);
    return true;
  }

  @Override
  public void forEachRemaining(LongConsumer action) {
    do {
      while (index < size) {
        action.accept(page[index++]);
      }
    } while (fetch());
  }

  /** Natural order. */
  @Override
  public Comparator<? super Long> getComparator() {
    return null;
  }

  private boolean fetch() {
    if (last) {
      return false;
    }
    size = vector.positions(next, end, page);
    index = 0;
    last = size < PAGE;
    if (size > 0) {
      next = page[size - 1] + 1;
    }
    return size > 0;
  }
}
