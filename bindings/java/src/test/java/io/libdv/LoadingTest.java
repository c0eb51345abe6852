package io.libdv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.libdv.testing.ChildJvm;
import io.libdv.testing.TwoLoaders;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the native library comes from, and what is said where it cannot be had. */
class LoadingTest {
  private static final String ACCESS = "--enable-native-access=ALL-UNNAMED";
  private static final int JAVA_8 = 52;
  private static final int JAVA_22 = 66;

  private static ChildJvm.Result tell(ChildJvm jvm) throws IOException, InterruptedException {
    return jvm.with("io.libdv.Libdv").run();
  }

  private static void refusal(ChildJvm.Result result, String... parts) {
    assertEquals(1, result.status(), result.output());
    String line =
        result
            .output()
            .lines()
            .filter(l -> l.startsWith("libdv: "))
            .findFirst()
            .orElseThrow(() -> new AssertionError(result.output()));
    for (String part : parts) {
      assertTrue(line.contains(part), part + " in: " + line);
    }
    assertFalse(result.output().contains("\tat "), result.output());
  }

  @Test
  void theLibraryInTheJarIsExtractedPrivatelyAndDeleted(@TempDir Path temporary) throws Exception {
    ChildJvm jvm = ChildJvm.current().with(ACCESS, "-Djava.io.tmpdir=" + temporary).classPath();
    ChildJvm.Result result = tell(jvm);
    assertEquals(0, result.status(), result.output());
    assertTrue(result.output().startsWith("libdv 0.1.0, ABI 1, from jar:"), result.output());
    try (Stream<Path> left = Files.list(temporary)) {
      assertEquals(0, left.filter(p -> p.getFileName().toString().startsWith("libdv")).count());
    }
  }

  @Test
  void theModuleWorksOnTheModulePath() throws Exception {
    ChildJvm.Result result =
        ChildJvm.current()
            .with("--enable-native-access=io.libdv", "-p", ChildJvm.classes().toString())
            .with("-m", "io.libdv/io.libdv.Libdv")
            .run();
    assertEquals(0, result.status(), result.output());
    assertTrue(result.output().startsWith("libdv 0.1.0"), result.output());
  }

  @Test
  void thePropertyWins() throws Exception {
    String path = System.getProperty("libdv.path");
    ChildJvm.Result result =
        tell(ChildJvm.current().with(ACCESS, "-Dlibdv.path=" + path).classPath());
    assertEquals(0, result.status(), result.output());
    assertTrue(result.output().contains("from " + path), result.output());
  }

  @Test
  void aMissingOrWrongFileIsNamed(@TempDir Path folder) throws Exception {
    Path missing = folder.resolve("libdv.so");
    refusal(
        tell(ChildJvm.current().with(ACCESS, "-Dlibdv.path=" + missing).classPath()),
        missing.toString(),
        "does not name a file");
    Path text = Files.writeString(folder.resolve("text.so"), "this is no library");
    refusal(
        tell(ChildJvm.current().with(ACCESS, "-Dlibdv.path=" + text).classPath()),
        text.toString(),
        "cannot be loaded");
    refusal(
        tell(ChildJvm.current().with(ACCESS, "-Djava.io.tmpdir=" + missing).classPath()),
        missing.toString(),
        "-Djava.io.tmpdir",
        "-Dlibdv.path");
  }

  @Test
  void aForeignLibraryIsRefused() throws Exception {
    Path other;
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.home"), "lib"))) {
      other = files.filter(f -> f.getFileName().toString().equals("libzip.so")).findFirst().get();
    }
    refusal(
        tell(ChildJvm.current().with(ACCESS, "-Dlibdv.path=" + other).classPath()),
        other.toString(),
        "lacks the function dv_abi_version");
  }

  @Test
  void deniedNativeAccessIsExplained() throws Exception {
    String deny = "--illegal-native-access=deny";
    refusal(tell(ChildJvm.current().with(deny).classPath()), "--enable-native-access=ALL-UNNAMED");
    refusal(
        ChildJvm.current()
            .with(deny, "-p", ChildJvm.classes().toString(), "-m", "io.libdv/io.libdv.Libdv")
            .run(),
        "--enable-native-access=io.libdv");
  }

  @Test
  void everyEntryPointExplainsDeniedAccess() throws Exception {
    ChildJvm.Result result =
        ChildJvm.current()
            .with("--illegal-native-access=deny")
            .classPath(testClasses())
            .with("io.libdv.testing.EveryEntry")
            .run();
    assertEquals(0, result.status(), result.output());
  }

  private static Path testClasses() throws Exception {
    return Path.of(LoadingTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  @Test
  void anOlderJvmIsToldWhatIsNeeded() throws Exception {
    assertEquals(JAVA_8, classVersion("Libdv"));
    assertEquals(JAVA_22, classVersion("DeletionVector"));
    for (ChildJvm old : ChildJvm.tooOld()) {
      refusal(tell(old.classPath()), "libdv needs Java 22 or later", "this is Java ");
    }
  }

  private static int classVersion(String name) throws IOException {
    Path file = ChildJvm.classes().resolve("io/libdv/" + name + ".class");
    try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
      assertEquals(0xCAFEBABE, in.readInt());
      assertEquals(0, in.readUnsignedShort());
      return in.readUnsignedShort();
    }
  }

  @Test
  void aTemporaryDirectoryThatForbidsExecutionIsNamed(@TempDir Path temporary) throws Exception {
    String mount = "mount -t tmpfs -o noexec tmpfs '" + temporary + "'";
    int possible = new ProcessBuilder("unshare", "-m", "sh", "-c", mount).start().waitFor();
    assumeTrue(possible == 0, "this process may not mount a file system");
    ChildJvm jvm = ChildJvm.current().with(ACCESS, "-Djava.io.tmpdir=" + temporary).classPath();
    refusal(
        tell(jvm.under("unshare", "-m", "sh", "-c", mount + " && exec \"$0\" \"$@\"")),
        temporary.toString(),
        "forbids execution",
        "-Djava.io.tmpdir",
        "-Dlibdv.path");
  }

  @Test
  void twoClassLoadersShareOneLibrary() throws Exception {
    ChildJvm.Result result =
        ChildJvm.current()
            .with(ACCESS)
            .with("-cp", testClasses().toString(), "-Dlibdv.classes=" + ChildJvm.classes())
            .with(TwoLoaders.class.getName())
            .run();
    assertEquals(0, result.status(), result.output());
    assertTrue(result.output().contains("one library"), result.output());
  }
}
