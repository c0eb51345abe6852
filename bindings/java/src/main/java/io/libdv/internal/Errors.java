package io.libdv.internal;

import io.libdv.DvCorruptException;
import io.libdv.DvException;
import io.libdv.DvInvalidArgumentException;
import io.libdv.DvIoException;
import io.libdv.DvLimitException;
import io.libdv.DvLoadException;
import io.libdv.DvMismatchException;
import io.libdv.DvStateException;
import io.libdv.DvStatus;
import io.libdv.DvTooSmallException;
import io.libdv.DvUnsupportedException;
import java.lang.foreign.MemorySegment;

/**
 * From a status to an exception.
 *
 * <p>The library keeps the text of a failure per thread of the operating system. A virtual thread
 * may change that thread wherever it blocks; so the text is read as the very next thing after the
 * call that failed, with no lock, no class to be initialised and no I/O in between.
 */
public final class Errors {
  private static final int OK = 0;

  private Errors() {}

  /**
   * Makes one call fail, so that all that telling a failure needs is linked and initialised before
   * the first real one.
   */
  static void warmUp() {
    try {
      int status = (int) Native.DV_NEW.invokeExact(MemorySegment.NULL);
      if (status != OK) {
        failure(status);
      }
    } catch (DvLoadException e) {
      // Nothing to warm up. The caller's own call will tell the reason.
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /**
   * Checks what a function answered.
   *
   * @param status the {@code dv_status} that a call on this thread has just answered
   * @throws DvException if it is not {@code DV_OK}
   */
  public static void check(int status) {
    if (status != OK) {
      throw failure(status);
    }
  }

  /**
   * The exception for a status.
   *
   * @param status what a call on this thread has just answered, not {@code DV_OK}
   * @return the exception, with the library's text
   */
  static DvException failure(int status) {
    String text = lastError();
    return exception(DvStatus.of(status), text);
  }

  private static String lastError() {
    try {
      return Text.read((MemorySegment) Native.DV_LAST_ERROR.invokeExact());
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  private static DvException exception(DvStatus status, String text) {
    return switch (status) {
      case INVALID_ARGUMENT -> new DvInvalidArgumentException(text);
      case CORRUPT -> new DvCorruptException(text);
      case MISMATCH -> new DvMismatchException(text);
      case UNSUPPORTED -> new DvUnsupportedException(text);
      case LIMIT -> new DvLimitException(text);
      case IO -> new DvIoException(text);
      case TOO_SMALL -> new DvTooSmallException(text);
      case STATE -> new DvStateException(text);
      default -> new DvException(status, text);
    };
  }

  /**
   * Throws anything as it is, checked or not.
   *
   * @param t what to throw
   * @return never; so that a caller can write {@code throw rethrow(t)}
   */
  public static RuntimeException rethrow(Throwable t) {
    throw Errors.<RuntimeException>unchecked(t);
  }

  @SuppressWarnings("unchecked") // the cast is erased: that is the point
  private static <T extends Throwable> T unchecked(Throwable t) throws T {
    throw (T) t;
  }
}
