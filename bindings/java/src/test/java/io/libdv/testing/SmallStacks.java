package io.libdv.testing;

import io.libdv.DeletionVector;
import io.libdv.Libdv;
import io.libdv.PuffinFile;
import io.libdv.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Recursions that call the library at every depth until the stack ends: in Java, on the way into
 * the library, or in a callback. The JVM must live on, and no object may stay locked or be lost.
 */
public final class SmallStacks {
  private static final int THREADS = 15;
  private static final int DESCENTS = 6;
  private static final int SMALLEST = 256 * 1024;
  private static final int STEP = 16 * 1024;

  private final byte[] file;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  private SmallStacks(byte[] file) {
    this.file = file;
  }

  /** The argument names a Puffin file. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    SmallStacks test = new SmallStacks(Files.readAllBytes(Path.of(arguments[0])));
    for (int i = 0; i < THREADS && test.failure.get() == null; i++) {
      int idle = i * 7 % 50; // the stack ends in another place each time
      Thread thread =
          new Thread(null, () -> test.overflow(idle), "small", SMALLEST + i * (long) STEP);
      thread.start();
      thread.join();
    }
    if (test.failure.get() != null) {
      throw new AssertionError(test.failure.get());
    }
    while (Libdv.liveHandles() > 0) { // the parent's time limit ends it where some are lost
      System.gc();
      Thread.sleep(10);
    }
    System.out.println("all stacks survived");
  }

  private void overflow(int idle) {
    try (DeletionVector dv = DeletionVector.of(3);
        Source source = Source.of(file.length, this::read)) {
      for (int step = 0; step < DESCENTS; step++) {
        try {
          descend(dv, source, step, idle + step);
        } catch (StackOverflowError e) {
          check(dv.contains(3));
        }
      }
    } catch (Throwable t) {
      failure.set(t);
    }
  }

  private int read(long position, ByteBuffer target) {
    int size = Math.min(target.remaining(), file.length - (int) position);
    target.put(file, (int) position, size);
    return size;
  }

  private int descend(DeletionVector dv, Source source, int step, int idle) {
    if (idle > 0) {
      return descend(dv, source, step, idle - 1) + 1;
    }
    if (step % 2 == 0) {
      PuffinFile.open(source).close();
    } else {
      check(dv.contains(3));
    }
    return descend(dv, source, step, 0) + 1;
  }

  private static void check(boolean condition) {
    if (!condition) {
      throw new AssertionError("a wrong answer");
    }
  }
}
