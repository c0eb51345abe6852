package io.libdv.iceberg;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.libdv.DvReadResult;
import io.libdv.testing.NoLeaks;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Deletes in real tables of format version 3: Iceberg's reader returns the rows that should be
 * left.
 *
 * <p>The catalog and its tables stay in the directory that {@code -Dlibdv.tables} names, each with
 * a JSON file of the ids that are left, so that another reader can be asked the same.
 */
@ExtendWith(NoLeaks.class)
class TableTest {
  private static final Path FOLDER = Path.of(System.getProperty("libdv.tables"));
  private static final Namespace NAMESPACE = Namespace.of("db");
  private static final int ROWS = 6_000;
  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "category", Types.StringType.get()),
          Types.NestedField.required(3, "at", Types.TimestampType.withoutZone()),
          Types.NestedField.required(4, "day", Types.DateType.get()),
          Types.NestedField.required(5, "price", Types.DecimalType.of(9, 2)));

  private static JdbcCatalog catalog;

  @BeforeAll
  static void open() throws IOException {
    clear(FOLDER);
    Files.createDirectories(FOLDER);
    catalog = new JdbcCatalog(properties -> new LocalFileIO(), null, true);
    catalog.initialize(
        "libdv",
        Map.of(
            "uri",
            "jdbc:sqlite:" + FOLDER.resolve("catalog.db"),
            "warehouse",
            FOLDER.resolve("warehouse").toUri().toString(),
            "jdbc.schema-version",
            "V1"));
    catalog.createNamespace(NAMESPACE);
  }

  @AfterAll
  static void close() {
    catalog.close();
  }

  private static void clear(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static TestTable create(String name, PartitionSpec spec) {
    Map<String, String> properties =
        Map.of("format-version", "3", "write.delete.mode", "merge-on-read");
    Table table =
        catalog.createTable(TableIdentifier.of(NAMESPACE, name), SCHEMA, spec, properties);
    return new TestTable(table);
  }

  private static List<Record> rows(long from, long to) {
    List<Record> rows = new ArrayList<>();
    for (long id = from; id < to; id++) {
      Record row = GenericRecord.create(SCHEMA);
      row.setField("id", id);
      row.setField("category", id % 4 == 3 ? null : "caf\u00e9 \"" + id % 4 + "\"");
      row.setField("at", LocalDateTime.of(2022, 1, 8, 23, 0).plusMinutes(id % 3 * 60));
      row.setField("day", LocalDate.of(1969, 12, 31).plusDays(id % 2));
      row.setField("price", BigDecimal.valueOf(id % 2 == 0 ? 1_00 : -12_50, 2));
      rows.add(row);
    }
    return rows;
  }

  private static long id(Record row) {
    return (Long) row.getField("id");
  }

  private static long[] ids(LongPredicate left) {
    return LongStream.range(0, ROWS).filter(left).toArray();
  }

  /** Two deletes, the second merging what the first one wrote. */
  private static void deleteTwice(TestTable table, String name) throws IOException {
    assertArrayEquals(ids(id -> true), table.scan());
    table.delete(row -> id(row) % 7 == 0);
    assertArrayEquals(ids(id -> id % 7 != 0), table.scan());
    table.delete(row -> id(row) % 5 == 0 || id(row) % 7 == 0 || id(row) >= 5_500);
    long[] left = ids(id -> id % 7 != 0 && id % 5 != 0 && id < 5_500);
    assertArrayEquals(left, table.scan());
    checkPlan(table, ROWS - left.length);
    new ObjectMapper().writeValue(FOLDER.resolve(name + ".json").toFile(), left);
  }

  /** One deletion vector for each data file that has deletes; libdv reads them as planned. */
  private static void checkPlan(TestTable table, long deleted) throws IOException {
    long found = 0;
    try (CloseableIterable<FileScanTask> tasks = table.iceberg().newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        assertTrue(task.deletes().size() <= 1, "deletion vectors of a data file");
        for (DeleteFile entry : task.deletes()) {
          assertEquals(task.file().location(), entry.referencedDataFile());
          assertEquals(task.spec().specId(), entry.specId());
          try (DvReadResult read = TestTable.read(entry)) {
            found += read.vector().cardinality();
          }
        }
      }
    }
    assertEquals(deleted, found);
  }

  @Test
  void unpartitioned() throws IOException {
    TestTable table = create("unpartitioned", PartitionSpec.unpartitioned());
    table.append(rows(0, 2_000));
    table.append(rows(2_000, 2_001));
    table.append(rows(2_001, ROWS));
    deleteTwice(table, "unpartitioned");
  }

  @Test
  void partitioned() throws IOException {
    PartitionSpec spec =
        PartitionSpec.builderFor(SCHEMA)
            .identity("category")
            .day("at")
            .identity("day")
            .bucket("id", 2)
            .identity("price")
            .build();
    TestTable table = create("partitioned", spec);
    table.append(rows(0, ROWS));
    deleteTwice(table, "partitioned");
  }

  @Test
  void partitionedAnewMeanwhile() throws IOException {
    PartitionSpec spec = PartitionSpec.builderFor(SCHEMA).identity("category").build();
    TestTable table = create("evolved", spec);
    table.append(rows(0, 3_000));
    table
        .iceberg()
        .updateSpec()
        .removeField("category")
        .addField(Expressions.month("day"))
        .addField(Expressions.truncate("price", 10))
        .commit();
    table.append(rows(3_000, ROWS));
    deleteTwice(table, "evolved");
  }

  @Test
  void icebergsOwnDeletesAreReadAndMerged() throws IOException {
    TestTable table = create("mixed", PartitionSpec.unpartitioned());
    table.append(rows(0, ROWS));
    deleteWithIceberg(table.iceberg());
    assertArrayEquals(ids(id -> id % 3 != 0), table.scan());
    checkPlan(table, ROWS / 3);
    table.delete(row -> id(row) % 2 == 0);
    assertArrayEquals(ids(id -> id % 3 != 0 && id % 2 != 0), table.scan());
  }

  private static void deleteWithIceberg(Table table) throws IOException {
    OutputFileFactory files = OutputFileFactory.builderFor(table, 1, 1).build();
    BaseDVFileWriter writer = new BaseDVFileWriter(files, path -> null);
    try (writer;
        CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        for (long position = 0; position < ROWS; position += 3) {
          writer.delete(task.file().location(), position, task.spec(), null);
        }
      }
    }
    var delta = table.newRowDelta();
    writer.result().deleteFiles().forEach(delta::addDeletes);
    delta.commit();
  }
}
