import io.libdv.DeletionVector;
import io.libdv.DvEntry;
import io.libdv.DvReader;
import io.libdv.Libdv;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Locale;

/**
 * The demo's read in Java: the vector of a manifest entry, and the mask of the rows that it keeps.
 *
 * <p>usage: Read PUFFIN OFFSET SIZE COUNT DATA_FILE ROWS REPEATS
 *
 * <p>prints: rows deleted, rows kept, a hash of the mask, the seconds of the best read
 */
public final class Read {
  private Read() {}

  private static long fnv1a(byte[] data) {
    long value = 0xCBF29CE484222325L;
    for (byte b : data) {
      value = (value ^ (b & 0xFF)) * 0x100000001B3L;
    }
    return value;
  }

  public static void main(String[] arguments) {
    Path puffin = Path.of(arguments[0]);
    DvEntry entry =
        new DvEntry(
            Long.parseLong(arguments[1]),
            Long.parseLong(arguments[2]),
            Long.parseLong(arguments[3]),
            arguments[4]);
    int rows = Integer.parseInt(arguments[5]);
    int repeats = Integer.parseInt(arguments[6]);

    long best = Long.MAX_VALUE;
    long deleted = 0;
    byte[] mask = {};
    for (int i = 0; i < repeats; i++) {
      long start = System.nanoTime();
      try (DeletionVector vector = DvReader.read(puffin, entry).vector()) {
        mask = vector.keepMask(0, rows);
        best = Math.min(best, System.nanoTime() - start);
        deleted = vector.cardinality();
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%d %d %016x %.9f%n",
        deleted,
        BitSet.valueOf(mask).cardinality(),
        fnv1a(mask),
        best / 1e9);
    if (Libdv.liveHandles() != 0) {
      System.exit(1);
    }
  }
}
