package io.holdfast.contract;

import io.quarkus.test.junit.callback.QuarkusTestBeforeClassCallback;

/** Notes which test classes have run on Quarkus in this JVM. Found by {@code META-INF/services}. */
public final class TestClassesSeen implements QuarkusTestBeforeClassCallback {
    @Override
    public void beforeClass(Class<?> testClass) {
        Seen.note(Seen.ran(testClass.getName()));
    }
}
