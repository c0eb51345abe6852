package io.libdv;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;

/** Reads at most five bytes at a time from another channel, and has a position of its own. */
final class SlowChannel implements SeekableByteChannel {
  private static final int MOST = 5;
  private final SeekableByteChannel channel;
  private long position;

  SlowChannel(SeekableByteChannel channel) {
    this.channel = channel;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    ByteBuffer part = ByteBuffer.allocate(Math.min(MOST, target.remaining()));
    int read = channel.position(position).read(part);
    target.put(part.flip());
    position += Math.max(read, 0);
    return read;
  }

  @Override
  public int write(ByteBuffer source) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public SeekableByteChannel position(long newPosition) {
    position = newPosition;
    return this;
  }

  @Override
  public long size() throws IOException {
    return channel.size();
  }

  @Override
  public SeekableByteChannel truncate(long size) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}
}
