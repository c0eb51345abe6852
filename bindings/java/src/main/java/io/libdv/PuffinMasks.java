package io.libdv;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.libdv.internal.Calls;
import io.libdv.internal.Native;
import io.libdv.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;

/** The keep masks of many blobs of a Puffin file: which are asked for, and how they are read. */
final class PuffinMasks {
  /** What the places of masks are multiples of, in bytes. */
  private static final long ALIGNMENT = 64;

  /** Native memory for masks on their way to arrays, in bytes, unless one mask takes more. */
  private static final long PART = 1 << 20;

  private final boolean all;
  private final long[] blobs;
  private final long[] rows;

  private PuffinMasks(boolean all, long[] blobs, long[] rows) {
    this.all = all;
    this.blobs = blobs;
    this.rows = rows;
  }

  /** Asks for the mask of every blob. */
  static PuffinMasks ofAll(long[] rows) {
    Objects.requireNonNull(rows, "rows");
    return new PuffinMasks(true, LongStream.range(0, rows.length).toArray(), rows.clone());
  }

  /** Asks for the masks of chosen blobs. */
  static PuffinMasks of(int[] blobs, long[] rows) {
    Objects.requireNonNull(blobs, "blobs");
    Objects.requireNonNull(rows, "rows");
    if (blobs.length != rows.length) {
      throw new DvInvalidArgumentException(
          "there are " + rows.length + " numbers of rows for " + blobs.length + " blobs");
    }
    return new PuffinMasks(false, Arrays.stream(blobs).asLongStream().toArray(), rows.clone());
  }

  /** The bytes from the start of a mask to the start of the next. */
  static long room(long rows) {
    return (Elements.maskSize(rows) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  /** Throws, before anything is read, unless a file of so many blobs has what is asked for. */
  void check(long count) {
    if (all && rows.length != count) {
      throw new DvInvalidArgumentException(
          "there are " + rows.length + " numbers of rows for a Puffin file of " + count + " blobs");
    }
    for (int i = 0; i < rows.length; i++) {
      if (blobs[i] < 0 || blobs[i] >= count) {
        throw new DvInvalidArgumentException(
            "there is no blob " + blobs[i] + ": the Puffin file has " + count);
      }
      if (rows[i] < 0) {
        throw new DvInvalidArgumentException(
            "the mask of blob " + blobs[i] + " is for " + rows[i] + " rows, expected 0 or more");
      }
    }
  }

  /** Reads the masks into arrays, some at a time, through memory that is used again. */
  List<byte[]> arrays(Calls mode, MemorySegment puffin) {
    long largest = 0;
    for (long length : rows) {
      Calls.arraySize(Elements.maskSize(length));
      largest = Math.max(largest, room(length));
    }
    List<byte[]> masks = new ArrayList<>(rows.length);
    try (Scratch scratch = new Scratch()) {
      MemorySegment part = scratch.allocate(Math.max(largest, Math.min(PART, size())), 1);
      for (int from = 0; from < rows.length; ) {
        int to = partEnd(from, part.byteSize());
        read(mode, puffin, from, to, part);
        for (MemorySegment mask : slices(from, to, part)) {
          masks.add(mask.toArray(JAVA_BYTE));
        }
        from = to;
      }
    }
    return Collections.unmodifiableList(masks);
  }

  /** The end of the masks from one on that fit into a size together; the first one must fit. */
  private int partEnd(int from, long size) {
    int to = from;
    long end = 0;
    while (to < rows.length && room(rows[to]) <= size - end) {
      end += room(rows[to]);
      to++;
    }
    return to;
  }

  /** Reads the masks into a caller's segment, and shows each in it. */
  List<MemorySegment> segments(Calls mode, MemorySegment puffin, MemorySegment out) {
    MemorySegment target = out.asSlice(0, Math.min(size(), out.byteSize()));
    try (Scratch scratch = new Scratch()) {
      MemorySegment written = scratch.writable(target, 1);
      read(mode, puffin, 0, rows.length, written);
      Scratch.fill(target, written, target.byteSize());
    }
    return Collections.unmodifiableList(slices(0, rows.length, target));
  }

  /** The bytes of all masks; {@link Long#MAX_VALUE} for more than that. */
  private long size() {
    long size = 0;
    for (long length : rows) {
      size += Math.min(room(length), Long.MAX_VALUE - size);
    }
    return size;
  }

  private void read(Calls mode, MemorySegment puffin, int from, int to, MemorySegment out) {
    long count = to - from;
    try (Scratch scratch = new Scratch()) {
      MemorySegment indices = copy(scratch, blobs, from, to);
      MemorySegment lengths = copy(scratch, rows, from, to);
      mode.run(
          () ->
              (int)
                  Native.DV_PUFFIN_KEEP_MASKS.invokeExact(
                      puffin, indices, lengths, count, out, out.byteSize()));
    }
  }

  private static MemorySegment copy(Scratch scratch, long[] values, int from, int to) {
    MemorySegment copy = scratch.allocate(JAVA_LONG, to - from);
    MemorySegment.copy(values, from, copy, JAVA_LONG, 0, to - from);
    return copy;
  }

  private List<MemorySegment> slices(int from, int to, MemorySegment out) {
    List<MemorySegment> slices = new ArrayList<>(to - from);
    long at = 0;
    for (int i = from; i < to; i++) {
      slices.add(out.asSlice(at, Elements.maskSize(rows[i])));
      at += room(rows[i]);
    }
    return slices;
  }
}
