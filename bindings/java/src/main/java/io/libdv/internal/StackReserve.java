package io.libdv.internal;

/**
 * Makes sure that a callback will find stack enough.
 *
 * <p>A stack overflow on the way into a callback happens before any of its code could catch it, and
 * an exception that leaves an upcall ends the JVM. So the room is tried out before the native call
 * is made: where it is missing, the {@link StackOverflowError} comes now, in Java.
 */
final class StackReserve {
  private static final int FRAMES = 200;

  private StackReserve() {}

  /**
   * Tries the stack.
   *
   * @throws StackOverflowError if little is left
   */
  static void ensure() {
    descend(FRAMES, 1, 2, 3, 4, 5, 6, 7);
  }

  // The sum keeps the compiler from turning the recursion into a loop.
  private static long descend(int frames, long a, long b, long c, long d, long e, long f, long g) {
    if (frames == 0) {
      return a + b + c + d + e + f + g;
    }
    return a + descend(frames - 1, g, a, b, c, d, e, f);
  }
}
