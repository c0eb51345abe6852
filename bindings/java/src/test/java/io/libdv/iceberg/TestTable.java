package io.libdv.iceberg;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.libdv.DvEntry;
import io.libdv.DvReadResult;
import io.libdv.DvReader;
import io.libdv.DvWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.ContentFileParser;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.SingleValueParser;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetReaders;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.types.Type;

/** A table with real Parquet files, whose deletes libdv writes and Iceberg commits. */
final class TestTable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Table table;

  TestTable(Table table) {
    this.table = table;
  }

  /** Writes rows, a Parquet file for each partition, and commits them. */
  void append(List<Record> rows) throws IOException {
    AppendFiles append = table.newAppend();
    for (Map.Entry<PartitionKey, List<Record>> part : byPartition(rows).entrySet()) {
      append.appendFile(dataFile(part.getKey(), part.getValue()));
    }
    append.commit();
  }

  private Map<PartitionKey, List<Record>> byPartition(List<Record> rows) {
    PartitionKey key = new PartitionKey(table.spec(), table.schema());
    InternalRecordWrapper wrapper = new InternalRecordWrapper(table.schema().asStruct());
    Map<PartitionKey, List<Record>> parts = new HashMap<>();
    for (Record row : rows) {
      key.partition(wrapper.wrap(row));
      parts.computeIfAbsent(key.copy(), k -> new ArrayList<>()).add(row);
    }
    return parts;
  }

  private DataFile dataFile(PartitionKey partition, List<Record> rows) throws IOException {
    String location = table.location() + "/data/" + UUID.randomUUID() + ".parquet";
    DataWriter<Record> writer =
        Parquet.writeData(table.io().newOutputFile(location))
            .forTable(table)
            .withSpec(table.spec())
            .withPartition(table.spec().isUnpartitioned() ? null : partition)
            .createWriterFunc(GenericParquetWriter::create)
            .build();
    try (writer) {
      writer.write(rows);
    }
    return writer.toDataFile();
  }

  /** What libdv writes for a delete is committed as Iceberg would its own. */
  void delete(Predicate<Record> condition) throws IOException {
    String location = table.location() + "/data/" + UUID.randomUUID() + "-deletes.puffin";
    RowDelta delta = table.newRowDelta().validateFromSnapshot(table.currentSnapshot().snapshotId());
    try (DvWriter writer = new DvWriter(partitionSpecs());
        CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        long[] positions = positions(task.file(), condition);
        if (positions.length > 0) {
          for (DeleteFile existing : task.deletes()) {
            load(writer, task, existing);
            delta.removeDeletes(existing);
          }
          writer.add(task.file().location(), positions, task.spec().specId(), partition(task));
        }
      }
      String entries = writer.flush(LocalFileIO.path(location), location);
      for (JsonNode entry : JSON.readTree(entries)) {
        delta.addDeletes((DeleteFile) ContentFileParser.fromJson(entry, table.specs()));
      }
    }
    delta.commit();
  }

  private static void load(DvWriter writer, FileScanTask task, DeleteFile existing) {
    try (DvReadResult read = read(existing)) {
      writer.load(task.file().location(), read.vector(), task.spec().specId(), partition(task));
    }
  }

  /** The deletion vector that an entry of a scan's plan points at. */
  static DvReadResult read(DeleteFile entry) {
    return DvReader.read(
        LocalFileIO.path(entry.location()),
        new DvEntry(
            entry.contentOffset(),
            entry.contentSizeInBytes(),
            entry.recordCount(),
            entry.referencedDataFile()));
  }

  /** The partition specs as the table's metadata has them. */
  private String partitionSpecs() throws IOException {
    String metadata = TableMetadataParser.toJson(((BaseTable) table).operations().refresh());
    return JSON.readTree(metadata).get("partition-specs").toString();
  }

  private static String partition(FileScanTask task) {
    PartitionSpec spec = task.spec();
    StructLike values = task.file().partition();
    List<String> members = new ArrayList<>();
    for (int i = 0; i < spec.fields().size(); i++) {
      Type type = spec.partitionType().fields().get(i).type();
      Object value = values.get(i, spec.javaClasses()[i]);
      members.add(
          "\"%d\":%s"
              .formatted(spec.fields().get(i).fieldId(), SingleValueParser.toJson(type, value)));
    }
    return "{" + String.join(",", members) + "}";
  }

  /** The positions of a data file's rows that meet a condition, deleted before or not. */
  private long[] positions(DataFile file, Predicate<Record> condition) throws IOException {
    LongStream.Builder found = LongStream.builder();
    try (CloseableIterable<Record> rows =
        Parquet.read(table.io().newInputFile(file.location()))
            .project(table.schema())
            .createReaderFunc(schema -> GenericParquetReaders.buildReader(table.schema(), schema))
            .build()) {
      long position = 0;
      for (Record row : rows) {
        if (condition.test(row)) {
          found.add(position);
        }
        position++;
      }
    }
    return found.build().toArray();
  }

  /** The ids of the rows that Iceberg's own reader still sees, ascending. */
  long[] scan() throws IOException {
    LongStream.Builder ids = LongStream.builder();
    try (CloseableIterable<Record> rows = IcebergGenerics.read(table).build()) {
      for (Record row : rows) {
        ids.add((Long) row.getField("id"));
      }
    }
    return ids.build().sorted().toArray();
  }

  Table iceberg() {
    return table;
  }
}
