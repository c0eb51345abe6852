import io.libdv.DeletionVector;
import io.libdv.DvInspector;
import io.libdv.Source;

/**
 * What damaged bytes are, and what of them is still sound.
 *
 * <p>usage: Inspection
 */
public final class Inspection {
  private Inspection() {}

  // [inspect]
  /** Prints what libdv says of some bytes. */
  static void describe(byte[] bytes) {
    try (Source source = Source.of(bytes)) { // or a path, a channel, a reader of ranges
      System.out.println(DvInspector.inspect(source));
    }
  }

  // [inspect]

  public static void main(String[] arguments) {
    try (DeletionVector dv = DeletionVector.of(1)) {
      byte[] blob = dv.serialize();
      blob[blob.length - 2] = 0; // in the CRC
      describe(blob);
    }
  }
}
