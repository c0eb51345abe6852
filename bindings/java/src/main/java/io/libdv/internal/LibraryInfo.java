package io.libdv.internal;

import java.lang.foreign.MemorySegment;

/** What {@code io.libdv.Libdv} asks, by name. */
public final class LibraryInfo {
  private LibraryInfo() {}

  /**
   * The library's version.
   *
   * @return MAJOR.MINOR.PATCH
   */
  public static String version() {
    try {
      return Text.read((MemorySegment) Native.DV_VERSION.invokeExact());
    } catch (Throwable t) {
      throw Errors.rethrow(t);
    }
  }

  /**
   * The library's {@code DV_ABI_VERSION}.
   *
   * @return the number
   */
  public static int abiVersion() {
    try {
      return (int) Native.DV_ABI_VERSION.invokeExact();
    } catch (Throwable t) {
      throw Errors.rethrow(t);
    }
  }

  /**
   * The objects made and not yet freed.
   *
   * @return their number, of every kind
   */
  public static long liveHandles() {
    try {
      return (long) Native.DV_LIVE_HANDLES.invokeExact();
    } catch (Throwable t) {
      throw Errors.rethrow(t);
    }
  }

  /**
   * Where the library came from.
   *
   * @return the file's path, or the resource in the jar
   */
  public static String origin() {
    return NativeLibrary.origin();
  }
}
