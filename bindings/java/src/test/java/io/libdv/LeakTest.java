package io.libdv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.libdv.testing.ChildJvm;
import io.libdv.testing.Cycles;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Many cycles of each kind of object and of failure leave the memory as it was: see {@link Cycles}.
 */
class LeakTest {
  private static final int KINDS = 8;

  @Test
  void memoryStaysFlat() throws Exception {
    Path tests = Path.of(Cycles.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    ChildJvm.Result result =
        ChildJvm.current()
            .with("--enable-native-access=ALL-UNNAMED")
            .with("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC")
            .with("-Dlibdv.path=" + System.getProperty("libdv.path"))
            .with("-Dlibdv.testdata=" + System.getProperty("libdv.testdata"))
            .classPath(tests)
            .with(Cycles.class.getName(), System.getProperty("leak.cycles", "100000"))
            .run();
    assertEquals(0, result.status(), result.output());
    assertEquals(
        KINDS, result.output().lines().filter(l -> l.startsWith("flat ")).count(), result.output());
    assertFalse(result.output().contains("LEAK"), result.output());
  }
}
