package io.libdv;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.locks.ReentrantLock;

/** Channels as the library reads and writes them. */
final class Channels {
  private Channels() {}

  static RangeReader reader(SeekableByteChannel channel) {
    if (channel instanceof FileChannel file) {
      return (position, target) -> file.read(target, position);
    }
    ReentrantLock positioned = new ReentrantLock();
    return (position, target) -> {
      positioned.lock();
      try {
        return channel.position(position).read(target);
      } finally {
        positioned.unlock();
      }
    };
  }

  static FileTarget target(WritableByteChannel channel) {
    if (channel instanceof SelectableChannel selectable && !selectable.isBlocking()) {
      throw new IllegalBlockingModeException();
    }
    return new FileTarget() {
      @Override
      public void write(ByteBuffer data) throws IOException {
        while (data.hasRemaining()) {
          if (channel.write(data) <= 0) {
            throw new IOException("the channel takes no more bytes");
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
