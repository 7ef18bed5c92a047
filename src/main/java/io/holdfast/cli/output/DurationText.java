package io.holdfast.cli.output;

import java.time.Duration;

/** Durations as text. */
public final class DurationText {
    /** Shorter durations are shown in milliseconds: in tenths of a second they would be 0. */
    private static final long MILLIS_EXACT_MAX = 100;

    private static final long SECONDS_EXACT_MAX = 10;

    private DurationText() {}

    /** For people, with at most two units. */
    public static String words(Duration duration) {
        var seconds = duration.toSeconds();
        if (duration.isNegative() || duration.isZero()) {
            return "0s";
        }
        if (duration.toMillis() < MILLIS_EXACT_MAX) {
            return Math.max(1, duration.toMillis()) + "ms";
        }
        if (seconds < SECONDS_EXACT_MAX) {
            return "%d.%ds".formatted(seconds, duration.toMillisPart() / 100);
        }
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3600) {
            return "%dm%02ds".formatted(duration.toMinutes(), duration.toSecondsPart());
        }
        if (duration.toHours() < 24) {
            return "%dh%02dm".formatted(duration.toHours(), duration.toMinutesPart());
        }
        return "%dd%02dh".formatted(duration.toDays(), duration.toHoursPart());
    }

    public static String words(long millis) {
        return words(Duration.ofMillis(millis));
    }

    /** For requests to the service. */
    public static String wire(Duration duration) {
        return duration.toMillis() + "ms";
    }
}
