package io.libdv;

import java.nio.ByteBuffer;

/**
 * Reads parts of a file that the caller knows how to reach: an object store, a cache.
 *
 * <p>The library calls it on the thread that called the library. Threads that read one source at
 * once call it at once. What it throws comes back out of the call that led to it, as it was.
 */
@FunctionalInterface
public interface RangeReader {
  /**
   * Reads bytes, as {@link java.nio.channels.FileChannel#read(ByteBuffer, long)} does.
   *
   * @param position where to start, in bytes from the start of the file
   * @param target receives the bytes; direct, at most its remaining size, and not to be used any
   *     more when the method has returned
   * @return how many bytes were read; fewer than asked for: the rest is asked for again; 0 or less:
   *     the file ends here, which the library takes as a failure
   * @throws Exception whatever goes wrong
   */
  int read(long position, ByteBuffer target) throws Exception;
}
