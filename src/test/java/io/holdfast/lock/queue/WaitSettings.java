package io.holdfast.lock.queue;

import java.time.Duration;

/** How callers wait, with the defaults, of which a test changes one or two. */
public record WaitSettings(
        Duration max, int queueMax, int callersMax, Duration ticketTtl, Duration pollMin, Duration pollMax)
        implements WaitConfig {
    public static final WaitSettings DEFAULT = new WaitSettings(
            Duration.ofMinutes(5), 64, 10_000, Duration.ofSeconds(15), Duration.ofMillis(50), Duration.ofSeconds(1));

    WaitSettings queueMax(int most) {
        return new WaitSettings(max, most, callersMax, ticketTtl, pollMin, pollMax);
    }

    WaitSettings callersMax(int most) {
        return new WaitSettings(max, queueMax, most, ticketTtl, pollMin, pollMax);
    }

    WaitSettings poll(Duration min, Duration most) {
        return new WaitSettings(max, queueMax, callersMax, ticketTtl, min, most);
    }

    public WaitSettings max(Duration most) {
        return new WaitSettings(most, queueMax, callersMax, ticketTtl, pollMin, pollMax);
    }
}
