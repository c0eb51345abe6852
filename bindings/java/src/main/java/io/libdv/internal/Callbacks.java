package io.libdv.internal;

import io.libdv.DvException;
import io.libdv.DvStatus;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Calls that may come back into Java, and what happens to exceptions there.
 *
 * <p>No exception may pass through native frames: the JVM would end. So an upcall keeps what the
 * caller's code threw and answers a failure; when the native call is over, the exception is thrown
 * again, as it was, in place of the bare I/O error that the library reports.
 */
public final class Callbacks {
  private static final ThreadLocal<Callbacks> INNERMOST = new ThreadLocal<>();

  private final Callbacks outer;
  private Throwable thrown;

  private Callbacks(Callbacks outer) {
    this.outer = outer;
  }

  /** A call into the library. */
  @FunctionalInterface
  public interface Call {
    /**
     * Makes the call.
     *
     * @return the {@code dv_status}
     * @throws Throwable never by the call itself; method handles declare it
     */
    int run() throws Throwable;
  }

  /**
   * Makes a call that may run a caller's code.
   *
   * @param call the call
   * @throws DvException if the library refuses or fails
   */
  public static void run(Call call) {
    StackReserve.forUpcall();
    Callbacks frame = enter();
    DvException failure = null;
    try {
      int status = call.run();
      if (status != 0) {
        failure = Errors.failure(status);
      }
    } catch (Throwable t) {
      throw Errors.rethrow(t);
    } finally {
      frame.leave();
    }
    frame.raise(failure);
  }

  /**
   * Frees an object whose callback the library may run one last time.
   *
   * @param free the function that frees it
   * @param pointer the library's handle
   * @return what the callback threw, or null
   */
  public static Throwable free(MethodHandle free, MemorySegment pointer) {
    StackReserve.forUpcall();
    Callbacks frame = enter();
    try {
      free.invokeExact(pointer);
    } catch (Throwable t) {
      throw Errors.rethrow(t);
    } finally {
      frame.leave();
    }
    return frame.thrown;
  }

  /**
   * Keeps what a callback threw until the call on this thread is over.
   *
   * @param t what was thrown
   */
  static void keep(Throwable t) {
    Callbacks frame = INNERMOST.get();
    if (frame == null) {
      return;
    }
    if (frame.thrown == null) {
      frame.thrown = t;
    } else if (frame.thrown != t) {
      frame.thrown.addSuppressed(t);
    }
  }

  private static Callbacks enter() {
    Callbacks frame = new Callbacks(INNERMOST.get());
    INNERMOST.set(frame);
    return frame;
  }

  private void leave() {
    if (outer == null) {
      INNERMOST.remove();
    } else {
      INNERMOST.set(outer);
    }
  }

  private void raise(DvException failure) {
    if (failure == null) {
      if (thrown != null) {
        throw Errors.rethrow(thrown);
      }
      return;
    }
    if (thrown == null) {
      throw failure;
    }
    if (failure.status() == DvStatus.IO) {
      throw Errors.rethrow(thrown); // it is the cause; the library knows only that something failed
    }
    failure.addSuppressed(thrown);
    throw failure;
  }
}
