package io.holdfast.store.dynamodb.call;

import io.holdfast.kernel.Durations;
import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.store.StoreTelemetry;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.function.LongSupplier;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * Compares this machine's clock with the {@code Date} header of DynamoDB's answers.
 *
 * <p>The header has whole seconds and the answer took time, so one answer gives an interval for DynamoDB's time. The
 * intervals of the last minute are intersected, which on a busy replica narrows them to the length of a round trip.
 * Only the proven offset is reported. It is zero if the clocks may agree, so a slow answer never blames a good clock.
 *
 * <p>Answers are compared with the monotonic clock, which cannot be set. Each decision compares the wall clock with
 * both, so a clock that was set is detected before the next answer.
 *
 * <p>One replica may be ahead of DynamoDB and another one behind, so each may use half of the allowed skew.
 */
public final class ClockGuard {
    private static final Duration DATE_RESOLUTION = Duration.ofSeconds(1);
    private static final Duration WINDOW = Duration.ofSeconds(30);

    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Duration offsetMax;
    private final StoreTelemetry telemetry;
    /** From the last answer; null before the first one. */
    private volatile Known known;

    private Interval earlier = Interval.UNKNOWN;
    private Interval recent = Interval.UNKNOWN;
    private Instant recentSince = Instant.MIN;

    /** @param nanos a monotonic clock, such as {@link System#nanoTime} */
    public ClockGuard(InstantSource clock, LongSupplier nanos, Duration maxClockSkew, StoreTelemetry telemetry) {
        this.clock = clock;
        this.nanos = nanos;
        this.offsetMax = maxClockSkew.dividedBy(2);
        this.telemetry = telemetry;
    }

    long nanos() {
        return nanos.getAsLong();
    }

    /** The monotonic clock as a time with an arbitrary origin. */
    Instant monotonic() {
        return Instant.EPOCH.plusNanos(nanos());
    }

    /** @param sent the clocks when the request was sent; the wall clock may be set before the answer is read */
    public void answered(Reading sent, SdkHttpResponse response) {
        if (response == null) {
            return;
        }
        var date = response.firstMatchingHeader("Date").flatMap(ClockGuard::parse);
        date.ifPresent(stamped -> {
            var received = monotonic();
            var seen = new Interval(
                    Duration.between(received, stamped),
                    Duration.between(sent.monotonic(), stamped.plus(DATE_RESOLUTION)));
            var ahead = proven(seen, received);
            known = new Known(ahead, sent.wallAhead(), ahead.of(sent).isZero());
            telemetry.clockOffset(offset());
        });
    }

    /** Whether there was an answer, so that the offset is known. */
    public boolean isKnown() {
        return known != null;
    }

    /** Both clocks of this machine at one moment. A later answer can tell whether they were right then. */
    public record Reading(Instant wall, Instant monotonic) {
        /** How far the wall clock is ahead of the monotonic one. Changes only if the wall clock is set. */
        private Duration wallAhead() {
            return Duration.between(monotonic, wall);
        }
    }

    /**
     * @param ahead how far DynamoDB's time is ahead of the monotonic clock
     * @param wallAhead how far the wall clock was ahead of the monotonic clock when the request was sent
     * @param wasRight whether the wall clock may have agreed with DynamoDB's time at that moment
     */
    private record Known(Interval ahead, Duration wallAhead, boolean wasRight) {}

    public Reading read() {
        return new Reading(clock.instant(), monotonic());
    }

    public boolean isOff(Reading then) {
        return offset(then).abs().compareTo(offsetMax) > 0;
    }

    /** Whether the wall clock was behind DynamoDB's time by more than is allowed. */
    public boolean isBehind(Reading then) {
        return offset(then).compareTo(offsetMax) > 0;
    }

    public boolean clockIsOff() {
        return isOff(read());
    }

    private Duration offset() {
        return offset(read());
    }

    /**
     * What to add to the wall clock if it is known to be off. If the wall clock has moved ahead of the monotonic one
     * since the last answer, it was set or the machine was suspended. Only the next answer tells which. Until then the
     * wall clock is used as it is, because the later time is the safe one.
     */
    public Duration correction() {
        var now = read();
        var offset = offset(now);
        var isOff = offset.abs().compareTo(offsetMax) > 0;
        return isOff && now.wallAhead().minus(known.wallAhead()).compareTo(offsetMax) <= 0 ? offset : Duration.ZERO;
    }

    /**
     * How far DynamoDB's time was provably ahead of the wall clock. The header leaves a second uncertain. But a clock
     * that was right, and was then set by more than the allowed offset, is off by that step.
     */
    private Duration offset(Reading then) {
        var last = known;
        if (last == null) {
            return Duration.ZERO;
        }
        var certain = last.ahead().of(then);
        var step = last.wallAhead().minus(then.wallAhead());
        var wasSet = last.wasRight() && step.abs().compareTo(offsetMax) > 0;
        return wasSet && step.abs().compareTo(certain.abs()) > 0 ? step : certain;
    }

    public Optional<String> problem() {
        var offset = offset();
        return offset.abs().compareTo(offsetMax) > 0
                ? Optional.of(
                        "The clock of this machine is at least " + offset.abs().toMillis() + " ms "
                                + (offset.isNegative() ? "ahead of" : "behind") + " DynamoDB's, more than half of"
                                + " holdfast.lock.max-clock-skew ("
                                + offsetMax.multipliedBy(2).toMillis()
                                + " ms); it takes over no expired locks"
                                + (offset.isNegative() ? "" : " and grants none") + " until the clock is right.")
                : Optional.empty();
    }

    /** The failure of a request that would grant or prolong a lease by a clock that is behind. */
    public StoreUnavailableException behind() {
        return new StoreUnavailableException(
                problem().orElse("The clock of this machine was behind DynamoDB's. Ask again."));
    }

    private synchronized Interval proven(Interval seen, Instant now) {
        if (Duration.between(recentSince, now).abs().compareTo(WINDOW) > 0) {
            earlier = recent;
            recent = Interval.UNKNOWN;
            recentSince = now;
        }
        if (!earlier.and(recent).and(seen).possible()) {
            // DynamoDB's clock was set, or this machine was suspended. Earlier intervals are no longer valid.
            earlier = Interval.UNKNOWN;
            recent = Interval.UNKNOWN;
        }
        recent = recent.and(seen);
        return earlier.and(recent);
    }

    /** Bounds of how far DynamoDB's time is ahead of another clock. */
    private record Interval(Duration least, Duration most) {
        static final Interval UNKNOWN = new Interval(Duration.ofDays(-3_650_000), Duration.ofDays(3_650_000));

        Interval and(Interval other) {
            return new Interval(Durations.max(least, other.least), Durations.min(most, other.most));
        }

        /** How far DynamoDB's time was provably ahead of the wall clock. */
        Duration of(Reading then) {
            return plus(then.wallAhead().negated()).nearestToZero();
        }

        private Interval plus(Duration shift) {
            return new Interval(least.plus(shift), most.plus(shift));
        }

        boolean possible() {
            return least.compareTo(most) <= 0;
        }

        private Duration nearestToZero() {
            if (least.isPositive()) {
                return least;
            }
            return most.isNegative() ? most : Duration.ZERO;
        }
    }

    private static Optional<Instant> parse(String date) {
        try {
            return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
