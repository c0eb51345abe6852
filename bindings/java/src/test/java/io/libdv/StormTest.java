package io.libdv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.libdv.testing.ChildJvm;
import io.libdv.testing.Golden;
import io.libdv.testing.Storm;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The JVM's signals, stacks and collector and the library live in one process: see {@link Storm}.
 */
class StormTest {
  @ParameterizedTest
  @ValueSource(strings = {"-XX:+UseG1GC", "-Xcheck:jni", "-XX:+UseZGC"})
  void theProcessLivesOn(String option) throws Exception {
    Path tests = Path.of(Storm.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    ChildJvm.Result result =
        ChildJvm.current()
            .with("--enable-native-access=ALL-UNNAMED", option)
            // Hot null pointers are to go through the signal each time.
            .with("-XX:-OmitStackTraceInFastThrow", "-XX:+IgnoreUnrecognizedVMOptions")
            .with("-Dlibdv.path=" + System.getProperty("libdv.path"))
            .with("-Dstorm.rounds=" + System.getProperty("storm.rounds", "5"))
            .classPath(tests)
            .with(Storm.class.getName())
            .with(Golden.path("iceberg/random_10pct_1m.dv").toString())
            .with(Golden.path("iceberg/runs_5c_mixed.puffin").toString())
            .run();
    assertEquals(0, result.status(), result.output());
    assertTrue(result.output().contains("calm"), result.output());
    assertFalse(result.output().contains("FATAL ERROR"), result.output());
  }
}
