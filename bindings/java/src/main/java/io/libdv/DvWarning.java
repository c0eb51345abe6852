package io.libdv;

import java.util.EnumSet;
import java.util.Set;

/** What a read found that is no failure, but worth telling. */
public enum DvWarning {
  /** The blob lacks its cardinality property; the entry's record count was used alone. */
  NO_CARDINALITY(1),

  /** Something that this version of the binding has no name for. */
  UNRECOGNIZED(~1);

  private final int bits;

  DvWarning(int bits) {
    this.bits = bits;
  }

  static Set<DvWarning> of(int bits) {
    EnumSet<DvWarning> found = EnumSet.noneOf(DvWarning.class);
    for (DvWarning warning : values()) {
      if ((bits & warning.bits) != 0) {
        found.add(warning);
      }
    }
    return found;
  }
}
