package io.libdv;

/**
 * A file that cannot be read or written. What a caller's own channel or callback throws is thrown
 * as it was, not as this.
 */
public final class DvIoException extends DvException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param message one line of text
   */
  public DvIoException(String message) {
    super(DvStatus.IO, message);
  }
}
