package io.holdfast.cli.doctor;

import io.holdfast.cli.api.TimedResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How far the service's clock is ahead of the one here.
 *
 * @param uncertainty how much more or less it may be, in milliseconds
 */
record ClockOffset(long millis, long uncertainty) {
    private static final Duration HALF_A_SECOND = Duration.ofMillis(500);

    /** @param time as the service tells it; if it does not, the head of its answer does, to the second */
    static Optional<ClockOffset> of(TimedResponse answer, String time) {
        var trip = answer.roundTrip().toMillis();
        return instant(time)
                .map(exact -> new ClockOffset(between(answer, exact), trip))
                .or(() -> answer.answer()
                        .date()
                        .map(second -> new ClockOffset(
                                between(answer, second.plus(HALF_A_SECOND)), trip + HALF_A_SECOND.toMillis())));
    }

    /** Whether it is so for certain. */
    boolean isBeyond(long millisMax) {
        return Math.abs(millis) - uncertainty > millisMax;
    }

    String words() {
        if (Math.abs(millis) <= uncertainty) {
            return "the same here and there, give or take %d ms".formatted(uncertainty);
        }
        return "the service's is %d ms %s ours, give or take %d ms"
                .formatted(Math.abs(millis), millis > 0 ? "ahead of" : "behind", uncertainty);
    }

    private static long between(TimedResponse answer, Instant theirs) {
        return Duration.between(answer.halfway(), theirs).toMillis();
    }

    private static Optional<Instant> instant(String time) {
        try {
            return Optional.of(Instant.parse(time));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
