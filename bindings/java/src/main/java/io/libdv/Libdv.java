package io.libdv;

import java.lang.reflect.InvocationTargetException;

/**
 * Whether libdv can be used here, and what was loaded.
 *
 * <p>This class alone is compiled for Java 8, so that a program on an older JVM gets a sentence and
 * not an {@code UnsupportedClassVersionError}: the rest of the binding needs Java 22 with its
 * Foreign Function and Memory API. It is also the jar's main class: {@code java -jar libdv.jar}
 * tells what it finds.
 */
public final class Libdv {
  private static final int NEEDED = 22;

  private Libdv() {}

  /**
   * Whether this JVM is new enough for libdv. Nothing is loaded.
   *
   * @return true from Java 22 on
   */
  public static boolean isSupported() {
    return feature(System.getProperty("java.specification.version")) >= NEEDED;
  }

  /**
   * Loads the native library now rather than on first use.
   *
   * @throws UnsupportedOperationException if this JVM is older than Java 22
   * @throws IllegalStateException if the library is missing, cannot be loaded, has another ABI
   *     version, or native access is denied (a {@code DvLoadException})
   */
  public static void load() {
    abiVersion();
  }

  /**
   * The version of the native library.
   *
   * @return MAJOR.MINOR.PATCH
   * @throws UnsupportedOperationException if this JVM is older than Java 22
   * @throws IllegalStateException if the library cannot be loaded
   */
  public static String version() {
    return (String) ask("version");
  }

  /**
   * The native library's binary interface.
   *
   * @return its number, which is the one that this binding was written for
   * @throws UnsupportedOperationException if this JVM is older than Java 22
   * @throws IllegalStateException if the library cannot be loaded
   */
  public static int abiVersion() {
    return (Integer) ask("abiVersion");
  }

  /**
   * How many objects of the native library exist in this process: for leak tests.
   *
   * @return the number of objects made and not yet freed, of every kind
   * @throws UnsupportedOperationException if this JVM is older than Java 22
   * @throws IllegalStateException if the library cannot be loaded
   */
  public static long liveHandles() {
    return (Long) ask("liveHandles");
  }

  /**
   * Where the native library came from.
   *
   * @return the file's path, or the resource in the jar
   * @throws UnsupportedOperationException if this JVM is older than Java 22
   * @throws IllegalStateException if the library cannot be loaded
   */
  public static String origin() {
    return (String) ask("origin");
  }

  /**
   * Tells what this JVM and the native library are.
   *
   * @param arguments ignored
   */
  @SuppressWarnings("SystemOut") // it is a command
  public static void main(String[] arguments) {
    try {
      System.out.println("libdv " + version() + ", ABI " + abiVersion() + ", from " + origin());
    } catch (UnsupportedOperationException | IllegalStateException e) {
      System.err.println("libdv: " + e.getMessage());
      System.exit(1);
    }
  }

  /** Calls the rest of the binding by name: this class must load where that cannot. */
  private static Object ask(String method) {
    if (!isSupported()) {
      throw new UnsupportedOperationException(
          "libdv needs Java "
              + NEEDED
              + " or later (its Foreign Function and Memory API); this is Java "
              + System.getProperty("java.version")
              + " at "
              + System.getProperty("java.home"));
    }
    try {
      return Class.forName("io.libdv.internal.LibraryInfo").getMethod(method).invoke(null);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException) {
        throw (RuntimeException) e.getCause();
      }
      if (e.getCause() instanceof Error) {
        throw (Error) e.getCause();
      }
      throw new AssertionError(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** 8 for "1.8", 17 for "17". */
  private static int feature(String version) {
    return Integer.parseInt(version.startsWith("1.") ? version.substring(2) : version);
  }
}
