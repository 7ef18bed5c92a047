package io.holdfast.lock.hold;

import static io.holdfast.kernel.Settings.requireAtLeast;

import io.holdfast.kernel.Durations;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.lock.LeaseTerms;
import io.holdfast.lock.LockLimits;
import java.time.Duration;
import java.util.Optional;

/** The settings of what is kept alive, known to be consistent, and what follows from them. */
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
        // Or an acquire that says neither could not be granted.
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

    /** A hold's own terms in full. */
    LeaseTerms holding(LeaseTerms asked) {
        var byDefault = asked.maxHold()
                .filter(most -> most.compareTo(hold.ttlDefault()) < 0)
                .orElse(hold.ttlDefault());
        var ttl = lock.ttl(Optional.of(asked.ttl().orElse(byDefault)));
        return new LeaseTerms(Optional.of(ttl), asked.waitFor(), asked.maxHold().map(most -> maxHold(most, ttl)));
    }

    /** A lease that nobody renews any more must outlast it. */
    Duration linger(Optional<Duration> asked, Duration ttl) {
        var most = ttl.dividedBy(LINGERS_PER_LEASE);
        if (asked.isPresent() && asked.get().compareTo(most) > 0) {
            throw new InvalidInputException("linger", "a duration from 0s to a third of the ttl");
        }
        return asked.orElse(Duration.ZERO);
    }

    /** The terms in full of a lease that the service is to renew. */
    LeaseTerms renewing(LeaseTerms asked) {
        var ttl = lock.ttl(asked.ttl());
        var most = maxHold(asked.maxHold().orElse(renewal.maxHoldDefault()), ttl);
        return new LeaseTerms(Optional.of(ttl), asked.waitFor(), Optional.of(most));
    }

    /** How long a holder may be silent, and its lease is still renewed. */
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
