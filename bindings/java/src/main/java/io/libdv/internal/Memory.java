package io.libdv.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
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
  private static final MethodHandle MADVISE =
      NativeLibrary.CURRENT.libc(
          "madvise", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));

  /** What glibc maps afresh each time, however often it is given back: its largest threshold. */
  private static final long MAPPED_FROM = 32L << 20;

  private static final long HUGE_PAGE = 2L << 20;
  private static final int MADV_HUGEPAGE = 14;

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
      if (size >= MAPPED_FROM) {
        adviseHugePages(memory.address(), size);
      }
      return memory.reinterpret(size);
    } catch (Throwable t) {
      throw Errors.rethrow(t);
    }
  }

  /**
   * Asks for few page faults where they would take longer than the work does. It is advice: where
   * it is not taken, nothing is lost.
   */
  private static void adviseHugePages(long address, long size) throws Throwable {
    long start = (address + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    long length = (address + size - start) / HUGE_PAGE * HUGE_PAGE;
    int unused = (int) MADVISE.invokeExact(MemorySegment.ofAddress(start), length, MADV_HUGEPAGE);
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
