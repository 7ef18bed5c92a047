package io.holdfast.store.dynamodb.call;

import io.holdfast.kernel.Durations;
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
 * Compares this machine's clock with the {@code Date} that DynamoDB puts on every answer.
 *
 * <p>The header has whole seconds and the answer took time, so one comparison proves no more than that DynamoDB's time lies
 * in an interval. Intervals of the last minute are intersected, which narrows them to the length of a round trip on a
 * busy replica. What is reported is the part that is certain: zero whenever the clocks may agree, so a slow answer never
 * accuses a good clock.
 *
 * <p>Answers are compared with the machine's monotonic clock, which cannot be set. The wall clock is compared with both
 * before each decision, so a clock that was set is noticed before the next answer.
 *
 * <p>Two replicas may lie on either side of DynamoDB's time, so each gets half of the allowed skew.
 */
public final class ClockGuard {
    private static final Duration DATE_RESOLUTION = Duration.ofSeconds(1);
    private static final Duration WINDOW = Duration.ofSeconds(30);

    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Duration offsetMax;
    private final StoreTelemetry telemetry;
    /** What the last answer told; none before the first one. */
    private volatile Known known;

    private Interval earlier = Interval.UNKNOWN;
    private Interval recent = Interval.UNKNOWN;
    private Instant recentSince = Instant.MIN;

    /** @param nanos a clock that only ever goes forward, such as {@link System#nanoTime} */
    public ClockGuard(InstantSource clock, LongSupplier nanos, Duration maxClockSkew, StoreTelemetry telemetry) {
        this.clock = clock;
        this.nanos = nanos;
        this.offsetMax = maxClockSkew.dividedBy(2);
        this.telemetry = telemetry;
    }

    long nanos() {
        return nanos.getAsLong();
    }

    /** The monotonic clock as a time: where it begins means nothing. */
    Instant monotonic() {
        return Instant.EPOCH.plusNanos(nanos());
    }

    /** @param sent when the request was sent: the clock may be set, or the machine suspended, before the answer is read */
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

    /** Whether any answer has told how this machine's clock compares with DynamoDB's. */
    public boolean isKnown() {
        return known != null;
    }

    /** Both clocks of this machine at one moment. What they showed then can be judged later, when an answer is there. */
    public record Reading(Instant wall, Instant monotonic) {
        /** How far the wall clock is ahead of the monotonic one: this changes only when the wall clock is set. */
        private Duration wallAhead() {
            return Duration.between(monotonic, wall);
        }
    }

    /**
     * @param ahead how far DynamoDB's time is ahead of the monotonic clock
     * @param wallAhead how far the wall clock was ahead of the monotonic clock when that request was sent
     * @param wasRight whether the wall clock may have agreed with DynamoDB's time then
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
     * What to add to the wall clock, so that a clock that is known to be off misleads no part of the service. A wall clock
     * that has gained on the monotonic one since that request was set ahead, or the machine was suspended: only the next
     * answer tells which. Until then it is followed, because the later time promises less.
     */
    public Duration correction() {
        var now = read();
        var offset = offset(now);
        var isOff = offset.abs().compareTo(offsetMax) > 0;
        return isOff && now.wallAhead().minus(known.wallAhead()).compareTo(offsetMax) <= 0 ? offset : Duration.ZERO;
    }

    /**
     * How far DynamoDB's time was ahead of the wall clock, as far as it is certain. The whole seconds of an answer's date
     * leave a step of a second uncertain; but a clock that was right and was set by more than is allowed since is off by
     * that step.
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

    private synchronized Interval proven(Interval seen, Instant now) {
        if (Duration.between(recentSince, now).abs().compareTo(WINDOW) > 0) {
            earlier = recent;
            recent = Interval.UNKNOWN;
            recentSince = now;
        }
        if (!earlier.and(recent).and(seen).possible()) {
            // DynamoDB's clock was set, or this machine was suspended: what was seen before tells nothing any more.
            earlier = Interval.UNKNOWN;
            recent = Interval.UNKNOWN;
        }
        recent = recent.and(seen);
        return earlier.and(recent);
    }

    /** How far DynamoDB's time is ahead of another clock, at the least and at the most. */
    private record Interval(Duration least, Duration most) {
        static final Interval UNKNOWN = new Interval(Duration.ofDays(-3_650_000), Duration.ofDays(3_650_000));

        Interval and(Interval other) {
            return new Interval(Durations.max(least, other.least), Durations.min(most, other.most));
        }

        /** How far DynamoDB's time was ahead of the wall clock, as far as it is certain. */
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
