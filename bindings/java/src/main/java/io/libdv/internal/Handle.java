package io.libdv.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;

import io.libdv.DvStateException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * One object of the library and the lock that keeps it alive while it is in use.
 *
 * <p>Each call holds the read lock; closing takes the write lock, so that it waits for the calls
 * under way. A call never waits for the lock: it is refused as soon as closing has begun. So no
 * order of locks has to be kept, and no call on a virtual thread blocks here.
 *
 * <p>The library writes its pointer into a slot that belongs to the handle, and the handle is known
 * to the cleaner before that: whatever is thrown at any point, a stack overflow say, nothing is
 * lost.
 *
 * <p>The owner's {@link java.lang.ref.Cleaner} runs this object; it must not refer to its owner.
 */
public final class Handle implements Runnable {
  private final String kind;
  private final Release release;
  private final MemorySegment slot = Memory.allocate(ADDRESS.byteSize()).fill((byte) 0);
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private volatile boolean closing;
  private volatile boolean closeOnLeave;
  private boolean freed; // under the write lock

  /**
   * Starts without an object.
   *
   * @param kind what it will be, for messages: "DeletionVector"
   * @param release what frees it, and gives up what it borrowed
   */
  public Handle(String kind, Release release) {
    this.kind = kind;
    this.release = release;
  }

  /**
   * Has the library make the object.
   *
   * @param mode whether the call may run a caller's code
   * @param call the call; its result is the pointer
   */
  public void make(Calls mode, Calls.Out call) {
    try (Scratch scratch = new Scratch()) {
      mode.run(() -> call.run(scratch, slot));
    }
  }

  /** Frees an object of the library, and gives up what it borrowed; called once. */
  @FunctionalInterface
  public interface Release {
    /**
     * Frees the object.
     *
     * @param pointer the library's handle; NULL if it was never made
     * @return what a caller's callback threw meanwhile, or null
     * @throws Throwable if the object could not be freed; it is tried again then
     */
    Throwable free(MemorySegment pointer) throws Throwable;
  }

  /**
   * Begins a call; {@link #leave} must end it on the same thread.
   *
   * @return the library's handle
   * @throws DvStateException if the object is closed or is being closed
   */
  public MemorySegment enter() {
    StackReserve.forLock();
    // tryLock overtakes a waiting close, so it fails only while the object is being freed.
    if (closing || !lock.readLock().tryLock()) {
      throw closed();
    }
    if (closing) {
      leave();
      throw closed();
    }
    return slot.get(ADDRESS, 0);
  }

  /** Ends a call. */
  public void leave() {
    lock.readLock().unlock();
    if (closeOnLeave && lock.writeLock().tryLock()) {
      try {
        free();
      } finally {
        lock.writeLock().unlock();
      }
    }
  }

  /**
   * Frees the object: once, after the calls under way in other threads. From within a callback of a
   * call on this very object, it is freed when that call ends.
   */
  public void close() {
    StackReserve.forLock();
    closing = true;
    if (lock.getReadHoldCount() > 0) {
      closeOnLeave = true;
      return;
    }
    lock.writeLock().lock();
    try {
      free();
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** The cleaner's way to {@link #close}. */
  @Override
  public void run() {
    close();
  }

  private void free() {
    if (freed) {
      return;
    }
    Throwable thrown;
    try {
      thrown = release.free(slot.get(ADDRESS, 0));
    } catch (Throwable t) {
      throw Errors.rethrow(t);
    }
    freed = true;
    Memory.free(slot);
    if (thrown != null) {
      throw Errors.rethrow(thrown);
    }
  }

  private DvStateException closed() {
    return new DvStateException("this " + kind + " is closed");
  }
}
