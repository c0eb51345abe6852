package io.libdv.testing;

import io.libdv.DeletionVector;
import io.libdv.DvReader;
import io.libdv.Libdv;
import io.libdv.PuffinFile;
import io.libdv.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The library at work in many threads of a JVM whose signals, stacks and collector are kept busy:
 * null pointers and stack overflows by the thousand.
 */
public final class Storm {
  private static final int ROUNDS = Integer.getInteger("storm.rounds", 25);

  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean over = new AtomicBoolean();
  private final byte[] blob;
  private final byte[] file;
  private final byte[] mask;

  private Storm(byte[] blob, byte[] file) {
    this.blob = blob;
    this.file = file;
    this.mask = DvReader.keepMask(blob, -1, 0, 100_000);
  }

  /** Runs the storm; the arguments name a blob and a Puffin file. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    byte[] blob = Files.readAllBytes(Path.of(arguments[0]));
    byte[] file = Files.readAllBytes(Path.of(arguments[1]));
    Storm storm = new Storm(blob, file);
    storm.run();
    storm.failures.forEach(Throwable::printStackTrace);
    while (Libdv.liveHandles() > 0 && storm.failures.isEmpty()) { // the parent's time limit ends it
      System.gc();
      Thread.sleep(10);
    }
    System.out.println(storm.failures.isEmpty() ? "calm" : "failed");
  }

  private interface Work {
    void run() throws Exception;
  }

  private void run() throws InterruptedException {
    List<Thread> background = new ArrayList<>();
    background.add(repeat(this::nullPointers));
    background.add(repeat(this::overflows));
    background.add(repeat(Storm::garbage));
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      workers.add(Thread.ofPlatform().start(() -> rounds(this::vectors)));
      workers.add(Thread.ofPlatform().start(() -> rounds(this::files)));
    }
    for (int i = 0; i < 10; i++) {
      workers.add(Thread.ofVirtual().start(() -> rounds(this::vectors)));
      workers.add(Thread.ofVirtual().start(() -> rounds(this::files)));
    }
    for (Thread worker : workers) {
      worker.join();
    }
    over.set(true);
    for (Thread thread : background) {
      thread.join();
    }
  }

  private Thread repeat(Work work) {
    return Thread.ofPlatform()
        .start(
            () -> {
              while (!over.get() && failures.isEmpty()) {
                guard(work);
              }
            });
  }

  private void rounds(Work work) {
    for (int i = 0; i < ROUNDS && failures.isEmpty(); i++) {
      guard(work);
    }
  }

  private void guard(Work work) {
    try {
      work.run();
    } catch (Throwable t) {
      failures.add(t);
    }
  }

  private void nullPointers() {
    byte[][] arrays = {blob, null};
    int caught = 0;
    for (int i = 0; i < 20_000; i++) {
      try {
        caught -= arrays[i & 1].length & 0;
      } catch (NullPointerException e) {
        caught++;
      }
    }
    check(caught == 10_000, "null pointers caught: " + caught);
  }

  private void overflows() {
    try {
      throw new AssertionError("no end at " + depth(0));
    } catch (StackOverflowError e) {
      // as it should be
    }
  }

  private static int depth(int at) {
    return depth(at + 1) + 1;
  }

  private static void garbage() throws InterruptedException {
    byte[][] garbage = new byte[64][];
    for (int i = 0; i < 2_000; i++) {
      garbage[i % 64] = new byte[10_000];
    }
    System.gc();
    Thread.sleep(garbage.length / 16);
  }

  private void vectors() {
    check(Arrays.equals(mask, DvReader.keepMask(blob, -1, 0, 100_000)), "mask of a blob");
    try (DeletionVector dv = DeletionVector.deserialize(blob);
        DeletionVector more = DeletionVector.of(1, 2, 3)) {
      check(Arrays.equals(mask, dv.keepMask(0, 100_000)), "mask of a vector");
      dv.or(more);
      check(dv.contains(2), "merged");
      check(dv.cardinality() == dv.positions().count(), "stream");
    }
    DeletionVector.of(5).toString(); // left to the collector
  }

  private int read(long position, java.nio.ByteBuffer target) {
    int size = Math.min(target.remaining(), file.length - (int) position);
    target.put(file, (int) position, size);
    return size;
  }

  private void files() {
    try (Source source = Source.of(file.length, this::read);
        PuffinFile puffin = PuffinFile.open(source);
        DeletionVector dv = puffin.read(0)) {
      check(dv.cardinality() == puffin.blobs().get(0).cardinality(), "cardinality");
      byte[] many = puffin.keepMasks(new long[] {100_000}).get(0);
      check(Arrays.equals(many, dv.keepMask(0, 100_000)), "mask of a file");
    }
    int thrown = 0;
    try (Source broken = Source.of(file.length, (position, target) -> position(null))) {
      PuffinFile.open(broken).close();
    } catch (NullPointerException e) {
      thrown++;
    }
    check(thrown == 1, "a null pointer in a callback comes back");
  }

  private static int position(Integer none) {
    return none;
  }

  private static void check(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }
}
