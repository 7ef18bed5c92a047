package io.holdfast.cli.retry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {
    @Test
    void eachPauseIsTwiceAsLongUpToTheLongest() {
        var backoff = new Backoff(Duration.ofNanos(1000), Duration.ofNanos(3000));

        assertThat(backoff.nextNanos()).isBetween(500L, 1000L);
        assertThat(backoff.nextNanos()).isBetween(1000L, 2000L);
        assertThat(backoff.nextNanos()).isBetween(1500L, 3000L);
        assertThat(backoff.nextNanos()).isBetween(1500L, 3000L);

        backoff.reset();

        assertThat(backoff.nextNanos()).isBetween(500L, 1000L);
    }
}
