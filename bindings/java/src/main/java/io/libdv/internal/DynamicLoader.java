package io.libdv.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.file.Path;

/**
 * The platform's dynamic loader, called directly.
 *
 * <p>{@code SymbolLookup.libraryLookup} would say only that a library cannot be opened; the loader
 * itself says why, and it can be asked for a library that another class loader of this process has
 * loaded from a file that is gone by now.
 */
final class DynamicLoader {
  private static final int RTLD_NOW = 2;
  private static final int RTLD_NOLOAD = 4; // Linux
  private static final int TEXT_LIMIT = 4096;

  private final MethodHandle open;
  private final MethodHandle symbol;
  private final MethodHandle error;

  /**
   * Finds the loader's functions.
   *
   * @throws IllegalCallerException if this module may not call native code
   */
  DynamicLoader() {
    open = function("dlopen", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
    symbol = function("dlsym", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
    error = function("dlerror", FunctionDescriptor.of(ADDRESS));
  }

  /** A handle for a function that every process has. */
  static MethodHandle function(String name, FunctionDescriptor descriptor) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), descriptor);
  }

  /**
   * Loads a library and whatever it needs.
   *
   * @param library the file, on the default file system
   * @return the loader's handle; it stays valid until the process ends
   * @throws UnsatisfiedLinkError with the loader's own words if it refuses
   */
  MemorySegment open(Path library) {
    MemorySegment handle = open(library, RTLD_NOW);
    if (handle.address() == 0) {
      throw new UnsatisfiedLinkError(lastError());
    }
    return handle;
  }

  /**
   * Finds a library that this process has loaded already under exactly that name.
   *
   * @param library the name it was loaded by; the file need no longer exist
   * @return the loader's handle, or null if there is none
   */
  MemorySegment loaded(Path library) {
    MemorySegment handle = open(library, RTLD_NOW | RTLD_NOLOAD);
    return handle.address() == 0 ? null : handle;
  }

  private MemorySegment open(Path library, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      return (MemorySegment) open.invokeExact(Text.path(library, arena), flags);
    } catch (Throwable t) {
      throw Errors.rethrow(t);
    }
  }

  /**
   * The address of a symbol.
   *
   * @param handle what {@link #open} returned
   * @param name the symbol
   * @return its address, or null if the library lacks it
   */
  MemorySegment find(MemorySegment handle, String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = (MemorySegment) symbol.invokeExact(handle, arena.allocateFrom(name));
      return address.address() == 0 ? null : address;
    } catch (Throwable t) {
      throw Errors.rethrow(t);
    }
  }

  /** The loader's last error on this thread, in the encoding that file names have. */
  private String lastError() {
    try {
      MemorySegment text = (MemorySegment) error.invokeExact();
      if (text.address() == 0) {
        return "the dynamic loader gave no reason";
      }
      ByteBuffer bytes = text.reinterpret(TEXT_LIMIT).asByteBuffer();
      int end = 0;
      while (end < TEXT_LIMIT - 1 && bytes.get(end) != 0) {
        end++;
      }
      return Charset.defaultCharset().decode(bytes.slice(0, end)).toString();
    } catch (Throwable t) {
      throw Errors.rethrow(t);
    }
  }
}
