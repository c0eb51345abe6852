package io.libdv;

/**
 * An argument that can never be right: a negative or too large position, bad JSON, a wrong size.
 */
public final class DvInvalidArgumentException extends DvException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param message one line of text
   */
  public DvInvalidArgumentException(String message) {
    super(DvStatus.INVALID_ARGUMENT, message);
  }
}
