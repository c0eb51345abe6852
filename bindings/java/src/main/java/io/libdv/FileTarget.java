package io.libdv;

import java.nio.ByteBuffer;

/**
 * A file that is written once, from its start to its end, and then kept or dropped.
 *
 * <p>The library calls it on the thread that called the library; exactly one of {@link #commit} and
 * {@link #abort} ends it. What these methods throw comes back out of the call that led to them, as
 * it was.
 */
public interface FileTarget {
  /**
   * Takes the next bytes.
   *
   * @param data the bytes; all must be taken; read-only, and not to be used any more when the
   *     method has returned
   * @throws Exception whatever goes wrong; the file is dropped then
   */
  void write(ByteBuffer data) throws Exception;

  /**
   * The file is complete: makes it appear.
   *
   * @throws Exception if it cannot; the call that led here fails then
   */
  void commit() throws Exception;

  /**
   * The file failed, or was given up: removes what there is of it.
   *
   * @throws Exception whatever goes wrong
   */
  void abort() throws Exception;
}
