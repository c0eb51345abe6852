package io.libdv.internal;

import io.libdv.FileTarget;
import io.libdv.RangeReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The three C callbacks of the library, one stub each for the whole process.
 *
 * <p>A callback's context is not an address but a number, under which the caller's reader or target
 * is registered for as long as the library may call it.
 */
public final class Upcalls {
  /** {@code dv_read_at_fn}. */
  public static final MemorySegment READ_AT = stub("readAt", Signatures.READ_AT);

  /** {@code dv_write_fn}. */
  public static final MemorySegment WRITE = stub("write", Signatures.WRITE);

  /** {@code dv_finish_fn}. */
  public static final MemorySegment FINISH = stub("finish", Signatures.FINISH);

  private static final int FAILED = -1;
  private static final int LARGEST_BUFFER = Integer.MAX_VALUE - 8;
  private static final ConcurrentHashMap<Long, Object> REGISTERED = new ConcurrentHashMap<>();
  private static final AtomicLong NEXT = new AtomicLong(1);

  private Upcalls() {}

  /**
   * Makes an object callable.
   *
   * @param target a {@link RangeReader} or a {@link FileTarget}
   * @return the context to hand to the library
   */
  public static MemorySegment register(Object target) {
    long id = NEXT.getAndIncrement();
    REGISTERED.put(id, target);
    return MemorySegment.ofAddress(id);
  }

  /**
   * Lets go of an object; the library must not call it any more.
   *
   * @param context what {@link #register} returned
   */
  public static void unregister(MemorySegment context) {
    REGISTERED.remove(context.address());
  }

  /** How many objects are callable; for leak tests. */
  static int registered() {
    return REGISTERED.size();
  }

  private static MemorySegment stub(String name, FunctionDescriptor descriptor) {
    if (!NativeLibrary.CURRENT.isLoaded()) {
      return MemorySegment.NULL; // the call that it is for will tell the reason
    }
    MethodType type = descriptor.toMethodType();
    try {
      MethodHandle target = MethodHandles.lookup().findStatic(Upcalls.class, name, type);
      return Linker.nativeLinker().upcallStub(target, descriptor, Arena.global());
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static long readAt(MemorySegment context, long offset, MemorySegment buffer, long size) {
    try (Arena arena = Arena.ofConfined()) {
      RangeReader reader = (RangeReader) REGISTERED.get(context.address());
      ByteBuffer target = borrowed(buffer, Math.min(size, LARGEST_BUFFER), arena);
      return Math.max(reader.read(offset, target), 0); // a channel's -1 is the end, too
    } catch (Throwable t) {
      return failed(t);
    }
  }

  private static int write(MemorySegment context, MemorySegment data, long size) {
    try (Arena arena = Arena.ofConfined()) {
      FileTarget target = (FileTarget) REGISTERED.get(context.address());
      for (long done = 0; done < size; ) {
        long part = Math.min(size - done, LARGEST_BUFFER);
        MemorySegment from = MemorySegment.ofAddress(data.address() + done);
        ByteBuffer bytes = borrowed(from, part, arena).asReadOnlyBuffer();
        target.write(bytes);
        long left = part - bytes.position(); // whatever its limit is now
        if (left > 0) {
          throw new IOException("the target left " + left + " bytes unwritten");
        }
        done += part;
      }
      return 0;
    } catch (Throwable t) {
      return failed(t);
    }
  }

  private static int finish(MemorySegment context, boolean success) {
    try {
      FileTarget target = (FileTarget) REGISTERED.get(context.address());
      if (success) {
        target.commit();
      } else {
        target.abort();
      }
      return 0;
    } catch (Throwable t) {
      return failed(t);
    }
  }

  /** The library's memory as a buffer that is dead once the arena is closed. */
  private static ByteBuffer borrowed(MemorySegment memory, long size, Arena arena) {
    return memory.reinterpret(size, arena, null).asByteBuffer();
  }

  private static int failed(Throwable t) {
    try {
      Callbacks.keep(t);
    } catch (Throwable again) {
      // Nothing may escape from here, not even a second stack overflow or out of memory.
    }
    return FAILED;
  }
}
