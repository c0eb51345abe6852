package io.libdv;

/** An object that is closed or finished, or that is being used by its own callback. */
public final class DvStateException extends DvException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param message one line of text
   */
  public DvStateException(String message) {
    super(DvStatus.STATE, message);
  }
}
