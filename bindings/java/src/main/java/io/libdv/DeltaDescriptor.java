package io.libdv;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.util.regex.Pattern.DOTALL;

import io.libdv.internal.Calls;
import io.libdv.internal.Json;
import io.libdv.internal.Layouts;
import io.libdv.internal.Native;
import io.libdv.internal.Scratch;
import io.libdv.internal.Text;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Delta Lake deletion vector descriptor: the {@code deletionVector} object of an add or remove
 * action (Delta protocol, "Deletion Vector Descriptor Schema").
 *
 * {@snippet :
 * DeltaDescriptor descriptor = DeltaDescriptor.parse(json);
 * try (DeletionVector deletes = descriptor.read(Path.of("/tables/events"))) {
 *   byte[] mask = deletes.keepMask(0, rowCount);
 * }
 * }
 *
 * @param storageType {@code u}: a file of the table, named by a UUID; {@code p}: a file by its URL;
 *     {@code r}: a file by its relative path; {@code i}: inline
 * @param pathOrInlineDv what the storage type says, coded as the log has it
 * @param offset where the vector stands in its file, in bytes; empty: absent
 * @param sizeInBytes the length of magic and bitmap
 * @param cardinality how many rows it deletes
 */
public record DeltaDescriptor(
    String storageType,
    String pathOrInlineDv,
    OptionalInt offset,
    int sizeInBytes,
    long cardinality) {
  private static final String INLINE = "i";
  private static final String BY_URL = "p";
  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):.*", DOTALL);

  /** Checks that nothing is null; the library checks the rest where a descriptor is used. */
  public DeltaDescriptor {
    Objects.requireNonNull(storageType, "storageType");
    Objects.requireNonNull(pathOrInlineDv, "pathOrInlineDv");
    Objects.requireNonNull(offset, "offset");
  }

  /**
   * Reads a descriptor out of the log. Members that are not known are ignored.
   *
   * @param json a JSON object
   * @return the descriptor
   * @throws DvInvalidArgumentException if it is no descriptor: bad JSON, a wrong type, a negative
   *     number
   * @throws DvUnsupportedException if the storage type is not known
   */
  public static DeltaDescriptor parse(String json) {
    Objects.requireNonNull(json, "json");
    uniqueId(json);
    Map<String, String> members = Json.scalars(json);
    String offset = members.get("offset");
    return new DeltaDescriptor(
        members.get("storageType"),
        members.get("pathOrInlineDv"),
        offset == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(offset)),
        Integer.parseInt(members.get("sizeInBytes")),
        Long.parseLong(members.get("cardinality")));
  }

  /**
   * Describes a vector in a file of the table: storage type {@code u}.
   *
   * @param relativePath the file, relative to the table: {@code
   *     [prefix/]deletion_vector_<uuid>.bin}
   * @param where what {@link DeltaDvWriter#write} returned
   * @return the descriptor
   * @throws DvInvalidArgumentException if the path has another form
   */
  public static DeltaDescriptor forFile(String relativePath, DeltaDvResult where) {
    Objects.requireNonNull(relativePath, "relativePath");
    Objects.requireNonNull(where, "where");
    try (Scratch scratch = new Scratch()) {
      MemorySegment path = Text.required(relativePath, "the path", scratch);
      MemorySegment result = scratch.allocate(Layouts.DELTA_RESULT);
      result.set(
          JAVA_LONG, Layouts.offset(Layouts.DELTA_RESULT, "cardinality"), where.cardinality());
      result.set(JAVA_INT, Layouts.offset(Layouts.DELTA_RESULT, "offset"), where.offset());
      result.set(
          JAVA_INT, Layouts.offset(Layouts.DELTA_RESULT, "size_in_bytes"), where.sizeInBytes());
      return parse(
          text((s, out) -> (int) Native.DV_DELTA_DESCRIPTOR_NEW.invokeExact(path, result, out)));
    }
  }

  /**
   * Puts a vector into a descriptor: storage type {@code i}.
   *
   * @param vector the vector
   * @return the descriptor
   * @throws DvLimitException if the vector is too large
   */
  public static DeltaDescriptor inline(DeletionVector vector) {
    Objects.requireNonNull(vector, "vector");
    return parse(
        vector.use(
            dv -> text((s, out) -> (int) Native.DV_DELTA_DESCRIPTOR_INLINE.invokeExact(dv, out))));
  }

  /**
   * The descriptor as the log has it.
   *
   * @return a JSON object
   */
  public String toJson() {
    StringBuilder json =
        new StringBuilder("{\"storageType\":")
            .append(Json.quote(storageType))
            .append(",\"pathOrInlineDv\":")
            .append(Json.quote(pathOrInlineDv));
    offset.ifPresent(value -> json.append(",\"offset\":").append(value));
    return json.append(",\"sizeInBytes\":")
        .append(sizeInBytes)
        .append(",\"cardinality\":")
        .append(cardinality)
        .append('}')
        .toString();
  }

  /**
   * Where the vector's file is.
   *
   * @return a path relative to the table for {@code u} and {@code r}; what the log has for {@code
   *     p}; empty for {@code i}
   * @throws DvInvalidArgumentException if the descriptor is none, or names no UUID where it must
   * @throws DvUnsupportedException if the storage type is not known
   */
  public String path() {
    try (Scratch scratch = new Scratch()) {
      MemorySegment json = Text.required(toJson(), "the descriptor", scratch);
      return text((s, out) -> (int) Native.DV_DELTA_DESCRIPTOR_PATH.invokeExact(json, out));
    }
  }

  /**
   * What tells this vector from every other of the table.
   *
   * @return storage type, path or inline text, and {@code @offset} where there is one
   * @throws DvInvalidArgumentException if the descriptor is none
   * @throws DvUnsupportedException if the storage type is not known
   */
  public String uniqueId() {
    return uniqueId(toJson());
  }

  private static String uniqueId(String descriptor) {
    try (Scratch scratch = new Scratch()) {
      MemorySegment json = Text.required(descriptor, "the descriptor", scratch);
      return text((s, out) -> (int) Native.DV_DELTA_DESCRIPTOR_UNIQUE_ID.invokeExact(json, out));
    }
  }

  /**
   * Reads the vector of an inline descriptor.
   *
   * @return a vector that the caller closes
   * @throws DvInvalidArgumentException if the descriptor is none, or not inline
   * @throws DvCorruptException if the text breaks the format
   * @throws DvMismatchException if size or cardinality differ
   */
  public DeletionVector read() {
    return read(MemorySegment.NULL);
  }

  /**
   * Reads the vector out of its file.
   *
   * @param file the file that {@link #path} names; not used for an inline descriptor
   * @return a vector that the caller closes
   * @throws DvInvalidArgumentException if the descriptor is none
   * @throws DvCorruptException if the bytes break the format
   * @throws DvMismatchException if size or cardinality differ
   * @throws DvUnsupportedException if the storage type, the file's version or its magic is not
   *     known
   */
  public DeletionVector read(Source file) {
    Objects.requireNonNull(file, "file");
    return file.use(this::read);
  }

  /**
   * Reads the vector, wherever it is, of a table on the default file system.
   *
   * @param table the table's directory
   * @return a vector that the caller closes
   * @throws DvInvalidArgumentException if the descriptor is none
   * @throws DvIoException if the file cannot be read
   * @throws DvCorruptException if the bytes break the format
   * @throws DvMismatchException if size or cardinality differ
   * @throws DvUnsupportedException if the storage type, the file's version or its magic is not
   *     known
   * @throws IllegalArgumentException if a {@code p} descriptor's URL is none of a file: read such a
   *     vector with {@link #read(Source)}
   */
  public DeletionVector read(Path table) {
    if (storageType.equals(INLINE)) {
      return read();
    }
    String path = path();
    try (Source source =
        Source.of(
            storageType.equals(BY_URL)
                ? fileOf(path, table)
                : Objects.requireNonNull(table, "table").resolve(path))) {
      return read(source);
    }
  }

  /** The file of a URL, or of an absolute path, which some writers put in its place. */
  private static Path fileOf(String url, Path table) {
    Matcher scheme = SCHEME.matcher(url);
    if (!scheme.matches()) {
      return Objects.requireNonNull(table, "table").resolve(url);
    }
    if (!scheme.group(1).equalsIgnoreCase("file")) {
      throw new IllegalArgumentException(
          "the descriptor's URL " + Json.quote(url) + " is none of a file; pass a Source instead");
    }
    return Path.of(URI.create(url));
  }

  private DeletionVector read(MemorySegment source) {
    return new DeletionVector(
        Calls.FILES,
        (scratch, out) -> {
          MemorySegment json = Text.required(toJson(), "the descriptor", scratch);
          return (int) Native.DV_DELTA_DESCRIPTOR_READ.invokeExact(source, json, out);
        });
  }

  private static String text(Calls.Out call) {
    return new String(Calls.PLAIN.bytes(call), StandardCharsets.UTF_8);
  }
}
