package io.libdv;

/** Well-formed bytes of a version, codec or encoding that this library does not read. */
public final class DvUnsupportedException extends DvException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param message one line of text
   */
  public DvUnsupportedException(String message) {
    super(DvStatus.UNSUPPORTED, message);
  }
}
