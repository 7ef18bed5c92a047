package io.holdfast.kernel;

import java.time.Duration;

/** The shorter and the longer of two durations. */
public final class Durations {
    private Durations() {}

    public static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    public static Duration max(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
