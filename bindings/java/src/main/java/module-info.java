/**
 * Deletion vectors of data lakes: Iceberg v3 blobs and Puffin files, Delta Lake deletion vectors
 * and Mumbling bitmaps, read and written by the native library libdv through the Foreign Function
 * and Memory API.
 *
 * <p>The module calls native code: start the JVM with {@code --enable-native-access=io.libdv}, or
 * with {@code --enable-native-access=ALL-UNNAMED} where the jar is on the class path.
 */
module io.libdv {
  exports io.libdv;
}
