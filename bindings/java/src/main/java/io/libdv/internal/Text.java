package io.libdv.internal;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.libdv.DvInvalidArgumentException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Objects;

/** Strings on their way to and from C: refused rather than cut or changed. */
public final class Text {
  private static final Charset FILE_NAMES =
      Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"), StandardCharsets.UTF_8);

  private Text() {}

  /**
   * A NUL-terminated UTF-8 copy.
   *
   * @param text the string, or null
   * @param what what the string is, for the message
   * @param allocator where the copy goes
   * @return the copy; NULL for null
   * @throws DvInvalidArgumentException if the string holds U+0000 or an unpaired surrogate, which
   *     would reach the file as something else
   */
  public static MemorySegment optional(String text, String what, SegmentAllocator allocator) {
    return text == null ? MemorySegment.NULL : required(text, what, allocator);
  }

  /**
   * A NUL-terminated UTF-8 copy.
   *
   * @param text the string, not null
   * @param what what the string is, for the message
   * @param allocator where the copy goes
   * @return the copy
   * @throws DvInvalidArgumentException if the string holds U+0000 or an unpaired surrogate
   */
  public static MemorySegment required(String text, String what, SegmentAllocator allocator) {
    Objects.requireNonNull(text, what);
    return terminated(encode(text, what, StandardCharsets.UTF_8), allocator);
  }

  /**
   * A file's name in the bytes that the operating system knows it by.
   *
   * @param path a path on the default file system
   * @param allocator where the copy goes
   * @return the NUL-terminated copy
   * @throws IllegalArgumentException if the path belongs to another file system
   * @throws DvInvalidArgumentException if the path cannot be written in the encoding of file names
   *     (the C locale knows ASCII only)
   */
  public static MemorySegment path(Path path, SegmentAllocator allocator) {
    Objects.requireNonNull(path, "path");
    if (path.getFileSystem() != FileSystems.getDefault()) {
      throw new IllegalArgumentException(
          "the path " + path + " is not on the default file system; pass a channel instead");
    }
    return terminated(encode(path.toString(), "the path", FILE_NAMES), allocator);
  }

  /**
   * A string of the library.
   *
   * @param text where it starts, or NULL
   * @return the string, or null for NULL
   */
  public static String read(MemorySegment text) {
    return text.address() == 0 ? null : text.reinterpret(Long.MAX_VALUE).getString(0);
  }

  private static ByteBuffer encode(String text, String what, Charset charset) {
    int nul = text.indexOf('\0');
    if (nul >= 0) {
      throw new DvInvalidArgumentException(what + " holds U+0000 at character " + nul);
    }
    CharBuffer rest = CharBuffer.wrap(text);
    try {
      return charset.newEncoder().encode(rest);
    } catch (CharacterCodingException e) {
      throw new DvInvalidArgumentException(
          String.format(
              "%s cannot be written in %s: it holds U+%04X at character %d",
              what, charset.name(), text.codePointAt(rest.position()), rest.position()));
    }
  }

  private static MemorySegment terminated(ByteBuffer encoded, SegmentAllocator allocator) {
    int size = encoded.remaining();
    MemorySegment copy = allocator.allocate(size + 1L);
    copy.copyFrom(MemorySegment.ofBuffer(encoded));
    copy.set(JAVA_BYTE, size, (byte) 0);
    return copy;
  }
}
