package io.libdv;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.libdv.testing.NoLeaks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where {@link DeltaDescriptor#read(Path)} looks for the file of a {@code p} descriptor. */
@ExtendWith(NoLeaks.class)
class DescriptorUrlTest {
  @TempDir Path table;
  private Path file;
  private DeltaDvResult written;

  @BeforeEach
  void writeFile() {
    file = table.resolve("deletion_vector.bin");
    try (Sink sink = Sink.of(file);
        DeltaDvWriter writer = new DeltaDvWriter(sink);
        DeletionVector dv = DeletionVector.of(3, 5)) {
      written = writer.write(dv);
      writer.finish();
    }
  }

  private DeltaDescriptor at(String url) {
    return new DeltaDescriptor(
        "p", url, OptionalInt.of(written.offset()), written.sizeInBytes(), written.cardinality());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "file:", "file://", "FILE://", "File:"})
  void filesAreRead(String scheme) {
    try (DeletionVector dv = at(scheme + file).read(Path.of("/nowhere"))) {
      assertArrayEquals(new long[] {3, 5}, dv.toArray());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"s3://bucket", "http://host", "abfss://c@a.dfs.core.windows.net", "S3a:"})
  void otherSchemesAreRefusedByName(String place) throws Exception {
    // As a path, the URL would name this copy below the table.
    Path decoy = table.resolve(place + "/dv.bin");
    Files.createDirectories(decoy.getParent());
    Files.copy(file, decoy);
    DeltaDescriptor descriptor = at(place + "/dv.bin");
    Exception refused =
        assertThrows(IllegalArgumentException.class, () -> descriptor.read(table).close());
    assertTrue(refused.getMessage().contains(place + "/dv.bin"), refused.getMessage());
  }

  @Test
  void aFileUrlOfAnotherHostIsRefused() {
    DeltaDescriptor descriptor = at("FILE://host" + file);
    assertThrows(IllegalArgumentException.class, () -> descriptor.read(table).close());
  }
}
