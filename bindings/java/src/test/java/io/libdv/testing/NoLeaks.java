package io.libdv.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.libdv.Libdv;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** After each test as many objects of the library live as before it. */
public final class NoLeaks implements BeforeEachCallback, AfterEachCallback {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(NoLeaks.class);

  @Override
  public void beforeEach(ExtensionContext context) {
    context.getStore(NAMESPACE).put("live", Libdv.liveHandles());
  }

  @Override
  public void afterEach(ExtensionContext context) {
    long before = context.getStore(NAMESPACE).get("live", Long.class);
    assertEquals(before, Libdv.liveHandles(), "objects of the library after the test");
  }
}
