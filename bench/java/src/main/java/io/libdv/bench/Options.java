package io.libdv.bench;

import java.nio.file.Path;
import java.util.List;

/** The command line. */
record Options(List<String> tasks, List<String> cells, boolean quick, Path json) {
  static final String USAGE =
      """
      arguments: [--task T1,T2,T3,T4,T5,T7] [--cell "LABEL;LABEL..."] [--quick] [--json FILE]
        --task   the tasks to run (default: all)
        --cell   the cells to run, by label
        --quick  short runs: good for a look, not for a claim
        --json   write the results for bench/render.py to FILE\
      """;

  static Options parse(String[] arguments) {
    List<String> tasks = List.of();
    List<String> cells = List.of();
    boolean quick = false;
    Path json = null;
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--task" -> tasks = List.of(value(arguments, ++i).split(","));
        case "--cell" -> cells = List.of(value(arguments, ++i).split(";"));
        case "--quick" -> quick = true;
        case "--json" -> json = Path.of(value(arguments, ++i));
        default -> throw new IllegalArgumentException("unknown option " + arguments[i]);
      }
    }
    return new Options(tasks, cells, quick, json);
  }

  private static String value(String[] arguments, int at) {
    if (at >= arguments.length) {
      throw new IllegalArgumentException(arguments[at - 1] + " needs a value");
    }
    return arguments[at];
  }

  boolean wants(String task) {
    return tasks.isEmpty() || tasks.contains(task);
  }

  boolean wantsCell(String cell) {
    return cells.isEmpty() || cells.contains(cell);
  }
}
