package io.holdfast.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;

/** What {@code await()} goes by when a test says nothing. Awaitility does not tell; its fields do. */
public interface AwaitDefaultsFacts {
    @Test
    default void anAwaitWithoutALimitHasThatOfTheSuite() {
        assertThat(await()).extracting("timeoutConstraint.maxWaitTime").isEqualTo(AwaitDefaults.LIMIT);
    }
}
