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
 * @param line those who wait for it
 * @param unclaimed whom the lease was granted to, if that was somebody who waited, and nobody is known to have heard of
 *     it. Only such a lease is given back, and only for the one it was granted to
 */
public record LockRecord(Lease lease, FencingToken token, Optional<End> end, Line line, Optional<Asker> unclaimed) {
    public LockRecord(Lease lease, FencingToken token, Optional<End> end) {
        this(lease, token, end, Line.EMPTY, Optional.empty());
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

    /** How many stand in line for it. */
    public int waitingAt(Instant now) {
        return line.aliveAt(now).size();
    }

    public LockRecord with(Line newLine) {
        return new LockRecord(lease, token, end, newLine, unclaimed);
    }

    boolean isUnclaimedBy(Asker asker) {
        return unclaimed.filter(asker::equals).isPresent();
    }

    LockRecord renewed(Lease prolonged) {
        return new LockRecord(prolonged, token, end, line, Optional.empty());
    }

    LockRecord endedAt(Instant now) {
        var given = new End(now, Optional.empty(), Optional.empty());
        return new LockRecord(lease, token, Optional.of(given), line, Optional.empty());
    }

    LockRecord forcedAt(Instant now, ForceRelease force) {
        var closedUntil = Optional.of(now.plus(force.lockDelay())).filter(now::isBefore);
        var forced = new End(now, closedUntil, Optional.of(force.reason()));
        return new LockRecord(lease, token.next(), Optional.of(forced), line, Optional.empty());
    }

    /** When the record stopped meaning anything to anybody but its successor's token. */
    Instant idleSince() {
        return end.map(e -> e.closedUntil().orElse(e.at())).orElse(lease.expiresAt());
    }
}
