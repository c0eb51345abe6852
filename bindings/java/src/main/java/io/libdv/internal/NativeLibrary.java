package io.libdv.internal;

import io.libdv.DvLoadException;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The loaded library, or the reason why there is none.
 *
 * <p>A library that cannot be loaded must not surface as an {@code ExceptionInInitializerError}
 * once and a bare {@code NoClassDefFoundError} ever after. So loading never throws: its failure is
 * kept, and each method handle then throws a {@link DvLoadException} that tells the reason.
 */
public final class NativeLibrary {
  /** The system property that names the library's file and wins over the one in the jar. */
  public static final String PATH_PROPERTY = "libdv.path";

  /** The value of {@code DV_ABI_VERSION} that this binding was written for. */
  public static final int ABI_VERSION = 1;

  /** What {@link Native} and all else use. */
  static final NativeLibrary CURRENT = load();

  // A string constant is one object for all class loaders of the process, and so is its monitor.
  private static final String PROCESS_WIDE = "io.libdv.native";

  private static final String ELSEWHERE =
      "; choose another directory with -Djava.io.tmpdir=DIRECTORY, or a libdv.so outside the jar"
          + " with -D"
          + PATH_PROPERTY
          + "=FILE";

  private final DynamicLoader loader;
  private final MemorySegment library;
  private final String origin;
  private final String failure;
  private final Throwable cause;

  private NativeLibrary(DynamicLoader loader, MemorySegment library, String origin) {
    this.loader = loader;
    this.library = library;
    this.origin = origin;
    this.failure = null;
    this.cause = null;
  }

  private NativeLibrary(String failure, Throwable cause) {
    this.loader = null;
    this.library = null;
    this.origin = null;
    this.failure = failure;
    this.cause = cause;
  }

  /** Whether there is a library to call. */
  boolean isLoaded() {
    return failure == null;
  }

  /**
   * Where the library came from.
   *
   * @return the file's path, or the resource's name in the jar
   * @throws DvLoadException if it could not be loaded
   */
  public static String origin() {
    if (CURRENT.failure != null) {
      throw CURRENT.refusal();
    }
    return CURRENT.origin;
  }

  /**
   * A handle for one function of {@link Signatures#TABLE}.
   *
   * @param name the function's name
   * @return the handle; where the library or the function is missing, one that throws {@link
   *     DvLoadException} whenever it is invoked
   */
  MethodHandle function(String name) {
    FunctionDescriptor descriptor = Signatures.TABLE.get(name);
    if (failure != null) {
      return refusing(descriptor);
    }
    MemorySegment address = loader.find(library, name);
    if (address == null) {
      String text = "the libdv at " + origin + " lacks the function " + name;
      return new NativeLibrary(text, null).refusing(descriptor);
    }
    return Linker.nativeLinker().downcallHandle(address, descriptor);
  }

  /**
   * A handle for a function of the C library.
   *
   * @param name the function's name
   * @param descriptor its types
   * @return the handle; one that throws {@link DvLoadException} where this library is not loaded
   */
  MethodHandle libc(String name, FunctionDescriptor descriptor) {
    return failure == null ? DynamicLoader.function(name, descriptor) : refusing(descriptor);
  }

  private MethodHandle refusing(FunctionDescriptor descriptor) {
    MethodType type = descriptor.toMethodType();
    try {
      MethodHandle reason =
          MethodHandles.lookup()
              .findVirtual(
                  NativeLibrary.class, "refusal", MethodType.methodType(DvLoadException.class))
              .bindTo(this);
      MethodHandle thrower = MethodHandles.throwException(type.returnType(), DvLoadException.class);
      return MethodHandles.dropArguments(
          MethodHandles.foldArguments(thrower, reason), 0, type.parameterList());
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private DvLoadException refusal() {
    return new DvLoadException(failure, cause);
  }

  private static NativeLibrary load() {
    try {
      DynamicLoader loader = new DynamicLoader();
      String path = System.getProperty(PATH_PROPERTY);
      NativeLibrary found = path == null ? fromJar(loader) : fromFile(loader, path);
      return found.checked();
    } catch (IllegalCallerException e) {
      return new NativeLibrary(accessDenied(), e);
    } catch (DvLoadException e) {
      return new NativeLibrary(e.getMessage(), e.getCause());
    } catch (Exception | LinkageError e) {
      return new NativeLibrary("libdv cannot be loaded: " + e, e);
    }
  }

  private static String accessDenied() {
    Module module = NativeLibrary.class.getModule();
    String name = module.isNamed() ? module.getName() : "ALL-UNNAMED";
    return "libdv may not call native code in this JVM: start it with --enable-native-access="
        + name;
  }

  private static NativeLibrary fromFile(DynamicLoader loader, String path) {
    Path file = Path.of(path).toAbsolutePath();
    if (!Files.isRegularFile(file)) {
      throw new DvLoadException(
          "-D" + PATH_PROPERTY + "=" + path + " does not name a file; it must name libdv.so", null);
    }
    try {
      return new NativeLibrary(loader, loader.open(file), file.toString());
    } catch (UnsatisfiedLinkError e) {
      throw new DvLoadException(
          "the library named by -D" + PATH_PROPERTY + " cannot be loaded: " + e.getMessage(), e);
    }
  }

  private static NativeLibrary fromJar(DynamicLoader loader) throws IOException {
    byte[] bytes = Extraction.bytes();
    if (bytes == null) {
      throw new DvLoadException(
          "this libdv brings no native library for this machine ("
              + Extraction.resource()
              + " is not in the jar); name one with -D"
              + PATH_PROPERTY
              + "=/path/to/libdv.so",
          null);
    }
    // Two copies of one library would be two Go runtimes in one process: class loaders share one.
    String property = PROCESS_WIDE + "." + Extraction.fingerprint(bytes);
    synchronized (PROCESS_WIDE) {
      MemorySegment shared = shared(loader, System.getProperty(property));
      if (shared != null) {
        return new NativeLibrary(loader, shared, "jar:" + Extraction.resource());
      }
      try (Extraction extraction = Extraction.of(bytes)) {
        MemorySegment library = open(loader, extraction);
        System.setProperty(property, extraction.library().toString());
        return new NativeLibrary(loader, library, "jar:" + Extraction.resource());
      } catch (IOException e) {
        throw new DvLoadException(
            "the native library of this jar cannot be written to the temporary directory: "
                + e
                + ELSEWHERE,
            e);
      }
    }
  }

  private static MemorySegment shared(DynamicLoader loader, String path) {
    return path == null ? null : loader.loaded(Path.of(path));
  }

  private static MemorySegment open(DynamicLoader loader, Extraction extraction) {
    try {
      return loader.open(extraction.library());
    } catch (UnsatisfiedLinkError e) {
      String reason =
          extraction.forbidsExecution() ? " (the temporary directory forbids execution)" : "";
      throw new DvLoadException(
          "the native library of this jar cannot be loaded: " + e.getMessage() + reason + ELSEWHERE,
          e);
    }
  }

  /** This library, if it has the ABI that this binding was written for. */
  private NativeLibrary checked() {
    try {
      int found = (int) function("dv_abi_version").invokeExact();
      if (found == ABI_VERSION) {
        return this;
      }
      throw new DvLoadException(
          "the libdv at "
              + origin
              + " has ABI version "
              + found
              + ", this binding needs "
              + ABI_VERSION,
          null);
    } catch (Throwable t) {
      throw Errors.rethrow(t);
    }
  }
}
