import io.libdv.DeletionVector;
import io.libdv.MumblingBitmap;
import java.util.BitSet;
import java.util.HexFormat;

/**
 * A manifest's own deletion vector: which of its entries are deleted.
 *
 * <p>usage: Mumbling
 */
public final class Mumbling {
  private Mumbling() {}

  // [write]
  /** Makes the bytes that go into the manifest's entry. */
  static byte[] deleteEntries(long... entries) {
    try (DeletionVector deleted = DeletionVector.of(entries)) {
      return MumblingBitmap.serialize(deleted);
    }
  }

  // [write]

  // [read]
  /** Prints the entries of the manifest that are still there. */
  static void listEntries(byte[] bytes, int entries) {
    try (MumblingBitmap deleted = MumblingBitmap.read(bytes)) { // copies, checks the header
      deleted.validate(); // everything that the format promises
      StringBuilder kept = new StringBuilder("kept:");
      BitSet.valueOf(deleted.keepMask(0, entries)).stream()
          .forEach(entry -> kept.append(' ').append(entry));
      System.out.println(kept);
    }
  }

  // [read]

  public static void main(String[] arguments) {
    byte[] bytes = deleteEntries(2, 7, 300);
    String hex = HexFormat.ofDelimiter(" ").formatHex(bytes);
    System.out.println(bytes.length + " bytes: " + hex);
    listEntries(bytes, 10);

    // Deleting more: to a deletion vector, and back.
    try (MumblingBitmap before = MumblingBitmap.read(bytes);
        DeletionVector deleted = before.toDeletionVector()) {
      deleted.addRange(4, 7);
      listEntries(MumblingBitmap.serialize(deleted), 10);
    }
  }
}
