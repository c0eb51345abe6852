package io.libdv.internal;

/**
 * Makes sure that there is stack enough for what must not be cut short.
 *
 * <p>A stack overflow on the way into a callback happens before any of its code could catch it, and
 * an exception that leaves an upcall ends the JVM; one at the end of a call leaves the object
 * locked for ever; one in the middle of freeing an object leaves it half freed. So the room is
 * tried out first: where it is missing, the {@link StackOverflowError} comes now, while nothing has
 * happened yet.
 */
final class StackReserve {
  private static final int UPCALL_FRAMES = 300;
  private static final int LOCK_FRAMES = 60;

  private StackReserve() {}

  /**
   * Tries the stack for a call that may come back into Java.
   *
   * @throws StackOverflowError if little is left
   */
  static void forUpcall() {
    descend(UPCALL_FRAMES, 1, 2, 3, 4, 5, 6, 7);
  }

  /**
   * Tries the stack for unlocking or freeing an object.
   *
   * @throws StackOverflowError if little is left
   */
  static void forLock() {
    descend(LOCK_FRAMES, 1, 2, 3, 4, 5, 6, 7);
  }

  // The sum keeps the compiler from turning the recursion into a loop.
  private static long descend(int frames, long a, long b, long c, long d, long e, long f, long g) {
    if (frames == 0) {
      return a + b + c + d + e + f + g;
    }
    return a + descend(frames - 1, g, a, b, c, d, e, f);
  }
}
