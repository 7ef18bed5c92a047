package io.holdfast.lock;

import java.time.Duration;

/** How callers wait, with the defaults, of which a test changes one or two. */
record WaitSettings(Duration max, int lineMax, int callersMax, Duration ticketTtl, Duration pollMin, Duration pollMax)
        implements WaitConfig {
    static final WaitSettings DEFAULT = new WaitSettings(
            Duration.ofMinutes(5), 64, 10_000, Duration.ofSeconds(15), Duration.ofMillis(50), Duration.ofSeconds(1));

    WaitSettings lineMax(int most) {
        return new WaitSettings(max, most, callersMax, ticketTtl, pollMin, pollMax);
    }

    WaitSettings callersMax(int most) {
        return new WaitSettings(max, lineMax, most, ticketTtl, pollMin, pollMax);
    }

    WaitSettings poll(Duration min, Duration most) {
        return new WaitSettings(max, lineMax, callersMax, ticketTtl, min, most);
    }

    WaitSettings max(Duration most) {
        return new WaitSettings(most, lineMax, callersMax, ticketTtl, pollMin, pollMax);
    }
}
