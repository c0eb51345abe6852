package io.libdv.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.libdv.DeletionVector;
import io.libdv.DvStatus;
import io.libdv.MumblingBitmap;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The binding's tables say what the header says, and the library has what they name. */
class ParityTest {
  private static final String HEADER = header();

  private static String header() {
    try {
      String text = Files.readString(Path.of(System.getProperty("libdv.header")));
      return text.replaceAll("(?s)/\\*.*?\\*/", " ");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Map<String, FunctionDescriptor> declared() {
    Map<String, FunctionDescriptor> found = new LinkedHashMap<>();
    Matcher m = Pattern.compile("DV_API\\s+([^;(]+?)(\\w+)\\s*\\(([^;]*?)\\)\\s*;").matcher(HEADER);
    while (m.find()) {
      MemoryLayout[] arguments = arguments(m.group(3));
      String result = m.group(1).strip();
      found.put(
          m.group(2),
          result.equals("void")
              ? FunctionDescriptor.ofVoid(arguments)
              : FunctionDescriptor.of(layout(result), arguments));
    }
    return found;
  }

  private static MemoryLayout[] arguments(String list) {
    if (list.strip().equals("void")) {
      return new MemoryLayout[0];
    }
    return Arrays.stream(list.split(",")).map(ParityTest::layout).toArray(MemoryLayout[]::new);
  }

  private static ValueLayout layout(String type) {
    if (type.contains("*") || type.matches(".*\\bdv_\\w+_fn\\b.*")) {
      return ADDRESS;
    }
    if (type.matches("(?s).*\\b(int64_t|size_t)\\b.*")) {
      return JAVA_LONG;
    }
    if (type.matches("(?s).*\\b(int32_t|uint32_t|dv_status)\\b.*")) {
      return JAVA_INT;
    }
    if (type.matches("(?s).*\\bbool\\b.*")) {
      return JAVA_BOOLEAN;
    }
    throw new AssertionError("a type that this test does not know: " + type);
  }

  @Test
  void tableEqualsHeader() {
    Map<String, FunctionDescriptor> declared = declared();
    assertTrue(declared.size() > 80, "functions found in the header: " + declared.size());
    assertEquals(declared, Signatures.TABLE);
  }

  @Test
  void handlesEqualTable() {
    List<String> handles =
        Arrays.stream(Native.class.getFields()).map(f -> f.getName().toLowerCase()).toList();
    assertEquals(List.copyOf(Signatures.TABLE.keySet()), handles);
  }

  @Test
  void libraryHasEveryFunction() {
    DynamicLoader loader = new DynamicLoader();
    MemorySegment library = loader.open(Path.of(NativeLibrary.origin()));
    for (String name : Signatures.TABLE.keySet()) {
      assertNotNull(loader.find(library, name), name);
    }
  }

  @Test
  void callbacksEqualHeader() {
    Map<String, FunctionDescriptor> mine =
        Map.of(
            "dv_read_at_fn", Signatures.READ_AT,
            "dv_write_fn", Signatures.WRITE,
            "dv_finish_fn", Signatures.FINISH);
    Map<String, FunctionDescriptor> declared = new LinkedHashMap<>();
    Matcher m =
        Pattern.compile("typedef\\s+(\\w+)\\s*\\(\\*(\\w+)\\)\\s*\\(([^;]*?)\\)\\s*;")
            .matcher(HEADER);
    while (m.find()) {
      declared.put(m.group(2), FunctionDescriptor.of(layout(m.group(1)), arguments(m.group(3))));
    }
    assertEquals(mine, declared);
  }

  @Test
  void structsEqualHeader() {
    for (StructLayout mine : List.of(Layouts.BYTES, Layouts.PUFFIN_BLOB, Layouts.DELTA_RESULT)) {
      String name = mine.name().orElseThrow();
      Matcher m =
          Pattern.compile("typedef\\s+struct\\s+" + name + "\\s*\\{(.*?)\\}", Pattern.DOTALL)
              .matcher(HEADER);
      assertTrue(m.find(), name);
      MemoryLayout[] members =
          Arrays.stream(m.group(1).split(";"))
              .map(String::strip)
              .filter(s -> !s.isEmpty())
              .map(s -> layout(s).withName(s.replaceAll("(?s).*\\W", "")))
              .toArray(MemoryLayout[]::new);
      assertEquals(MemoryLayout.structLayout(members).withName(name), mine);
    }
  }

  @Test
  void statusesEqualHeader() {
    Map<String, Integer> declared = new LinkedHashMap<>();
    Matcher m = Pattern.compile("\\bDV_([A-Z_]+)\\s*=\\s*(\\d+)").matcher(HEADER);
    while (m.find()) {
      declared.put(m.group(1), Integer.valueOf(m.group(2)));
    }
    Map<String, Integer> mine = new LinkedHashMap<>();
    for (DvStatus status : DvStatus.values()) {
      if (status != DvStatus.UNRECOGNIZED) {
        mine.put(status.name(), status.code());
      }
    }
    assertEquals(declared, mine);
  }

  @Test
  void constantsEqualHeader() {
    assertEquals(
        "INT64_C(0x%X)".formatted(DeletionVector.MAX_POSITION), defined("DV_MAX_POSITION"));
    assertEquals("(" + DeletionVector.UNKNOWN + ")", defined("DV_UNKNOWN"));
    assertEquals(String.valueOf(NativeLibrary.ABI_VERSION), defined("DV_ABI_VERSION"));
    assertEquals(
        String.valueOf(MumblingBitmap.MAX_CARDINALITY), defined("MUMBLING_MAX_CARDINALITY"));
    assertEquals(String.valueOf(MumblingBitmap.MAX_CONTAINERS), defined("MUMBLING_MAX_CONTAINERS"));
  }

  private static String defined(String name) {
    Matcher m = Pattern.compile("#define\\s+" + name + "\\s+(\\S+)").matcher(HEADER);
    assertTrue(m.find(), name);
    return m.group(1);
  }
}
