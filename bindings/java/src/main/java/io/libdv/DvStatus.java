package io.libdv;

/**
 * What the native library says about a call: the {@code dv_status} of its C interface. The numbers
 * never change; later versions may add some.
 */
public enum DvStatus {
  /** The call succeeded; no exception has this status. */
  OK(0),

  /** A negative or too large position, bad JSON given by the caller, and the like. */
  INVALID_ARGUMENT(1),

  /** The bytes break their format: magic, CRC, length, order, truncated, trailing. */
  CORRUPT(2),

  /** Well formed, but not what the caller says: cardinality, size, data file, type. */
  MISMATCH(3),

  /** Well formed, but a version, codec or encoding that this library does not read. */
  UNSUPPORTED(4),

  /** The result would not fit its format: 2 GiB blob, int32 offset, 8,192 containers. */
  LIMIT(5),

  /** A file failed. What a caller's own channel or callback throws comes back as it was instead. */
  IO(6),

  /** The caller's buffer cannot hold the result. */
  TOO_SMALL(7),

  /** The object is closed or finished, or is being used by its own callback. */
  STATE(8),

  /** An allocation was refused, where that can be told. */
  NO_MEMORY(9),

  /** The process is a {@code fork()} child of the one that loaded the library. */
  FORKED(10),

  /** A bug in the library; the process lives on. */
  INTERNAL(11),

  /** A number that this version of the binding does not know. */
  UNRECOGNIZED(-1);

  private final int code;

  DvStatus(int code) {
    this.code = code;
  }

  /**
   * The status's number in the C interface.
   *
   * @return the number; -1 for {@link #UNRECOGNIZED}
   */
  public int code() {
    return code;
  }

  /**
   * The status with a number.
   *
   * @param code a {@code dv_status}
   * @return the status, {@link #UNRECOGNIZED} if there is none with that number
   */
  public static DvStatus of(int code) {
    for (DvStatus status : values()) {
      if (status.code == code) {
        return status;
      }
    }
    return UNRECOGNIZED;
  }
}
