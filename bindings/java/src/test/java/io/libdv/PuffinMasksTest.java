package io.libdv;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.libdv.testing.Golden;
import io.libdv.testing.NoLeaks;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/** The masks of many blobs at once, compared with what Iceberg wrote and with one at a time. */
@ExtendWith(NoLeaks.class)
class PuffinMasksTest {
  private static final Path MULTI = Golden.path("iceberg/multi_3_files.puffin");
  private static final long[] ROWS = {70_001, 512, 8};

  /** The masks of blobs whose positions the manifest of the test files lists. */
  private static byte[] expected(int blob, long rows) {
    JsonNode file =
        Golden.files("puffin")
            .filter(f -> f.get("file").asText().endsWith("multi_3_files.puffin"))
            .findFirst()
            .orElseThrow();
    byte[] mask = new byte[(int) ((rows + 7) / 8)];
    for (int i = 0; i < rows; i++) {
      mask[i / 8] |= (byte) (1 << (i % 8));
    }
    for (long position : Golden.positions(file.get("blobs").get(blob))) {
      if (position < rows) {
        mask[(int) (position / 8)] &= (byte) ~(1 << (position % 8));
      }
    }
    return mask;
  }

  private static void assertMasks(int[] blobs, long[] rows, List<byte[]> masks) {
    assertEquals(blobs.length, masks.size());
    for (int i = 0; i < blobs.length; i++) {
      assertArrayEquals(expected(blobs[i], rows[i]), masks.get(i), "mask " + i);
    }
  }

  private static List<byte[]> copied(List<MemorySegment> masks) {
    return masks.stream().map(mask -> mask.toArray(ValueLayout.JAVA_BYTE)).toList();
  }

  @Test
  void allBlobs() {
    try (PuffinFile puffin = PuffinFile.open(MULTI);
        Arena arena = Arena.ofConfined()) {
      int[] all = {0, 1, 2};
      assertEquals(3, puffin.blobCount());
      assertMasks(all, ROWS, puffin.keepMasks(ROWS));
      long size = Arrays.stream(ROWS).map(PuffinFile::keepMaskRoom).sum();
      assertMasks(all, ROWS, copied(puffin.keepMasks(ROWS, arena.allocate(size, 64))));
    }
  }

  @Test
  void chosenBlobsInAnyOrderAndRepeated() {
    int[] blobs = {2, 0, 0, 1, 2};
    long[] rows = {100_000, 0, 513, 1, 7};
    MemorySegment heap = MemorySegment.ofArray(new byte[20_000]);
    try (PuffinFile puffin = PuffinFile.open(MULTI);
        Arena arena = Arena.ofConfined()) {
      assertMasks(blobs, rows, puffin.keepMasks(blobs, rows));
      assertMasks(blobs, rows, copied(puffin.keepMasks(blobs, rows, arena.allocate(20_000))));
      assertMasks(blobs, rows, copied(puffin.keepMasks(blobs, rows, heap)));
    }
  }

  @Test
  void masksAreThoseOfReadAndKeepMask() {
    List<byte[]> one = new ArrayList<>();
    int[] blobs = new int[300];
    long[] rows = new long[300]; // more bytes than go through native memory at a time
    try (PuffinFile puffin = PuffinFile.open(MULTI)) {
      for (int i = 0; i < blobs.length; i++) {
        blobs[i] = i % 3;
        rows[i] = i == 150 ? 9_000_001 : i * 377L % 90_000;
        try (DeletionVector dv = puffin.read(blobs[i])) {
          one.add(dv.keepMask(0, rows[i]));
        }
      }
      List<byte[]> many = puffin.keepMasks(blobs, rows);
      assertTrue(Arrays.deepEquals(one.toArray(), many.toArray()));
    }
  }

  @Test
  void masksLieAtMultiplesOf64Bytes() {
    assertEquals(0, PuffinFile.keepMaskRoom(0));
    assertEquals(64, PuffinFile.keepMaskRoom(1));
    assertEquals(64, PuffinFile.keepMaskRoom(512));
    assertEquals(128, PuffinFile.keepMaskRoom(513));
    assertEquals(1L << 60, PuffinFile.keepMaskRoom(Long.MAX_VALUE));
    assertEquals(0, PuffinFile.keepMaskRoom(-1));
    try (PuffinFile puffin = PuffinFile.open(MULTI);
        Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(300, 64).fill((byte) 0x55);
      List<MemorySegment> masks = puffin.keepMasks(new int[] {1, 0}, new long[] {513, 3}, out);
      assertEquals(0, masks.get(0).address() - out.address());
      assertEquals(65, masks.get(0).byteSize());
      assertEquals(128, masks.get(1).address() - out.address());
      assertEquals(1, masks.get(1).byteSize());
      assertArrayEquals(new byte[63], bytes(out, 65, 63), "the padding");
      assertArrayEquals(new byte[63], bytes(out, 129, 63), "the padding");
      assertEquals(0x55, out.get(ValueLayout.JAVA_BYTE, 192), "what is beyond stays untouched");
      assertThrows(UnsupportedOperationException.class, () -> masks.remove(0));
    }
  }

  private static byte[] bytes(MemorySegment segment, long from, long size) {
    return segment.asSlice(from, size).toArray(ValueLayout.JAVA_BYTE);
  }

  @Test
  void nothingIsWanted() {
    Path none = Golden.path("iceberg/no_blobs_no_properties.puffin");
    try (PuffinFile puffin = PuffinFile.open(none)) {
      assertEquals(0, puffin.blobCount());
      assertEquals(List.of(), puffin.keepMasks(new long[0]));
      assertEquals(List.of(), puffin.keepMasks(new long[0], MemorySegment.NULL));
    }
    try (PuffinFile puffin = PuffinFile.open(MULTI)) {
      assertEquals(List.of(), puffin.keepMasks(new int[0], new long[0]));
      MemorySegment empty = puffin.keepMasks(new long[3], MemorySegment.NULL).get(2);
      assertEquals(0, empty.byteSize());
      assertMasks(new int[3], new long[3], puffin.keepMasks(new long[3]));
    }
  }

  @Test
  void wrongArgumentsReadNothing() {
    boolean[] read = {false};
    byte[] file = Golden.bytes("iceberg/multi_3_files.puffin");
    RangeReader reader =
        (at, to) -> {
          read[0] = true;
          int size = Math.min(to.remaining(), file.length - (int) at);
          to.put(file, (int) at, size);
          return size;
        };
    try (Source source = Source.of(file.length, reader);
        PuffinFile puffin = PuffinFile.open(source);
        Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(128).fill((byte) 0x55);
      read[0] = false;
      for (long[] rows : new long[][] {{}, {8, 8}, {8, 8, 8, 8}, {8, -1, 8}}) {
        refused(() -> puffin.keepMasks(rows));
        refused(() -> puffin.keepMasks(rows, out));
      }
      for (int[] blobs : new int[][] {{0}, {0, 1, 2}, {0, 3}, {-1, 0}, {0, Integer.MIN_VALUE}}) {
        refused(() -> puffin.keepMasks(blobs, new long[] {8, 8}));
        refused(() -> puffin.keepMasks(blobs, new long[] {8, 8}, out));
      }
      long[] huge = {8, Long.MAX_VALUE, 8};
      assertThrows(DvLimitException.class, () -> puffin.keepMasks(huge));
      assertThrows(DvTooSmallException.class, () -> puffin.keepMasks(huge, out));
      int[] many = new int[9];
      long[] most = new long[9];
      Arrays.fill(most, Long.MAX_VALUE); // together more bytes than 64 bits can tell
      refused(() -> puffin.keepMasks(many, most, out));
      assertThrows(DvTooSmallException.class, () -> puffin.keepMasks(new long[] {8, 8, 8}, out));
      MemorySegment readOnly = out.asReadOnly();
      int[] one = {0};
      assertThrows(
          IllegalArgumentException.class, () -> puffin.keepMasks(one, new long[1], readOnly));
      assertThrows(NullPointerException.class, () -> puffin.keepMasks(null));
      assertThrows(NullPointerException.class, () -> puffin.keepMasks(null, new long[1]));
      assertThrows(NullPointerException.class, () -> puffin.keepMasks(one, (long[]) null));
      assertThrows(NullPointerException.class, () -> puffin.keepMasks(one, new long[1], null));
      assertTrue(!read[0], "read nothing");
      assertEquals(0x55, out.get(ValueLayout.JAVA_BYTE, 0), "written nothing");
    }
  }

  private static void refused(Executable call) {
    DvInvalidArgumentException e = assertThrows(DvInvalidArgumentException.class, call);
    assertEquals(1, e.getMessage().lines().count());
  }

  @Test
  void blobsThatCannotBeReadAreNamed() {
    Path mixed = Golden.path("iceberg/theta_between.puffin");
    try (PuffinFile puffin = PuffinFile.open(mixed)) {
      int theta =
          puffin.blobs().stream()
              .map(PuffinBlob::type)
              .toList()
              .lastIndexOf("apache-datasketches-theta-v1");
      int[] blobs = {0, theta};
      DvException e =
          assertThrows(DvMismatchException.class, () -> puffin.keepMasks(blobs, new long[] {8, 8}));
      assertTrue(e.getMessage().contains("blob " + theta), e.getMessage());
      assertEquals(1, puffin.keepMasks(new int[] {0}, new long[] {8}).size());
    }
    try (PuffinFile puffin = PuffinFile.open(Golden.path("iceberg/dv_blob_zstd.puffin"))) {
      assertThrows(DvUnsupportedException.class, () -> puffin.keepMasks(new long[] {8}));
    }
    byte[] broken = Golden.bytes("iceberg/multi_3_files.puffin");
    broken[20] ^= 1;
    try (Source source = Source.of(broken);
        PuffinFile puffin = PuffinFile.open(source)) {
      assertThrows(DvCorruptException.class, () -> puffin.keepMasks(ROWS));
    }
  }

  @Test
  void whatAReaderThrowsComesBackAsItWas() {
    byte[] file = Golden.bytes("iceberg/multi_3_files.puffin");
    IOException thrown = new IOException("away");
    int[] reads = {-1};
    RangeReader reader =
        (at, to) -> {
          if (reads[0] == 0) {
            throw thrown;
          }
          reads[0]--;
          int size = Math.min(to.remaining(), file.length - (int) at);
          to.put(file, (int) at, size);
          return size;
        };
    try (Source source = Source.of(file.length, reader);
        PuffinFile puffin = PuffinFile.open(source)) {
      MemorySegment out = MemorySegment.ofArray(new byte[20_000]);
      for (int before = 0; before < 3; before++) {
        reads[0] = before;
        assertSame(thrown, assertThrows(IOException.class, () -> puffin.keepMasks(ROWS)));
        reads[0] = before;
        assertSame(thrown, assertThrows(IOException.class, () -> puffin.keepMasks(ROWS, out)));
      }
      reads[0] = 3;
      assertMasks(new int[] {0, 1, 2}, ROWS, puffin.keepMasks(ROWS));
    }
  }

  @Test
  void aClosedChannelIsTheCallersOwn() throws IOException {
    FileChannel channel = FileChannel.open(MULTI);
    try (Source source = Source.of(channel);
        PuffinFile puffin = PuffinFile.open(source)) {
      assertMasks(new int[] {0, 1, 2}, ROWS, puffin.keepMasks(ROWS));
      channel.close();
      assertThrows(ClosedChannelException.class, () -> puffin.keepMasks(ROWS));
    }
  }

  @Test
  void closedObjectsAreRefused() {
    MemorySegment out = MemorySegment.ofArray(new byte[20_000]);
    Source source = Source.of(Golden.bytes("iceberg/multi_3_files.puffin"));
    PuffinFile puffin = PuffinFile.open(source);
    List<MemorySegment> masks = puffin.keepMasks(ROWS, out);
    source.close();
    assertThrows(DvStateException.class, () -> puffin.keepMasks(ROWS));
    assertThrows(DvStateException.class, () -> puffin.keepMasks(ROWS, out));
    assertEquals(3, puffin.blobCount());
    puffin.close();
    assertThrows(DvStateException.class, puffin::blobCount);
    assertThrows(DvStateException.class, () -> puffin.keepMasks(ROWS));
    assertThrows(DvStateException.class, () -> puffin.keepMasks(ROWS, out));
    assertMasks(new int[] {0, 1, 2}, ROWS, copied(masks));
  }

  @Test
  void memoryThatIsGoneIsNoticed() {
    MemorySegment gone;
    try (Arena arena = Arena.ofConfined()) {
      gone = arena.allocate(20_000);
    }
    try (PuffinFile puffin = PuffinFile.open(MULTI)) {
      assertThrows(IllegalStateException.class, () -> puffin.keepMasks(ROWS, gone));
    }
  }
}
