package io.libdv.iceberg;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;
import org.apache.iceberg.io.SeekableInputStream;

/**
 * Iceberg's files on the local disk, without Hadoop: its login does not work on JDK 24 and later.
 */
final class LocalFileIO implements FileIO {
  private static final long serialVersionUID = 1L;

  /** The file that a location names. */
  static Path path(String location) {
    return location.startsWith("file:") ? Path.of(URI.create(location)) : Path.of(location);
  }

  @Override
  public InputFile newInputFile(String location) {
    return new LocalInput(location);
  }

  @Override
  public OutputFile newOutputFile(String location) {
    return new LocalOutput(location);
  }

  @Override
  public void deleteFile(String location) {
    try {
      Files.delete(path(location));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private record LocalInput(String location) implements InputFile {
    @Override
    public long getLength() {
      try {
        return Files.size(path(location));
      } catch (NoSuchFileException e) {
        throw new NotFoundException(e, "%s", location);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public SeekableInputStream newStream() {
      try {
        return new Input(FileChannel.open(path(location)));
      } catch (NoSuchFileException e) {
        throw new NotFoundException(e, "%s", location);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public boolean exists() {
      return Files.exists(path(location));
    }
  }

  private record LocalOutput(String location) implements OutputFile {
    @Override
    public PositionOutputStream create() {
      return open(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    @Override
    public PositionOutputStream createOrOverwrite() {
      return open(
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING,
          StandardOpenOption.WRITE);
    }

    private PositionOutputStream open(OpenOption... options) {
      try {
        Files.createDirectories(path(location).getParent());
        return new Output(FileChannel.open(path(location), options));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public InputFile toInputFile() {
      return new LocalInput(location);
    }
  }

  private static final class Input extends SeekableInputStream {
    private final FileChannel channel;

    Input(FileChannel channel) {
      this.channel = channel;
    }

    @Override
    public long getPos() throws IOException {
      return channel.position();
    }

    @Override
    public void seek(long position) throws IOException {
      channel.position(position);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] bytes, int offset, int size) throws IOException {
      return channel.read(ByteBuffer.wrap(bytes, offset, size));
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  private static final class Output extends PositionOutputStream {
    private final FileChannel channel;
    private long position; // asked for after the channel is closed, too

    Output(FileChannel channel) {
      this.channel = channel;
    }

    @Override
    public long getPos() {
      return position;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int size) throws IOException {
      ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, size);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      position += size;
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
