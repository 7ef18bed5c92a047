package io.holdfast.store.dynamodb;

import io.holdfast.store.StoreTelemetry;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * Compares this machine's clock with the {@code Date} that DynamoDB puts on every answer.
 *
 * <p>The header has whole seconds and the answer took time, so one comparison proves no more than an interval. The
 * offset reported is the part of it that is certain: zero whenever the clocks may agree. So a slow answer never accuses
 * a good clock.
 */
final class ClockGuard {
    private static final Duration DATE_RESOLUTION = Duration.ofSeconds(1);

    private final InstantSource clock;
    private final Duration maxClockSkew;
    private final StoreTelemetry telemetry;
    private volatile Duration offset = Duration.ZERO;

    ClockGuard(InstantSource clock, Duration maxClockSkew, StoreTelemetry telemetry) {
        this.clock = clock;
        this.maxClockSkew = maxClockSkew;
        this.telemetry = telemetry;
    }

    Instant beforeCall() {
        return clock.instant();
    }

    void answered(Instant sent, SdkHttpResponse response) {
        if (response == null) {
            return;
        }
        var date = response.firstMatchingHeader("Date").flatMap(ClockGuard::parse);
        date.ifPresent(stamped -> {
            offset = provenOffset(sent, clock.instant(), stamped);
            telemetry.clockOffset(offset);
        });
    }

    /** How far DynamoDB is ahead of us, at the least; negative when it is behind. */
    Duration offset() {
        return offset;
    }

    boolean clockIsOff() {
        return offset.abs().compareTo(maxClockSkew) > 0;
    }

    Optional<String> problem() {
        return clockIsOff()
                ? Optional.of("The clock of this machine is at least "
                        + offset.abs().toMillis() + " ms "
                        + (offset.isNegative() ? "ahead of" : "behind") + " DynamoDB's, more than"
                        + " holdfast.lock.max-clock-skew (" + maxClockSkew.toMillis() + " ms); it takes over no expired"
                        + " locks until the clock is right.")
                : Optional.empty();
    }

    private static Duration provenOffset(Instant sent, Instant received, Instant stamped) {
        var least = Duration.between(received, stamped);
        var most = Duration.between(sent, stamped.plus(DATE_RESOLUTION));
        if (least.isPositive()) {
            return least;
        }
        return most.isNegative() ? most : Duration.ZERO;
    }

    private static Optional<Instant> parse(String date) {
        try {
            return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
