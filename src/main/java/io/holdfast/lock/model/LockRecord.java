package io.holdfast.lock.model;

import java.time.Instant;
import java.util.Optional;

/**
 * What a store keeps of one lock: its latest lease and, once that was given back, how. The record outlives the lease so
 * that the token goes on rising.
 *
 * @param lease the latest lease
 * @param token the highest token given out; above the lease's own after a force release
 * @param end how the lease ended, if it was given back or taken away
 * @param queue those who wait for it
 * @param attempts which attempts of the owner the lease was granted to and belongs to
 */
public record LockRecord(Lease lease, FencingToken token, Optional<End> end, WaitQueue queue, Attempts attempts) {
    public LockRecord(Lease lease, FencingToken token, Optional<End> end) {
        this(lease, token, end, WaitQueue.EMPTY, Attempts.NONE);
    }

    /**
     * Every answer that tells an owner of its lease moves the lease to the attempt that is answered, unless that attempt
     * is older than the current one: then the lease is shared. What an older attempt leaves behind ends nothing.
     *
     * @param grantedTo the attempt that made the lease; {@link AttemptId#SEVERAL} once the lease is shared
     * @param current the attempt that the lease is renewed for
     */
    public record Attempts(AttemptId grantedTo, AttemptId current) {
        public static final Attempts NONE = new Attempts(AttemptId.NONE, AttemptId.NONE);

        public static Attempts grantedTo(AttemptId attempt) {
            return new Attempts(attempt, attempt);
        }

        Attempts shared() {
            return new Attempts(AttemptId.SEVERAL, current);
        }

        /**
         * Whether an older attempt was told of the lease, too. Its caller may rely on it, so no attempt that ends gives it
         * back: a release by lock_id ends it, or its expiry.
         */
        boolean isShared() {
            return grantedTo.equals(AttemptId.SEVERAL);
        }

        Attempts movedTo(AttemptId attempt) {
            return new Attempts(grantedTo, attempt);
        }

        /** Whether the lease was made for this attempt, and no other one knows of it. */
        public boolean onlyOf(AttemptId attempt) {
            return grantedTo.equals(attempt) && current.equals(attempt);
        }
    }

    /**
     * @param at when it was released
     * @param closedUntil from when the lock may be taken again, if that is later than at once
     * @param forcedBecause the reason, if an administrator took it away
     */
    public record End(Instant at, Optional<Instant> closedUntil, Optional<String> forcedBecause) {
        boolean closedAt(Instant now) {
            return closedUntil.filter(now::isBefore).isPresent();
        }
    }

    public static LockRecord held(Lease lease) {
        return new LockRecord(lease, lease.token(), Optional.empty());
    }

    public LockName name() {
        return lease.name();
    }

    public LockStatus statusAt(Instant now) {
        return end.map(e -> e.closedAt(now) ? LockStatus.RELEASING : LockStatus.RELEASED)
                .orElseGet(() -> lease.expiredAt(now) ? LockStatus.EXPIRED : LockStatus.ACTIVE);
    }

    /** Whether a connection renews the lease. If its replica has died, the lease expires all the same. */
    public boolean isHeldByConnectionAt(Instant now) {
        return statusAt(now) == LockStatus.ACTIVE && attempts.current().isOfConnection();
    }

    /** How many stand in line for it. */
    public int waitingAt(Instant now) {
        return queue.aliveAt(now).size();
    }

    public LockRecord with(WaitQueue newQueue) {
        return new LockRecord(lease, token, end, newQueue, attempts);
    }

    public LockRecord renewed(Lease prolonged) {
        return new LockRecord(prolonged, token, end, queue, attempts);
    }

    /** An older attempt was told of the lease as well. */
    public LockRecord shared() {
        return new LockRecord(lease, token, end, queue, attempts.shared());
    }

    public LockRecord movedTo(AttemptId attempt) {
        return new LockRecord(lease, token, end, queue, attempts.movedTo(attempt));
    }

    public LockRecord endedAt(Instant now) {
        var given = new End(now, Optional.empty(), Optional.empty());
        return new LockRecord(lease, token, Optional.of(given), queue, attempts);
    }

    public LockRecord forcedAt(Instant now, ForceRelease force) {
        var closedUntil = Optional.of(now.plus(force.lockDelay())).filter(now::isBefore);
        var forced = new End(now, closedUntil, Optional.of(force.reason()));
        return new LockRecord(lease, token.next(), Optional.of(forced), queue, attempts);
    }

    /** When the record stopped meaning anything to anybody but its successor's token. */
    public Instant idleSince() {
        return end.map(e -> e.closedUntil().orElse(e.at())).orElse(lease.expiresAt());
    }
}
