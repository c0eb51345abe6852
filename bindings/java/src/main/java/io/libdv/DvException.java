package io.libdv;

import java.util.Objects;

/**
 * A call that the library refused or that failed. The message is one line: what was being read, at
 * which byte offset, what was found and what was expected.
 *
 * <p>Statuses that callers tell apart have subclasses. After a failure the object that was called
 * is as it was before, and the contents of output buffers are unspecified.
 */
public class DvException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Which kind of failure it is. */
  private final DvStatus status;

  /**
   * Makes an exception.
   *
   * @param status the kind of failure, not null
   * @param message one line of text
   */
  public DvException(DvStatus status, String message) {
    super(message);
    this.status = Objects.requireNonNull(status, "status");
  }

  /**
   * Which kind of failure it is.
   *
   * @return the status, never {@link DvStatus#OK}
   */
  public DvStatus status() {
    return status;
  }
}
