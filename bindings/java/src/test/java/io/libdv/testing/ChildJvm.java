package io.libdv.testing;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A JVM of its own, for what can be tried only once per process. */
public final class ChildJvm {
  private static final long LIMIT_SECONDS = 300;
  private final List<String> command = new ArrayList<>();

  private ChildJvm(String java) {
    command.add(java);
  }

  /** What a child wrote, both streams together, and how it ended. */
  public record Result(int status, String output) {}

  /** The binding's classes and resources. */
  public static Path classes() {
    return Path.of(System.getProperty("libdv.classes"));
  }

  /** A child of the JVM that runs the tests. */
  public static ChildJvm current() {
    return new ChildJvm(Path.of(System.getProperty("java.home"), "bin", "java").toString());
  }

  /** The JVMs on this machine that are too old for libdv. */
  public static List<ChildJvm> tooOld() throws IOException {
    List<ChildJvm> found = new ArrayList<>();
    Path homes = Path.of("/usr/lib/jvm");
    if (Files.isDirectory(homes)) {
      try (Stream<Path> list = Files.list(homes)) {
        for (Path home : list.filter(h -> !Files.isSymbolicLink(h)).toList()) {
          Path java = home.resolve("bin/java");
          if (Files.isExecutable(java) && version(home) > 0 && version(home) < 22) {
            found.add(new ChildJvm(java.toString()));
          }
        }
      }
    }
    return found;
  }

  private static int version(Path home) throws IOException {
    Path release = home.resolve("release");
    if (!Files.exists(release)) {
      return 0;
    }
    return Files.readAllLines(release).stream()
        .filter(line -> line.startsWith("JAVA_VERSION=\""))
        .map(line -> line.replaceAll("JAVA_VERSION=\"(1\\.)?(\\d+).*", "$2"))
        .mapToInt(Integer::parseInt)
        .findFirst()
        .orElse(0);
  }

  /** Adds options or the main class. */
  public ChildJvm with(String... arguments) {
    command.addAll(List.of(arguments));
    return this;
  }

  /** Adds a class path of the binding and whatever else. */
  public ChildJvm classPath(Path... more) {
    StringBuilder path = new StringBuilder(classes().toString());
    for (Path entry : more) {
      path.append(File.pathSeparator).append(entry);
    }
    return with("-cp", path.toString());
  }

  /** Puts another command before the JVM's. */
  public ChildJvm under(String... prefix) {
    command.addAll(0, List.of(prefix));
    return this;
  }

  /** Runs it to its end. */
  public Result run() throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    Thread killer =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                      process.destroyForcibly();
                    }
                  } catch (InterruptedException e) {
                    // The child has ended by itself.
                  }
                });
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    killer.interrupt();
    return new Result(status, output);
  }
}
