package io.holdfast.cli.doctor;

import io.holdfast.cli.api.TimedResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How far the service's clock is ahead of the local one.
 *
 * @param uncertainty in milliseconds, either way
 */
record ClockOffset(long millis, long uncertainty) {
    private static final Duration HALF_A_SECOND = Duration.ofMillis(500);

    /** @param time from the service; if empty, the Date header is used, which is exact to the second */
    static Optional<ClockOffset> of(TimedResponse answer, String time) {
        var trip = answer.roundTrip().toMillis();
        return instant(time)
                .map(exact -> new ClockOffset(between(answer, exact), trip))
                .or(() -> answer.answer()
                        .date()
                        .map(second -> new ClockOffset(
                                between(answer, second.plus(HALF_A_SECOND)), trip + HALF_A_SECOND.toMillis())));
    }

    /** Whether the offset certainly exceeds this limit. */
    boolean isBeyond(long millisMax) {
        return Math.abs(millis) - uncertainty > millisMax;
    }

    String describe() {
        if (Math.abs(millis) <= uncertainty) {
            return "the same at the service, within %d ms".formatted(uncertainty);
        }
        return "the service's is %d ms %s the local one, within %d ms"
                .formatted(Math.abs(millis), millis > 0 ? "ahead of" : "behind", uncertainty);
    }

    private static long between(TimedResponse answer, Instant serviceTime) {
        return Duration.between(answer.halfway(), serviceTime).toMillis();
    }

    private static Optional<Instant> instant(String time) {
        try {
            return Optional.of(Instant.parse(time));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
