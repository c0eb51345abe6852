package io.libdv.bench;

import io.libdv.Libdv;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Checks that the contestants of a task agree, has JMH time them, and reports. */
public final class Main {
  private record Task(String name, String title, Class<? extends Bench> bench) {}

  private static final List<Task> TASKS =
      List.of(
          new Task("T1", "blob to keep mask", MaskBench.class),
          new Task("T2", "blob to positions", PositionsBench.class),
          new Task("T3", "sorted positions to blob", EncodeBench.class),
          new Task("T4", "two blobs merged into a third", MergeBench.class),
          new Task("T5", "Mumbling bitmap to keep mask", MumblingBench.class),
          new Task("T7", "Puffin file opened, all read and masked", PuffinBench.class));

  private Main() {}

  public static void main(String[] arguments) throws Exception {
    Options options;
    try {
      options = Options.parse(arguments);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + "\n" + Options.USAGE);
      System.exit(2);
      return;
    }
    System.out.println("libdv " + Libdv.version() + " (" + Libdv.origin() + ")");
    List<Report.Table> tables = new ArrayList<>();
    for (Task task : TASKS) {
      List<Report.Cell> cells = options.wants(task.name()) ? cells(task, options) : List.of();
      if (!cells.isEmpty()) {
        Report.Table table = new Report.Table(task.name(), task.title(), cells);
        Report.print(table);
        tables.add(table);
      }
    }
    if (options.json() != null) {
      Report.write(options.json(), tables);
    }
  }

  private static List<Report.Cell> cells(Task task, Options options) throws Exception {
    List<Report.Cell> cells = new ArrayList<>();
    for (String label : task.bench().getField("cell").getAnnotation(Param.class).value()) {
      if (options.wantsCell(label)) {
        Bench bench = task.bench().getConstructor().newInstance();
        task.bench().getField("cell").set(bench, label);
        bench.setUp();
        bench.verify();
        List<Report.Result> results = time(task, label, options.quick());
        cells.add(new Report.Cell(label, bench.positions(), bench.size(), results));
      }
    }
    return cells;
  }

  private static List<Report.Result> time(Task task, String label, boolean quick) throws Exception {
    TimeValue iteration = TimeValue.milliseconds(quick ? 100 : 300);
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + task.bench().getName().replace(".", "\\.") + "\\.")
            .param("cell", label)
            .mode(Mode.SampleTime)
            .timeUnit(TimeUnit.NANOSECONDS)
            .forks(1)
            .warmupIterations(quick ? 3 : 6)
            .warmupTime(iteration)
            .measurementIterations(quick ? 3 : 8)
            .measurementTime(iteration)
            .jvmArgs(jvmArguments())
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT);
    return results(task, new Runner(options.build()).run());
  }

  private static String[] jvmArguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add("--enable-native-access=ALL-UNNAMED");
    // The heap's pages are there from the start, and large arrays are like any others.
    arguments.addAll(
        List.of("-Xms3g", "-Xmx3g", "-Xmn2g", "-XX:+UseParallelGC", "-XX:+AlwaysPreTouch"));
    arguments.add("-Dlibdv.path=" + System.getProperty("libdv.path"));
    if (Runtime.version().feature() >= 24) {
      // JMH still asks Unsafe for field offsets: no need to be told in every fork.
      arguments.add("--sun-misc-unsafe-memory-access=allow");
    }
    return arguments.toArray(String[]::new);
  }

  /** The best call of each method, libdv's first. */
  private static List<Report.Result> results(Task task, Collection<RunResult> runs) {
    List<Report.Result> results = new ArrayList<>();
    for (Method method : task.bench().getMethods()) {
      Way way = method.getAnnotation(Way.class);
      for (RunResult run : runs) {
        if (way != null && run.getParams().getBenchmark().endsWith("." + method.getName())) {
          double best = run.getPrimaryResult().getStatistics().getMin();
          results.add(new Report.Result(way.value(), way.role(), true, best));
        }
      }
    }
    List<String> order = Arrays.asList("libdv", "variant", "peer");
    results.sort(
        (a, b) -> {
          int byRole = Integer.compare(order.indexOf(a.role()), order.indexOf(b.role()));
          return byRole != 0 ? byRole : a.name().compareTo(b.name());
        });
    return results;
  }
}
