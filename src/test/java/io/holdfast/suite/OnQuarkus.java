package io.holdfast.suite;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A test in a service that Quarkus starts in the build. Such tests share one JVM and, as far as their settings are the same,
 * one service. A test with {@code @QuarkusTest} that lacks this fails.
 */
@Tag("quarkus")
@Slow
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface OnQuarkus {}
