package io.libdv;

/** Bytes that break their format; nothing was read from them. */
public final class DvCorruptException extends DvException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param message one line of text
   */
  public DvCorruptException(String message) {
    super(DvStatus.CORRUPT, message);
  }
}
