package io.libdv.internal;

/** Opens what only tests of other packages ask for. */
public final class TestAccess {
  private TestAccess() {}

  /** How many callers' objects the library may call. */
  public static int registered() {
    return Upcalls.registered();
  }
}
