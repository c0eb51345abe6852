package io.libdv.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.libdv.DvLimitException;
import io.libdv.DvTooSmallException;
import java.lang.foreign.MemorySegment;

/** The shapes that the library's functions have: a status, and at most one result by pointer. */
public enum Calls {
  /** Calls that end without running any Java code. */
  PLAIN {
    @Override
    public void run(Callbacks.Call call) {
      try {
        Errors.check(call.run());
      } catch (Throwable t) {
        throw Errors.rethrow(t);
      }
    }
  },

  /** Calls that may read a caller's source or write to a caller's sink. */
  FILES {
    @Override
    public void run(Callbacks.Call call) {
      Callbacks.run(call);
    }
  };

  private static final long BYTES_DATA = Layouts.offset(Layouts.BYTES, "data");
  private static final long BYTES_SIZE = Layouts.offset(Layouts.BYTES, "size");

  /** A call with a result. */
  @FunctionalInterface
  public interface Out {
    /**
     * Makes the call.
     *
     * @param scratch memory for the call's arguments
     * @param out where the function puts its result
     * @return the {@code dv_status}
     * @throws Throwable never by the call itself; method handles declare it
     */
    int run(Scratch scratch, MemorySegment out) throws Throwable;
  }

  /**
   * A call without a result.
   *
   * @param call the call
   * @throws io.libdv.DvException if the library refuses or fails
   */
  public abstract void run(Callbacks.Call call);

  /**
   * A call whose result is a pointer into an object. For a new object see {@link Handle#make}.
   *
   * @param call the call
   * @return the pointer
   */
  public MemorySegment pointer(Out call) {
    try (Scratch scratch = new Scratch()) {
      MemorySegment out = scratch.allocate(ADDRESS);
      run(() -> call.run(scratch, out));
      return out.get(ADDRESS, 0);
    }
  }

  /**
   * A call whose result is a boolean.
   *
   * @param call the call
   * @return the result
   */
  public boolean bool(Out call) {
    try (Scratch scratch = new Scratch()) {
      MemorySegment out = scratch.allocate(JAVA_BOOLEAN);
      run(() -> call.run(scratch, out));
      return out.get(JAVA_BOOLEAN, 0);
    }
  }

  /**
   * A call whose result has 32 bits.
   *
   * @param call the call
   * @return the result
   */
  public int int32(Out call) {
    try (Scratch scratch = new Scratch()) {
      MemorySegment out = scratch.allocate(JAVA_INT);
      run(() -> call.run(scratch, out));
      return out.get(JAVA_INT, 0);
    }
  }

  /**
   * A call whose result has 64 bits.
   *
   * @param call the call
   * @return the result
   */
  public long int64(Out call) {
    try (Scratch scratch = new Scratch()) {
      MemorySegment out = scratch.allocate(JAVA_LONG);
      run(() -> call.run(scratch, out));
      return out.get(JAVA_LONG, 0);
    }
  }

  /**
   * A call that fills a buffer and counts what it put there.
   *
   * @param call the call; its result is the count
   * @return the count
   * @throws DvTooSmallException with the count needed, if the buffer cannot hold the result
   */
  public long count(Out call) {
    try (Scratch scratch = new Scratch()) {
      MemorySegment count = scratch.allocate(JAVA_LONG);
      try {
        run(() -> call.run(scratch, count));
      } catch (DvTooSmallException e) {
        throw new DvTooSmallException(e.getMessage(), count.get(JAVA_LONG, 0));
      }
      return count.get(JAVA_LONG, 0);
    }
  }

  /**
   * A call whose result is a {@code dv_bytes}.
   *
   * @param call the call
   * @return a copy of the bytes; the library's are freed
   */
  public byte[] bytes(Out call) {
    try (Scratch scratch = new Scratch()) {
      MemorySegment out = scratch.allocate(Layouts.BYTES);
      run(() -> call.run(scratch, out));
      try {
        return copy(out);
      } finally {
        free(out);
      }
    }
  }

  private static byte[] copy(MemorySegment bytes) {
    long size = bytes.get(JAVA_LONG, BYTES_SIZE);
    MemorySegment data = bytes.get(ADDRESS, BYTES_DATA);
    return data.reinterpret(arraySize(size)).toArray(JAVA_BYTE);
  }

  /**
   * A size that a Java array can have.
   *
   * @param size the number of elements
   * @return the same number
   * @throws DvLimitException if no array can have that many
   */
  public static int arraySize(long size) {
    if (size > Integer.MAX_VALUE - 8) {
      throw new DvLimitException(size + " elements do not fit a Java array; use a MemorySegment");
    }
    return (int) size;
  }

  private static void free(MemorySegment bytes) {
    try {
      Native.DV_BYTES_FREE.invokeExact(bytes);
    } catch (Throwable t) {
      throw Errors.rethrow(t);
    }
  }
}
