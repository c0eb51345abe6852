package io.libdv;

/** A buffer that cannot hold the result. */
public final class DvTooSmallException extends DvException {
  private static final long serialVersionUID = 1L;

  /** The elements needed; -1: not told. */
  private final long needed;

  /**
   * Makes an exception that does not tell the size needed.
   *
   * @param message one line of text
   */
  public DvTooSmallException(String message) {
    this(message, -1);
  }

  /**
   * Makes an exception.
   *
   * @param message one line of text
   * @param needed how many elements the buffer must have room for; -1: not told
   */
  public DvTooSmallException(String message, long needed) {
    super(DvStatus.TOO_SMALL, message);
    this.needed = needed;
  }

  /**
   * How many elements the buffer must have room for.
   *
   * @return the number of elements, or -1 where only the message tells
   */
  public long needed() {
    return needed;
  }
}
