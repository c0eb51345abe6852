package io.libdv;

/** A result that would not fit its format or its Java type. */
public final class DvLimitException extends DvException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param message one line of text
   */
  public DvLimitException(String message) {
    super(DvStatus.LIMIT, message);
  }
}
