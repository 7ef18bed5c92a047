package io.holdfast.lock;

import io.holdfast.lock.AcquireOutcome.AlreadyYours;
import io.holdfast.lock.AcquireOutcome.ClosedUntil;
import io.holdfast.lock.AcquireOutcome.Granted;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Who gets a lock, who keeps it, and when its record may go: the rules that every store obeys. Pure: what is stored and
 * what time it is come in, what to answer and what to store instead come out.
 *
 * @param maxClockSkew how far the clocks of two replicas may lie apart; a takeover waits that much longer
 * @param tombstoneRetention how long a record outlives its lease
 * @param takeovers whether expired leases may be taken over; not while this replica's clock is known to be wrong
 */
public record LockRules(Duration maxClockSkew, Duration tombstoneRetention, boolean takeovers) {
    /** Longer than any request is held up on its way to a store. */
    public static final Duration LATE_MAX = Duration.ofMinutes(1);

    /** What to answer, and the record to store in place of the old one; none leaves it as it is. */
    public record Decision<O>(O outcome, Optional<LockRecord> write) {
        public static <O> Decision<O> refuse(O outcome) {
            return new Decision<>(outcome, Optional.empty());
        }

        static <O> Decision<O> store(LockRecord record, O outcome) {
            return new Decision<>(outcome, Optional.of(record));
        }
    }

    public LockRules withoutTakeovers() {
        return new LockRules(maxClockSkew, tombstoneRetention, false);
    }

    public Decision<AcquireOutcome> acquire(Optional<LockRecord> current, AcquireRequest request, Instant now) {
        if (current.isEmpty()) {
            return grant(request, FencingToken.firstAt(now), Optional.empty(), now);
        }
        var record = current.get();
        var lease = record.lease();
        if (record.end().isPresent()) {
            return closedUntil(record.end().get(), now)
                    .map(until -> Decision.<AcquireOutcome>refuse(new ClosedUntil(record, until)))
                    .orElseGet(() -> grant(request, record.token().next(), Optional.empty(), now));
        }
        var own = lease.owner().equals(request.owner());
        if (own ? lease.expiredAt(now) : abandoned(lease, now)) {
            return grant(request, record.token().next(), Optional.of(lease).filter(old -> !own), now);
        }
        return Decision.refuse(own ? new AlreadyYours(lease) : new AcquireOutcome.HeldByAnother(lease));
    }

    public Decision<RenewOutcome> renew(
            Optional<LockRecord> current, LeaseRef ref, Optional<Duration> ttl, Instant now) {
        var held = current.filter(record -> record.end().isEmpty()).map(LockRecord::lease);
        var mine = held.filter(lease -> lease.is(ref) && !lease.expiredAt(now));
        if (mine.isEmpty()) {
            return Decision.refuse(new RenewOutcome.NotHeld(held.filter(lease -> !lease.expiredAt(now))));
        }
        if (mine.get().term().grantedAt().isAfter(now)) {
            // A later renewal came first: this one was held up on its way, and must not take back what that promised.
            return Decision.refuse(new RenewOutcome.Renewed(mine.get()));
        }
        var renewed = mine.get().renewedAt(now, ttl.orElse(mine.get().term().ttl()));
        return Decision.store(LockRecord.held(renewed), new RenewOutcome.Renewed(renewed));
    }

    public Decision<ReleaseOutcome> release(Optional<LockRecord> current, LeaseRef ref, Instant now) {
        var open = current.filter(record -> record.end().isEmpty());
        if (open.isEmpty()) {
            return Decision.refuse(new ReleaseOutcome.AlreadyGone());
        }
        var lease = open.get().lease();
        if (lease.is(ref)) {
            return Decision.store(open.get().endedAt(now), new ReleaseOutcome.Released(lease));
        }
        return Decision.refuse(
                lease.expiredAt(now) ? new ReleaseOutcome.AlreadyGone() : new ReleaseOutcome.HeldByAnother(lease));
    }

    public Decision<ForceReleaseOutcome> forceRelease(Optional<LockRecord> current, ForceRelease force, Instant now) {
        if (current.isEmpty()) {
            return Decision.refuse(new ForceReleaseOutcome.NoSuchLock());
        }
        var record = current.get();
        if (!record.token().equals(force.seen())) {
            return Decision.refuse(new ForceReleaseOutcome.TokenChanged(record));
        }
        if (record.end().isPresent()) {
            return Decision.refuse(new ForceReleaseOutcome.AlreadyFree(record));
        }
        var forced = record.forcedAt(now, force);
        return Decision.store(forced, new ForceReleaseOutcome.Freed(record.lease(), forced.token()));
    }

    /** Whether the record has been of no use to anybody for the whole retention. */
    public boolean expendable(LockRecord record, Instant now) {
        return purgeableAt(record).isBefore(now);
    }

    public Instant purgeableAt(LockRecord record) {
        return record.idleSince().plus(tombstoneRetention);
    }

    /**
     * Until when an ended lease's lock may not be taken, if so. A request from before the end is one that was held up on
     * its way and given up by whoever sent it. Within the skew it may as well come from a clock that is behind; and if
     * the end lies further ahead than any request is held up, it is the clock that was set back.
     */
    private Optional<Instant> closedUntil(LockRecord.End end, Instant now) {
        if (end.closedUntil().isPresent()) {
            return end.closedUntil().filter(now::isBefore);
        }
        var openAt = end.at().minus(maxClockSkew);
        var late = now.isBefore(openAt) && !now.plus(LATE_MAX).isBefore(end.at());
        return late ? Optional.of(openAt) : Optional.empty();
    }

    /** Expired by every clock that is within the allowed skew of this one. */
    private boolean abandoned(Lease lease, Instant now) {
        return takeovers && lease.expiresAt().plus(maxClockSkew).isBefore(now);
    }

    private static Decision<AcquireOutcome> grant(
            AcquireRequest request, FencingToken token, Optional<Lease> takenOver, Instant now) {
        var lease = request.leaseAt(now, token);
        return Decision.store(LockRecord.held(lease), new Granted(lease, takenOver));
    }
}
