package io.libdv.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;

/**
 * The native library that the jar brings, as a file that nobody else can write to or replace: a
 * directory of its own with mode 0700, gone again as soon as the library is loaded.
 */
final class Extraction implements AutoCloseable {
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path directory;
  private final Path library;

  private Extraction(Path directory, Path library) {
    this.directory = directory;
    this.library = library;
  }

  /** The resource's name for this machine, as the build lays it into the jar. */
  static String resource() {
    return "native/"
        + System.getProperty("os.name").toLowerCase(java.util.Locale.ROOT)
        + "-"
        + System.getProperty("os.arch")
        + "/libdv.so";
  }

  /**
   * The library's bytes.
   *
   * @return the bytes, or null if the jar brings none for this machine
   * @throws IOException if the jar cannot be read
   */
  static byte[] bytes() throws IOException {
    try (InputStream in = Extraction.class.getResourceAsStream(resource())) {
      return in == null ? null : in.readAllBytes();
    }
  }

  /**
   * A name for these very bytes.
   *
   * @param bytes the library
   * @return their SHA-256, in hex
   */
  static String fingerprint(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  /**
   * Writes the library into a new private directory under {@code java.io.tmpdir}.
   *
   * @param bytes the library
   * @return the extraction; closing it deletes file and directory
   * @throws IOException if the directory or the file cannot be written
   */
  static Extraction of(byte[] bytes) throws IOException {
    Path directory = Files.createTempDirectory("libdv-", OWNER_ONLY).toAbsolutePath();
    Extraction extraction = new Extraction(directory, directory.resolve("libdv.so"));
    try {
      Files.createFile(extraction.library, OWNER_ONLY);
      Files.write(extraction.library, bytes, StandardOpenOption.WRITE);
      return extraction;
    } catch (IOException | RuntimeException | Error e) {
      extraction.close();
      throw e;
    }
  }

  /** The file. */
  Path library() {
    return library;
  }

  /** Whether the system refuses to execute what stands there: a {@code noexec} mount. */
  boolean forbidsExecution() {
    return !Files.isExecutable(library);
  }

  /** Deletes the file and its directory; what is loaded stays loaded. */
  @Override
  public void close() {
    try {
      Files.deleteIfExists(library);
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      library.toFile().deleteOnExit();
      directory.toFile().deleteOnExit();
    }
  }
}
