package io.libdv;

import io.libdv.internal.Calls;
import io.libdv.internal.Handle;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;

/** What all objects of the library have in common: a handle, freed by close or by the cleaner. */
abstract sealed class NativeObject implements AutoCloseable
    permits VectorReads, Source, Sink, PuffinFile, DvWriter, DeltaDvWriter, MumblingBitmap {
  private static final Cleaner CLEANER = Cleaner.create();

  private final Handle handle;
  private final Cleaner.Cleanable cleanable;

  /** Has the library make an object; the cleaner knows of it before the library does. */
  NativeObject(String kind, Calls mode, Calls.Out make, Handle.Release release) {
    handle = new Handle(kind, release);
    cleanable = CLEANER.register(this, handle);
    try {
      handle.make(mode, make);
    } catch (Throwable t) {
      free();
      throw t;
    }
  }

  /** Something to do with an object's pointer. */
  @FunctionalInterface
  interface Use<T> {
    T with(MemorySegment pointer);
  }

  /** Something to do with two objects' pointers. */
  @FunctionalInterface
  interface PairUse<T> {
    T with(MemorySegment first, MemorySegment second);
  }

  /** Does something with the pointer, which nobody frees meanwhile. */
  final <T> T use(Use<T> use) {
    MemorySegment pointer = handle.enter();
    try {
      checkBorrowed();
      return use.with(pointer);
    } finally {
      handle.leave();
      Reference.reachabilityFence(this);
    }
  }

  /** Does something with the pointers of two objects, which may be one. */
  final <T> T use(NativeObject other, PairUse<T> use) {
    return use(mine -> other.use(its -> use.with(mine, its)));
  }

  /** Checks that memory which this object borrows is still there. */
  void checkBorrowed() {}

  /**
   * Frees the object: at once, or after the calls under way in other threads. Calls that begin
   * later throw {@link DvStateException}. Closing a closed object does nothing. From within a
   * callback of this very object it takes effect when the outer call returns.
   *
   * <p>An object that is never closed is freed after the garbage collector has found it
   * unreachable, which may be late: the collector does not see the native memory behind it.
   */
  @Override
  public void close() {
    free();
  }

  private void free() {
    handle.close();
    cleanable.clean(); // only now: should closing fail, the cleaner still does it
  }
}
