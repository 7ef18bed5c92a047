package io.holdfast.remote;

import io.holdfast.kernel.Durations;
import java.time.Duration;
import java.util.function.LongSupplier;

/** The end of a call's timeout, measured with a monotonic clock. */
public final class Deadline {
    private static final Duration SHORTEST = Duration.ofMillis(1);

    private final LongSupplier nanoTime;
    private final long end;

    private Deadline(LongSupplier nanoTime, long end) {
        this.nanoTime = nanoTime;
        this.end = end;
    }

    public static Deadline in(Duration time) {
        return in(time, System::nanoTime);
    }

    static Deadline in(Duration time, LongSupplier nanoTime) {
        return new Deadline(nanoTime, nanoTime.getAsLong() + time.toNanos());
    }

    public boolean isOver() {
        return end - nanoTime.getAsLong() <= 0;
    }

    /** At least one millisecond, because timers require it. */
    Duration left() {
        var left = Duration.ofNanos(end - nanoTime.getAsLong());
        return Durations.max(left, SHORTEST);
    }
}
