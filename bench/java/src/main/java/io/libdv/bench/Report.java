package io.libdv.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.libdv.Libdv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Tables on the terminal, and the same numbers as JSON for the renderer. */
final class Report {
  /** One contestant's best time in one cell. */
  record Result(String name, String role, boolean checked, double ns) {}

  /** One cell of a task. */
  record Cell(String label, int positions, int bytes, List<Result> results) {
    double ours() {
      return fastest(result -> result.role().equals("libdv")).map(Result::ns).orElse(Double.NaN);
    }

    Optional<Result> fastest(Predicate<Result> which) {
      return results.stream().filter(which).min(Comparator.comparingDouble(Result::ns));
    }
  }

  /** One task. */
  record Table(String task, String title, List<Cell> cells) {}

  private Report() {}

  /** Prints every contestant of every cell, and the ratio of its time to libdv's. */
  static void print(Table table) {
    System.out.printf("%n## %s: %s%n%n", table.task(), table.title());
    System.out.println("| cell | way | time | / libdv |\n|---|---|--:|--:|");
    for (Cell cell : table.cells()) {
      for (Result result : cell.results()) {
        System.out.printf(
            Locale.ROOT,
            "| %s | %s | %.2f us | %.2f |%n",
            cell.label(),
            result.name(),
            result.ns() / 1000,
            result.ns() / cell.ours());
      }
    }
    double logs = 0;
    for (Cell cell : table.cells()) {
      double peer =
          cell.fastest(result -> result.role().equals("peer")).map(Result::ns).orElseThrow();
      logs += Math.log(peer / cell.ours());
    }
    double mean = Math.exp(logs / table.cells().size());
    System.out.printf(Locale.ROOT, "%ngeometric mean of the best peers' ratios: %.2f%n", mean);
  }

  /** Writes what the renderer reads. */
  static void write(Path file, List<Table> tables) throws IOException {
    Map<String, Object> results = new LinkedHashMap<>();
    results.put("bench", "java");
    results.put("machine", machine());
    results.put("tables", tables);
    results.put("costs", List.of());
    ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    Files.writeString(file, mapper.writeValueAsString(results) + "\n");
  }

  private static Map<String, Object> machine() throws IOException {
    Map<String, String> versions = new LinkedHashMap<>();
    versions.put("libdv", Libdv.version());
    versions.put("java", System.getProperty("java.version"));
    versions.put("iceberg-core", version(org.apache.iceberg.Table.class));
    versions.put("RoaringBitmap", version(org.roaringbitmap.RoaringBitmap.class));
    Map<String, Object> machine = new LinkedHashMap<>();
    machine.put("cpu", cpu());
    machine.put("cores", Runtime.getRuntime().availableProcessors());
    machine.put(
        "system",
        System.getProperty("os.name").toLowerCase(Locale.ROOT)
            + " "
            + System.getProperty("os.arch"));
    machine.put("versions", versions);
    return machine;
  }

  /** The version in the name of the jar that a class came from. */
  private static String version(Class<?> type) {
    String jar = type.getProtectionDomain().getCodeSource().getLocation().getPath();
    return jar.replaceAll(".*-(\\d[\\w.]*)\\.jar$", "$1");
  }

  private static String cpu() throws IOException {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String line : Files.readAllLines(Path.of("/proc/cpuinfo"))) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        fields.putIfAbsent(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
      }
    }
    return "%s (family %s, model %s)"
        .formatted(fields.get("model name"), fields.get("cpu family"), fields.get("model"));
  }
}
