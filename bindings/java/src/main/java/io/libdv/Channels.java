package io.libdv;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Channels as the library reads and writes them. How far a channel has come is what its buffer
 * shows: a count beside it that is wrong would lose bytes, or make some up.
 */
final class Channels {
  private Channels() {}

  static RangeReader reader(SeekableByteChannel channel) {
    if (channel instanceof FileChannel file) {
      return (position, target) -> read(target, () -> file.read(target, position));
    }
    ReentrantLock positioned = new ReentrantLock();
    return (position, target) -> {
      positioned.lock();
      try {
        return read(target, () -> channel.position(position).read(target));
      } finally {
        positioned.unlock();
      }
    };
  }

  /** Some read into a buffer. */
  @FunctionalInterface
  private interface Read {
    int run() throws IOException;
  }

  private static int read(ByteBuffer target, Read read) throws IOException {
    int before = target.position();
    int told = read.run();
    int moved = target.position() - before;
    if (Math.max(told, 0) != moved) {
      throw new IOException(
          "the channel's read answered " + told + ", but moved its buffer by " + moved + " bytes");
    }
    return moved;
  }

  static FileTarget target(WritableByteChannel channel) {
    if (channel instanceof SelectableChannel selectable && !selectable.isBlocking()) {
      throw new IllegalBlockingModeException();
    }
    return new FileTarget() {
      @Override
      public void write(ByteBuffer data) throws IOException {
        while (data.hasRemaining()) {
          int before = data.position();
          int told = channel.write(data);
          if (data.position() <= before) {
            throw new IOException(
                "the channel wrote none of " + data.remaining() + " bytes, and answered " + told);
          }
        }
      }

      @Override
      public void commit() {}

      @Override
      public void abort() {}
    };
  }
}
