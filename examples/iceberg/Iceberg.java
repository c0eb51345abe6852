import io.libdv.DeletionVector;
import io.libdv.DvEntry;
import io.libdv.DvReader;
import io.libdv.DvWriter;
import java.nio.file.Path;
import java.util.BitSet;

/**
 * Deletes rows of an Iceberg v3 table, deletes more, and filters a scan.
 *
 * <p>usage: Iceberg DIRECTORY (an empty one; the Puffin files go there)
 */
public final class Iceberg {
  private static final String DATA_FILE = "s3://lake/t/data/a.parquet";

  private Iceberg() {}

  // [delete]
  /** Deletes rows, on top of those that {@code previous} (may be null) says are deleted already. */
  static void deleteRows(Path file, String location, long[] rows, DeletionVector previous) {
    try (DvWriter writer = new DvWriter()) { // new DvWriter(specs) for a partitioned table
      writer.add(DATA_FILE, rows);
      if (previous != null) {
        writer.load(DATA_FILE, previous);
      }
      String entries = writer.flush(file, location); // the file appears whole, or not at all
      System.out.println(entries); // content files, as a REST catalog takes them
    }
  }

  // [delete]

  // [read]
  /** Prints the rows of the first {@code length} that a scan keeps. */
  static void scan(DeletionVector deleted, int length) {
    BitSet mask = BitSet.valueOf(deleted.keepMask(0, length)); // one bit per row, as in Arrow
    StringBuilder kept = new StringBuilder("kept:");
    mask.stream().forEach(row -> kept.append(' ').append(row));
    System.out.println(kept);
  }

  /** Reads the vector that a manifest entry points at, checked against it and the file's footer. */
  static DeletionVector readVector(Path file, DvEntry entry) {
    return DvReader.read(file, entry).vector();
  }

  // [read]

  public static void main(String[] arguments) {
    Path first = Path.of(arguments[0], "first.puffin");
    Path second = Path.of(arguments[0], "second.puffin");

    deleteRows(first, "s3://lake/t/data/first.puffin", new long[] {3, 5, 8}, null);
    try (DeletionVector deleted = readVector(first, new DvEntry(4, 46, 3, DATA_FILE))) {
      scan(deleted, 10);
      deleteRows(second, "s3://lake/t/data/second.puffin", new long[] {5, 0}, deleted);
    }
    try (DeletionVector deleted = readVector(second, new DvEntry(4, 48, 4, DATA_FILE))) {
      scan(deleted, 10);
    }
  }
}
