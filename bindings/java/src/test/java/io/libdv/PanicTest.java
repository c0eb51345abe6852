package io.libdv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.libdv.testing.ChildJvm;
import io.libdv.testing.Golden;
import io.libdv.testing.Panics;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * A bug in the library is an exception like another, and the process works on: see {@link Panics}.
 */
class PanicTest {
  @Test
  void panicsAreExceptions() throws Exception {
    Path library = Path.of(System.getProperty("libdv.panic.path"));
    assertTrue(Files.exists(library), library + " is missing: run `make build/panic/libdv.so`");
    Path tests = Path.of(Panics.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    ChildJvm.Result result =
        ChildJvm.current()
            .with("--enable-native-access=ALL-UNNAMED", "-Dlibdv.path=" + library)
            .classPath(tests)
            .with(Panics.class.getName())
            .with(Golden.path("iceberg/pos5.dv").toString())
            .with(Golden.path("iceberg/pos63_64.puffin").toString())
            .with(Golden.path("mumbling/random_1pct_50k.bin").toString())
            .run();
    assertEquals(0, result.status(), result.output());
    assertTrue(result.output().contains("every panic was caught"), result.output());
  }
}
