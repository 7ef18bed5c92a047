package io.holdfast.suite;

import io.quarkus.test.junit.callback.QuarkusTestBeforeClassCallback;
import java.util.Arrays;

/** Fails a test that runs where it should not, because its annotation is missing. Found by {@code META-INF/services}. */
public final class SuiteGuard implements QuarkusTestBeforeClassCallback {
    @Override
    public void beforeClass(Class<?> testClass) {
        if (Arrays.stream(testClass.getAnnotations())
                .noneMatch(annotation -> annotation.annotationType().getName().equals(OnQuarkus.class.getName()))) {
            throw new IllegalStateException(testClass + " must be annotated with @OnQuarkus.");
        }
    }

    /** Called by what is never started in {@code make check}. */
    public static void refuseInCheck(String what) {
        if (Boolean.getBoolean("test.check")) {
            throw new IllegalStateException("A test that starts " + what + " must be annotated with @Slow.");
        }
    }
}
