package io.libdv.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Native memory as {@code malloc} gives it: not zeroed, freed by hand. */
public final class Memory {
  private static final MethodHandle MALLOC =
      NativeLibrary.CURRENT.libc("malloc", FunctionDescriptor.of(ADDRESS, JAVA_LONG));
  private static final MethodHandle FREE =
      NativeLibrary.CURRENT.libc("free", FunctionDescriptor.ofVoid(ADDRESS));

  private Memory() {}

  /**
   * Allocates memory that nothing but {@link #free} gives back.
   *
   * @param size in bytes, >= 0
   * @return the memory, of that size, aligned for every type; its contents are unspecified
   * @throws OutOfMemoryError if the system refuses it
   */
  public static MemorySegment allocate(long size) {
    try {
      MemorySegment memory = (MemorySegment) MALLOC.invokeExact(Math.max(size, 1));
      if (memory.address() == 0) {
        throw new OutOfMemoryError("cannot allocate " + size + " bytes of native memory");
      }
      return memory.reinterpret(size);
    } catch (Throwable t) {
      throw Errors.rethrow(t);
    }
  }

  /**
   * Gives memory back.
   *
   * @param memory what {@link #allocate} returned, or a segment that starts there
   */
  public static void free(MemorySegment memory) {
    try {
      FREE.invokeExact(memory);
    } catch (Throwable t) {
      throw Errors.rethrow(t);
    }
  }
}
