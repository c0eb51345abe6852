/**
 * Deletion vectors of data lakes: which rows of a data file are deleted.
 *
 * <ul>
 *   <li>{@link io.libdv.DeletionVector} is the set of positions, its Iceberg blob and its masks.
 *   <li>{@link io.libdv.DvReader} and {@link io.libdv.PuffinFile} read Iceberg's Puffin files,
 *       {@link io.libdv.DvWriter} writes them and their manifest entries.
 *   <li>{@link io.libdv.DeltaDescriptor}, {@link io.libdv.DeltaReader} and {@link
 *       io.libdv.DeltaDvWriter} do the same for Delta Lake.
 *   <li>{@link io.libdv.MumblingBitmap} is the bitmap of Iceberg v4 manifests.
 *   <li>{@link io.libdv.Source} and {@link io.libdv.Sink} are where files come from and go to.
 * </ul>
 *
 * <p>What holds everywhere: a null argument is a {@link java.lang.NullPointerException} where the
 * method does not say what null means. A string that holds U+0000 or an unpaired surrogate is a
 * {@link io.libdv.DvInvalidArgumentException}. A closed object is a {@link
 * io.libdv.DvStateException}. A failed call leaves its object as it was. Segments of every kind are
 * taken; those in native memory are used in place, others are copied. Objects are to be closed: the
 * garbage collector frees a forgotten one, but late.
 */
package io.libdv;
