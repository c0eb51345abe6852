package io.libdv;

/**
 * Where a deletion vector went in a Delta file: what its descriptor will say.
 *
 * @param cardinality how many rows it deletes
 * @param offset where its size field stands, in bytes from the start of the file
 * @param sizeInBytes the length of magic and bitmap
 */
public record DeltaDvResult(long cardinality, int offset, int sizeInBytes) {}
