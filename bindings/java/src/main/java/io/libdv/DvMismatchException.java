package io.libdv;

/**
 * Well-formed bytes that are not what the caller says: cardinality, size, data file or type differ.
 */
public final class DvMismatchException extends DvException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param message one line of text
   */
  public DvMismatchException(String message) {
    super(DvStatus.MISMATCH, message);
  }
}
