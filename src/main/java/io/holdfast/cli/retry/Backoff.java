package io.holdfast.cli.retry;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Pauses between retries: each is twice as long as the one before, with jitter. Not thread-safe. */
public final class Backoff {
    private final Duration first;
    private final Duration max;
    private Duration next;

    public Backoff(Duration first, Duration max) {
        this.first = first;
        this.max = max;
        this.next = first;
    }

    /** Between half and all of the present pause, so that clients that failed together do not retry together. */
    public long nextNanos() {
        var pause = next.toNanos();
        next = next.multipliedBy(2).compareTo(max) < 0 ? next.multipliedBy(2) : max;
        return ThreadLocalRandom.current().nextLong(pause / 2, pause + 1);
    }

    public void reset() {
        next = first;
    }
}
