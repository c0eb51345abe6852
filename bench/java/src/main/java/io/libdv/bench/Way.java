package io.libdv.bench;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names a benchmark method in the tables, and says what its time stands for. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Way {
  /** The name. */
  String value();

  /** {@code libdv}, {@code variant} or {@code peer}. */
  String role() default "peer";
}
