package io.holdfast.lock.hold;

import io.holdfast.lock.TestLimits;
import java.time.Duration;

/** How leases are kept, with the defaults but for the limits of how many. */
public final class KeepAliveSettings {
    static final int CONNECTIONS_MAX = 3;
    static final int LEASES_MAX = 3;

    static final Hold HOLD = new Hold(Duration.ofSeconds(60), Duration.ofSeconds(10), CONNECTIONS_MAX);
    static final Renewal RENEWAL =
            new Renewal(80, Duration.ofSeconds(60), Duration.ofHours(24), Duration.ofHours(168), LEASES_MAX);
    public static final KeepAliveLimits LIMITS = new KeepAliveLimits(HOLD, RENEWAL, TestLimits.DEFAULT);

    /** For tests that are not about how many. */
    public static final KeepAliveLimits MANY = new KeepAliveLimits(
            new Hold(HOLD.ttlDefault(), HOLD.tickMax(), 1_000),
            new Renewal(80, Duration.ofSeconds(60), Duration.ofHours(24), Duration.ofHours(168), 1_000),
            TestLimits.DEFAULT);

    private KeepAliveSettings() {}

    record Hold(Duration ttlDefault, Duration tickMax, int connectionsMax) implements HoldConfig {}

    record Renewal(int atPercent, Duration heartbeatMax, Duration maxHoldDefault, Duration maxHoldMax, int leasesMax)
            implements RenewalConfig {}
}
