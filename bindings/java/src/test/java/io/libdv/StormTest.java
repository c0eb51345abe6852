package io.libdv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.libdv.testing.ChildJvm;
import io.libdv.testing.Golden;
import io.libdv.testing.SmallStacks;
import io.libdv.testing.Storm;
import java.nio.file.Path;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The JVM's signals, stacks and collector and the library live in one process. */
class StormTest {
  private static final Path BLOB = Golden.path("iceberg/random_10pct_1m.dv");
  private static final Path PUFFIN = Golden.path("iceberg/runs_5c_mixed.puffin");

  private static ChildJvm child() throws Exception {
    return ChildJvm.current()
        .with("--enable-native-access=ALL-UNNAMED")
        .with("-Dlibdv.path=" + System.getProperty("libdv.path"))
        .classPath(
            Path.of(Storm.class.getProtectionDomain().getCodeSource().getLocation().toURI()));
  }

  /** See {@link Storm}. */
  @ParameterizedTest
  @ValueSource(strings = {"-XX:+UseG1GC", "-Xcheck:jni", "-XX:+UseZGC"})
  void theProcessLivesOn(String option) throws Exception {
    ChildJvm.Result result =
        child()
            // Hot null pointers are to go through the signal each time.
            .with(option, "-XX:-OmitStackTraceInFastThrow")
            .with("-Dstorm.rounds=" + System.getProperty("storm.rounds", "25"))
            .with(Storm.class.getName(), BLOB.toString(), PUFFIN.toString())
            .run();
    assertEquals(0, result.status(), result.output());
    assertTrue(result.output().contains("calm"), result.output());
    assertFalse(result.output().contains("FATAL ERROR"), result.output());
  }

  /**
   * See {@link SmallStacks}. Where a stack ends depends on what is compiled by then: it is
   * repeated.
   */
  @RepeatedTest(5)
  void stackOverflowsLoseNothing() throws Exception {
    ChildJvm.Result result = child().with(SmallStacks.class.getName(), PUFFIN.toString()).run();
    assertEquals(0, result.status(), result.output());
    assertTrue(result.output().contains("all stacks survived"), result.output());
  }
}
