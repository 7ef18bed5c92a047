package io.holdfast.lock.hold;

import static io.holdfast.kernel.Settings.requireAtLeast;

import io.holdfast.kernel.Durations;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.lock.LeaseTerms;
import io.holdfast.lock.LockLimits;
import java.time.Duration;
import java.util.Optional;

/** The validated settings of holds and auto-renewal, and the checks of requests against them. */
public record KeepAliveLimits(HoldConfig hold, RenewalConfig renewal, LockLimits lock) {
    private static final Duration TICK_MIN = Duration.ofMillis(100);
    private static final int TICKS_PER_LEASE = 10;
    private static final int LINGERS_PER_LEASE = 3;
    private static final int PERCENT_MIN = 10;
    private static final int PERCENT_MAX = 90;

    public KeepAliveLimits {
        var locks = lock.config();
        requireAtLeast("holdfast.hold.ttl-default", hold.ttlDefault(), "holdfast.lock.ttl-min", locks.ttlMin());
        requireAtLeast("holdfast.lock.ttl-max", locks.ttlMax(), "holdfast.hold.ttl-default", hold.ttlDefault());
        requireAtLeast("holdfast.hold.tick-max", hold.tickMax(), "the shortest tick", TICK_MIN);
        requireAtLeast(HoldConfig.CONNECTIONS_MAX, hold.connectionsMax(), 1);
        requireAtLeast("holdfast.renewal.at-percent", renewal.atPercent(), PERCENT_MIN);
        if (renewal.atPercent() > PERCENT_MAX) {
            throw new IllegalStateException(
                    "holdfast.renewal.at-percent (" + renewal.atPercent() + ") must be at most " + PERCENT_MAX);
        }
        requireAtLeast("holdfast.renewal.heartbeat-max", renewal.heartbeatMax(), "one second", Duration.ofSeconds(1));
        // Otherwise a request without ttl and max_hold could not be granted.
        requireAtLeast(
                "holdfast.renewal.max-hold-default",
                renewal.maxHoldDefault(),
                "holdfast.lock.ttl-default",
                locks.ttlDefault());
        requireAtLeast(
                "holdfast.renewal.max-hold-max",
                renewal.maxHoldMax(),
                "holdfast.renewal.max-hold-default",
                renewal.maxHoldDefault());
        requireAtLeast(RenewalConfig.LEASES_MAX, renewal.leasesMax(), 1);
    }

    /** The terms of a hold, with defaults. */
    LeaseTerms holding(LeaseTerms asked) {
        var byDefault = asked.maxHold()
                .filter(most -> most.compareTo(hold.ttlDefault()) < 0)
                .orElse(hold.ttlDefault());
        var ttl = lock.ttl(Optional.of(asked.ttl().orElse(byDefault)));
        return new LeaseTerms(Optional.of(ttl), asked.waitFor(), asked.maxHold().map(most -> maxHold(most, ttl)));
    }

    /** The lease is not renewed while it lingers, so it must last longer than that. */
    Duration linger(Optional<Duration> asked, Duration ttl) {
        var most = ttl.dividedBy(LINGERS_PER_LEASE);
        if (asked.isPresent() && asked.get().compareTo(most) > 0) {
            throw new InvalidInputException("linger", "a duration from 0s to a third of the ttl");
        }
        return asked.orElse(Duration.ZERO);
    }

    /** The terms of a lease with auto-renewal, with defaults. */
    LeaseTerms renewing(LeaseTerms asked) {
        var ttl = lock.ttl(asked.ttl());
        var most = maxHold(asked.maxHold().orElse(renewal.maxHoldDefault()), ttl);
        return new LeaseTerms(Optional.of(ttl), asked.waitFor(), Optional.of(most));
    }

    /** The longest time without a heartbeat after which the lease is still renewed. */
    Duration silenceMax(Duration ttl) {
        return Durations.min(ttl, renewal.heartbeatMax());
    }

    Duration tick(Duration ttl) {
        var part = ttl.dividedBy(TICKS_PER_LEASE);
        var most = Durations.min(part, hold.tickMax());
        return Durations.max(most, TICK_MIN);
    }

    private Duration maxHold(Duration asked, Duration ttl) {
        return LockLimits.within("max_hold", asked, ttl, renewal.maxHoldMax());
    }
}
