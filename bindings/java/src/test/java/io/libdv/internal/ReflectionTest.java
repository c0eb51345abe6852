package io.libdv.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.libdv.DeletionVector;
import io.libdv.DeltaDvWriter;
import io.libdv.DvWriter;
import io.libdv.MumblingBitmap;
import io.libdv.PuffinFile;
import io.libdv.Sink;
import io.libdv.Source;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Engines find methods by name, from other packages, as this test does. */
class ReflectionTest {
  @Test
  void whatIsInheritedCanBeInvoked() throws ReflectiveOperationException {
    try (DeletionVector dv = DeletionVector.of(3, 5)) {
      assertEquals(2L, DeletionVector.class.getMethod("cardinality").invoke(dv));
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        DeletionVector.class,
        Source.class,
        Sink.class,
        PuffinFile.class,
        DvWriter.class,
        DeltaDvWriter.class,
        MumblingBitmap.class
      })
  void noPublicMethodIsOfAHiddenClass(Class<?> type) {
    for (Method method : type.getMethods()) {
      assertTrue(Modifier.isPublic(method.getDeclaringClass().getModifiers()), method::toString);
    }
  }
}
