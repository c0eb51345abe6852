package io.libdv;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.libdv.testing.Golden;
import io.libdv.testing.NoLeaks;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Strings that UTF-8 or C cannot hold, wherever a string of a table comes in. */
@ExtendWith(NoLeaks.class)
class BadTextTest {
  private static final Path PUFFIN = Golden.path("iceberg/runs_5c_mixed.puffin");

  private static void refused(Executable call) {
    String message = assertThrows(DvInvalidArgumentException.class, call).getMessage();
    assertTrue(message.endsWith(" at character 2"), message);
    assertFalse(message.contains("\ud800"), message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ab\0c", "ab\ud800", "ab\udc00c"})
  void isInvalid(String bad) {
    refused(() -> DeltaDescriptor.parse(bad));
    refused(() -> DeltaDescriptor.forFile(bad, new DeltaDvResult(1, 1, 34)));
    refused(() -> new DvWriter(bad).close());
    DvEntry entry = new DvEntry(4, 42, 1, bad);
    try (DvWriter writer = new DvWriter();
        DeletionVector dv = DeletionVector.of(1);
        Sink sink = Sink.memory();
        Source source = Source.of(PUFFIN);
        PuffinFile puffin = PuffinFile.open(source)) {
      refused(() -> writer.add(bad, 1));
      refused(() -> writer.add("a", new long[] {1}, 0, bad));
      refused(() -> writer.load(bad, dv));
      refused(() -> writer.flush(sink, bad));
      refused(() -> puffin.readEntry(entry).close());
      refused(() -> DvReader.read(source, entry).close());
      refused(() -> DvInspector.inspect(source, bad));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud800", "\0"})
  void aDescriptorOfSuchAPathIsInvalid(String bad) {
    DeltaDescriptor descriptor = new DeltaDescriptor("u", bad, OptionalInt.of(1), 34, 1);
    assertThrows(DvInvalidArgumentException.class, descriptor::path);
    assertThrows(DvInvalidArgumentException.class, descriptor::uniqueId);
  }

  /** Escaped in JSON, they are there only after it was parsed. */
  @ParameterizedTest
  @ValueSource(strings = {"\\ud800", "\\udc00x", "\\u0000"})
  void escapedInADescriptorToo(String bad) {
    String json =
        "{\"storageType\":\"p\",\"pathOrInlineDv\":\"/"
            + bad
            + "\",\"offset\":1,\"sizeInBytes\":34,\"cardinality\":1}";
    assertThrows(DvException.class, () -> DeltaDescriptor.parse(json).read(Path.of("/")).close());
  }
}
