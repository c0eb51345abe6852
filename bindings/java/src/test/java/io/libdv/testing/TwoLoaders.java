package io.libdv.testing;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;

/** Loads the binding twice, each with the library that its classes bring. */
public final class TwoLoaders {
  private TwoLoaders() {}

  /** Runs in a JVM that has the test classes alone on its class path. */
  public static void main(String[] arguments) throws Exception {
    URL[] classes = {Path.of(System.getProperty("libdv.classes")).toUri().toURL()};
    ClassLoader platform = ClassLoader.getPlatformClassLoader();
    try (URLClassLoader first = new URLClassLoader(classes, platform);
        URLClassLoader second = new URLClassLoader(classes, platform)) {
      AutoCloseable vector = vector(first);
      AutoCloseable other = vector(second);
      if (vector.getClass() == other.getClass()) {
        throw new AssertionError("the class loaders share their classes");
      }
      long live = (Long) libdv(second).getMethod("liveHandles").invoke(null);
      other.close();
      vector.close();
      long left = (Long) libdv(first).getMethod("liveHandles").invoke(null);
      if (live != 2 || left != 0) {
        throw new AssertionError(live + " objects, then " + left);
      }
    }
    Set<String> mapped =
        Files.readAllLines(Path.of("/proc/self/maps")).stream()
            .filter(line -> line.contains("libdv.so"))
            .map(line -> line.replaceAll(".*?(\\S+libdv.so).*", "$1"))
            .collect(Collectors.toSet());
    System.out.println(mapped.size() == 1 ? "one library" : "libraries: " + mapped);
  }

  private static Class<?> libdv(ClassLoader loader) throws ClassNotFoundException {
    return loader.loadClass("io.libdv.Libdv");
  }

  private static AutoCloseable vector(ClassLoader loader) throws ReflectiveOperationException {
    Class<?> type = loader.loadClass("io.libdv.DeletionVector");
    AutoCloseable vector = (AutoCloseable) type.getConstructor().newInstance();
    type.getMethod("add", long.class).invoke(vector, 7L);
    return vector;
  }
}
