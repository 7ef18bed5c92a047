package io.holdfast.lock;

import java.time.Instant;
import java.util.Optional;

/**
 * What a store keeps of one lock: its latest lease and, once that was given back, how. The record outlives the lease so
 * that the token goes on rising.
 *
 * @param lease the latest lease
 * @param token the highest token given out; above the lease's own after a force release
 * @param end how the lease ended, if it was given back or taken away
 */
public record LockRecord(Lease lease, FencingToken token, Optional<End> end) {

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

    LockRecord endedAt(Instant now) {
        return new LockRecord(lease, token, Optional.of(new End(now, Optional.empty(), Optional.empty())));
    }

    LockRecord forcedAt(Instant now, ForceRelease force) {
        var closedUntil = Optional.of(now.plus(force.lockDelay())).filter(now::isBefore);
        var forced = new End(now, closedUntil, Optional.of(force.reason()));
        return new LockRecord(lease, token.next(), Optional.of(forced));
    }

    /** When the record stopped meaning anything to anybody but its successor's token. */
    Instant idleSince() {
        return end.map(e -> e.closedUntil().orElse(e.at())).orElse(lease.expiresAt());
    }
}
