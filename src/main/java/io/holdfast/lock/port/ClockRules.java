package io.holdfast.lock.port;

import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The part of {@link LockRules} that compares stored times with the local clock, which may differ from other clocks.
 *
 * @param maxClockSkew the largest difference between the clocks of two replicas
 * @param takeovers whether this replica may treat leases as expired; false while its clock is suspect
 */
record ClockRules(Duration maxClockSkew, boolean takeovers) {
    boolean isExpired(Lease lease, Instant now) {
        return takeovers && lease.expiredAt(now);
    }

    /** Whether the lease has expired by every clock within the skew. */
    boolean isExpiredBeyondSkew(Lease lease, Instant now) {
        return takeovers && lease.expiresAt().plus(maxClockSkew).isBefore(now);
    }

    /** Whether a replica whose clock was ahead of this one by more than the skew has granted the lease. */
    boolean isGrantedInFuture(Lease lease, Instant now) {
        return lease.term().grantedAt().isAfter(now.plus(maxClockSkew));
    }

    /**
     * Whether the lease was renewed after this request was sent. The request was delayed: see
     * {@link LockRules#LATE_MAX}.
     */
    boolean isOvertaken(Lease lease, Instant now) {
        return isGrantedInFuture(lease, now)
                && !now.plus(LockRules.LATE_MAX).isBefore(lease.term().grantedAt());
    }

    /**
     * Until when the lock of an ended lease cannot be acquired. A request from before the end was delayed, and its
     * caller no longer waits for it, so it must not be granted. There are two exceptions. Within the skew, the request
     * may come from a clock that is behind. If the end is later than the longest delay allows, the clock was set back.
     */
    Optional<Instant> closedUntil(LockRecord.End end, Instant now) {
        if (end.closedUntil().isPresent()) {
            return end.closedUntil().filter(now::isBefore);
        }
        var openAt = end.at().minus(maxClockSkew);
        var delayed = now.isBefore(openAt) && !now.plus(LockRules.LATE_MAX).isBefore(end.at());
        return delayed ? Optional.of(openAt) : Optional.empty();
    }
}
