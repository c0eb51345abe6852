package io.libdv.bench;

/** One task: JMH runs its methods, after {@link #verify} has shown that they agree. */
public interface Bench {
  /** Makes the data of the chosen cell. */
  void setUp();

  /** Throws unless every method comes to the right result. */
  void verify();

  /** How many positions the cell has. */
  int positions();

  /** How many bytes its input has. */
  int size();

  /** Throws if a method came to another result. */
  static void expect(boolean right, String method) {
    if (!right) {
      throw new IllegalStateException(method + " came to another result than expected");
    }
  }
}
