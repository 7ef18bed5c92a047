package io.holdfast.lock.model;

import java.time.Instant;
import java.util.Optional;

/**
 * The stored state of one lock: its latest lease and how that ended. The record outlives the lease, so that the token
 * keeps rising.
 *
 * @param token the highest token granted; higher than the lease's own after a force release
 * @param end how the lease ended, if it was released or released by force
 */
public record LockRecord(Lease lease, FencingToken token, Optional<End> end, WaitQueue queue, Attempts attempts) {
    public LockRecord(Lease lease, FencingToken token, Optional<End> end) {
        this(lease, token, end, WaitQueue.EMPTY, Attempts.NONE);
    }

    /**
     * The attempts of the owner that were answered with the lease. An answer moves the lease to its attempt, unless
     * that attempt is older than the current one: then the lease is shared. The clean-up of an older attempt does not
     * end it.
     *
     * @param grantedTo the attempt that created the lease; {@link AttemptId#SEVERAL} if the lease is shared
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
         * Whether an older attempt was answered with the lease too. Its caller may rely on it, so no attempt that ends
         * releases it: only a release by lock_id ends it, or its expiry.
         */
        boolean isShared() {
            return grantedTo.equals(AttemptId.SEVERAL);
        }

        Attempts movedTo(AttemptId attempt) {
            return new Attempts(grantedTo, attempt);
        }

        /** Whether the lease was created for this attempt, and no other attempt was answered with it. */
        public boolean onlyOf(AttemptId attempt) {
            return grantedTo.equals(attempt) && current.equals(attempt);
        }
    }

    /**
     * @param closedUntil the end of the lock delay, if there is one
     * @param forcedBecause the reason of a force release
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

    /** Whether a connection renews the lease. If its replica has crashed, the lease expires. */
    public boolean isHeldByConnectionAt(Instant now) {
        return statusAt(now) == LockStatus.ACTIVE && attempts.current().isOfConnection();
    }

    public int waitingAt(Instant now) {
        return queue.aliveAt(now).size();
    }

    public LockRecord with(WaitQueue newQueue) {
        return new LockRecord(lease, token, end, newQueue, attempts);
    }

    public LockRecord renewed(Lease renewed) {
        return new LockRecord(renewed, token, end, queue, attempts);
    }

    /** An older attempt was answered with the lease too. */
    public LockRecord shared() {
        return new LockRecord(lease, token, end, queue, attempts.shared());
    }

    public LockRecord movedTo(AttemptId attempt) {
        return new LockRecord(lease, token, end, queue, attempts.movedTo(attempt));
    }

    public LockRecord endedAt(Instant now) {
        var released = new End(now, Optional.empty(), Optional.empty());
        return new LockRecord(lease, token, Optional.of(released), queue, attempts);
    }

    public LockRecord forcedAt(Instant now, ForceRelease force) {
        var closedUntil = Optional.of(now.plus(force.lockDelay())).filter(now::isBefore);
        var forced = new End(now, closedUntil, Optional.of(force.reason()));
        return new LockRecord(lease, token.next(), Optional.of(forced), queue, attempts);
    }

    /** From when on the record is only kept for its token. */
    public Instant idleSince() {
        return end.map(e -> e.closedUntil().orElse(e.at())).orElse(lease.expiresAt());
    }
}
