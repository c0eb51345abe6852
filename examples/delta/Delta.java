import io.libdv.DeletionVector;
import io.libdv.DeltaDescriptor;
import io.libdv.DeltaDvWriter;
import io.libdv.DvReader;
import io.libdv.Sink;
import io.libdv.Source;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Deletion vectors of a Delta table: a file of two, their descriptors, an inline one, and the way
 * to Iceberg.
 *
 * <p>usage: Delta DIRECTORY (an empty one: the table's root)
 */
public final class Delta {
  private Delta() {}

  // [write]
  /** Writes vectors into one file; the descriptors are what {@code add.deletionVector} holds. */
  static List<DeltaDescriptor> writeFile(Path root, String path, List<DeletionVector> vectors) {
    List<DeltaDescriptor> descriptors = new ArrayList<>();
    try (Sink sink = Sink.of(root.resolve(path));
        DeltaDvWriter writer = new DeltaDvWriter(sink)) {
      for (DeletionVector vector : vectors) {
        descriptors.add(DeltaDescriptor.forFile(path, writer.write(vector)));
      }
      writer.finish(); // now the file is there
    }
    return descriptors;
  }

  // [write]

  // [read]
  /** Reads the vector that a descriptor points at; size and cardinality are checked. */
  static DeletionVector readVector(Path root, DeltaDescriptor descriptor) {
    return descriptor.read(root); // DeltaDescriptor.parse(json) makes one of what stands in the log
  }

  // [read]

  // [iceberg]
  /** A record of a Delta file is an Iceberg blob: from the offset on, 8 bytes longer. */
  static DeletionVector readAsIceberg(Path file, DeltaDescriptor descriptor) {
    try (Source source = Source.of(file)) {
      return DvReader.readRange(
          source,
          descriptor.offset().orElse(1),
          descriptor.sizeInBytes() + 8L,
          DeletionVector.UNKNOWN);
    }
  }

  // [iceberg]

  /** Prints what was read, and whether it is what was written. */
  static void compare(String what, DeletionVector written, DeletionVector read) {
    try (read) {
      String verdict = read.samePositions(written) ? "as written" : "OTHERS THAN WRITTEN";
      System.out.println(what + ": " + read.cardinality() + " rows, " + verdict);
    }
  }

  public static void main(String[] arguments) {
    Path root = Path.of(arguments[0]);
    String name = "deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin";
    try (DeletionVector few = DeletionVector.of(3, 5, 8);
        DeletionVector many = new DeletionVector()) {
      many.addRange(100, 200);
      List<DeltaDescriptor> descriptors = writeFile(root, name, List.of(few, many));
      descriptors.forEach(descriptor -> System.out.println(descriptor.toJson()));
      compare("first", few, readVector(root, descriptors.get(0)));
      compare("second", many, readVector(root, descriptors.get(1)));

      DeltaDescriptor inline = DeltaDescriptor.inline(few);
      System.out.println(inline.toJson());
      compare("inline", few, readVector(root, inline));

      compare("as an Iceberg blob", few, readAsIceberg(root.resolve(name), descriptors.get(0)));
    }
  }
}
