package io.holdfast.suite;

import java.time.Duration;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The defaults of Awaitility for every test class: a limit that no busy machine reaches, and short pauses. JUnit finds this
 * extension by {@code META-INF/services}: Quarkus has switched that on.
 */
public final class AwaitDefaults implements BeforeAllCallback {
    static final Duration LIMIT = Duration.ofMinutes(2);
    static final Duration POLL_EVERY = Duration.ofMillis(20);

    /** A Quarkus test has a class loader of its own, and with it an Awaitility of its own. */
    @Override
    public void beforeAll(ExtensionContext context) throws ReflectiveOperationException {
        var awaitility = context.getRequiredTestClass().getClassLoader().loadClass("org.awaitility.Awaitility");
        awaitility.getMethod("setDefaultTimeout", Duration.class).invoke(null, LIMIT);
        awaitility.getMethod("setDefaultPollDelay", Duration.class).invoke(null, Duration.ZERO);
        awaitility.getMethod("setDefaultPollInterval", Duration.class).invoke(null, POLL_EVERY);
    }
}
