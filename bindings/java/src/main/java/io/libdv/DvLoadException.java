package io.libdv;

/**
 * The native library cannot be used in this JVM: it is missing, cannot be loaded, has another ABI
 * version, or native access is denied. The message says which, and what to do. Every later call
 * fails in the same way.
 */
public final class DvLoadException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param message what is wrong and what to do
   * @param cause what the JVM or the system said, or null
   */
  public DvLoadException(String message, Throwable cause) {
    super(message, cause);
  }
}
