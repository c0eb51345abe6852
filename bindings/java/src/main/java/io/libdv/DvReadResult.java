package io.libdv;

import java.util.Objects;
import java.util.Set;

/**
 * A deletion vector that was read for a manifest entry, and what the reader should know about it.
 *
 * @param vector the vector; closed with this result
 * @param warnings what is odd about it; empty for nothing, and not to be changed
 */
public record DvReadResult(DeletionVector vector, Set<DvWarning> warnings)
    implements AutoCloseable {
  /** Keeps the vector and a copy of the warnings. */
  public DvReadResult {
    Objects.requireNonNull(vector, "vector");
    warnings = Set.copyOf(warnings);
  }

  /** Closes the vector. */
  @Override
  public void close() {
    vector.close();
  }
}
