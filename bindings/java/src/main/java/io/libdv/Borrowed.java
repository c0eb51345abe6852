package io.libdv;

import java.lang.foreign.MemorySegment;

/** Checks on memory that the library reads in place for longer than a call. */
final class Borrowed {
  private Borrowed() {}

  static void requireNative(MemorySegment segment) {
    if (!segment.isNative()) {
      throw new IllegalArgumentException(
          "the segment is on the heap, where the garbage collector moves it; pass native memory");
    }
  }

  /**
   * Fails where the memory is gone, or is a confined arena's of another thread, which may close it
   * at any moment.
   */
  static void requireAlive(MemorySegment segment) {
    if (segment == null) {
      return;
    }
    if (!segment.scope().isAlive()) {
      throw new IllegalStateException("the memory that this object reads is closed");
    }
    if (!segment.isAccessibleBy(Thread.currentThread())) {
      throw new WrongThreadException("the memory that this object reads is another thread's");
    }
  }
}
