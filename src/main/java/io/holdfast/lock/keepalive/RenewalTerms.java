package io.holdfast.lock.keepalive;

import io.holdfast.kernel.Durations;
import io.holdfast.lock.model.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When and for how long a {@link LeaseRenewer} renews a lease.
 *
 * @param ttl the TTL of each renewal
 * @param renewAfter the part of the TTL, from 0 to 1, after which the lease is renewed
 * @param until when renewing ends, if it is limited; no renewal extends the lease beyond it
 * @param since the start of that limit
 */
public record RenewalTerms(Duration ttl, double renewAfter, Optional<Instant> until, Instant since) {
    private static final Duration RETRY_MAX = Duration.ofSeconds(5);

    static final Duration RETRY_MIN = Duration.ofMillis(200);

    /** The longest pause between two renewals. */
    Duration pauseMax() {
        return Duration.ofMillis(Math.max(1, (long) (ttl.toMillis() * renewAfter)));
    }

    boolean isOver(Instant now) {
        return until.filter(end -> !now.isBefore(end)).isPresent();
    }

    /** The TTL of a renewal at this time. */
    Duration ttlAt(Instant now) {
        return untilEnd(now, ttl);
    }

    /**
     * How long the lease can be relied on, counted from now. A clock that was ahead at the grant does not extend it.
     */
    Duration timeLeft(Lease lease, Instant now) {
        return untilEnd(now, lease.remainingAt(now));
    }

    private Duration untilEnd(Instant now, Duration most) {
        var left = until.map(end -> Duration.between(now, end));
        return left.filter(rest -> rest.compareTo(most) < 0).orElse(most);
    }

    /** When to renew the lease. A lease that lasts until the end of these terms needs no further renewal. */
    Instant dueAt(Lease lease) {
        var lastsUntilEnd =
                until.filter(end -> !lease.expiresAt().isBefore(end)).isPresent();
        return lastsUntilEnd ? lease.expiresAt() : lease.term().grantedAt().plus(pauseMax());
    }

    Duration nextRetry(Duration pause) {
        var longest = Durations.min(RETRY_MAX, Durations.max(ttl.dividedBy(10), RETRY_MIN));
        return Durations.min(pause.multipliedBy(2), longest);
    }
}
