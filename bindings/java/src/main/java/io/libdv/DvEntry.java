package io.libdv;

import java.util.Objects;

/**
 * What a manifest entry says of a deletion vector: where it is, and what it must be. Iceberg calls
 * the fields {@code content_offset}, {@code content_size_in_bytes}, {@code record_count} and {@code
 * referenced_data_file}.
 *
 * @param contentOffset where the blob starts in its Puffin file, in bytes
 * @param contentSize the blob's length, in bytes
 * @param recordCount how many rows it deletes
 * @param referencedDataFile the data file that it belongs to, as the table knows it; not null
 */
public record DvEntry(
    long contentOffset, long contentSize, long recordCount, String referencedDataFile) {
  /** Checks that there is a data file; the library checks the numbers against the file. */
  public DvEntry {
    Objects.requireNonNull(referencedDataFile, "referencedDataFile");
  }
}
