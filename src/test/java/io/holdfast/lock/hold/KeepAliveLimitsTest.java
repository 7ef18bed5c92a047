package io.holdfast.lock.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.TestLimits;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class KeepAliveLimitsTest {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration TICK = Duration.ofSeconds(10);

    /** @param named what the message must name, so that a person knows what to change */
    record Wrong(HoldConfig hold, RenewalConfig renewal, String... named) {}

    static Stream<Wrong> wrongSettings() {
        return Stream.of(
                new Wrong(
                        hold(Duration.ofMillis(999), TICK, 1),
                        KeepAliveSettings.RENEWAL,
                        "hold.ttl-default",
                        "lock.ttl-min"),
                new Wrong(hold(WEEK, TICK, 1), KeepAliveSettings.RENEWAL, "hold.ttl-default", "lock.ttl-max"),
                new Wrong(hold(MINUTE, Duration.ofMillis(99), 1), KeepAliveSettings.RENEWAL, "hold.tick-max"),
                new Wrong(hold(MINUTE, TICK, 0), KeepAliveSettings.RENEWAL, "hold.connections-max"),
                new Wrong(KeepAliveSettings.HOLD, renewal(9, MINUTE, DAY, WEEK, 1), "renewal.at-percent"),
                new Wrong(KeepAliveSettings.HOLD, renewal(91, MINUTE, DAY, WEEK, 1), "renewal.at-percent"),
                new Wrong(KeepAliveSettings.HOLD, renewal(80, Duration.ZERO, DAY, WEEK, 1), "renewal.heartbeat-max"),
                new Wrong(
                        KeepAliveSettings.HOLD,
                        renewal(80, MINUTE, MINUTE, WEEK, 1),
                        "renewal.max-hold-default",
                        "lock.ttl-default"),
                new Wrong(
                        KeepAliveSettings.HOLD,
                        renewal(80, MINUTE, WEEK, DAY, 1),
                        "renewal.max-hold-max",
                        "renewal.max-hold-default"),
                new Wrong(KeepAliveSettings.HOLD, renewal(80, MINUTE, DAY, WEEK, 0), "renewal.leases-max"));
    }

    @ParameterizedTest
    @MethodSource("wrongSettings")
    void settingsThatDoNotAgreeAreRefusedByName(Wrong wrong) {
        assertThatThrownBy(() -> new KeepAliveLimits(wrong.hold(), wrong.renewal(), TestLimits.DEFAULT))
                .hasMessageContainingAll(wrong.named());
    }

    @ParameterizedTest
    @CsvSource({"PT1S, PT0.1S", "PT0.5S, PT0.1S", "PT5S, PT0.5S", "PT60S, PT6S", "PT10M, PT10S"})
    void aHoldTicksTenTimesInItsLeaseWithinBounds(Duration ttl, Duration tick) {
        assertThat(KeepAliveSettings.LIMITS.tick(ttl)).isEqualTo(tick);
    }

    @Test
    void aHolderMayBeSilentForItsLeaseOrTheLimitWhicheverIsShorter() {
        assertThat(KeepAliveSettings.LIMITS.silenceMax(TICK)).isEqualTo(TICK);
        assertThat(KeepAliveSettings.LIMITS.silenceMax(DAY)).isEqualTo(MINUTE);
    }

    private static HoldConfig hold(Duration ttlDefault, Duration tickMax, int connectionsMax) {
        return new KeepAliveSettings.Hold(ttlDefault, tickMax, connectionsMax);
    }

    private static RenewalConfig renewal(
            int atPercent, Duration heartbeatMax, Duration maxHoldDefault, Duration maxHoldMax, int leasesMax) {
        return new KeepAliveSettings.Renewal(atPercent, heartbeatMax, maxHoldDefault, maxHoldMax, leasesMax);
    }
}
