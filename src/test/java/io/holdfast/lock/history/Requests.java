package io.holdfast.lock.history;

import io.holdfast.lock.AcquireAllOutcome;
import io.holdfast.lock.AcquireOutcome;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.ForceReleaseOutcome;
import io.holdfast.lock.HeartbeatOutcome;
import io.holdfast.lock.Labels;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LeaseClaim;
import io.holdfast.lock.LockId;
import io.holdfast.lock.LockName;
import io.holdfast.lock.LockRecord;
import io.holdfast.lock.LockService;
import io.holdfast.lock.LockService.At;
import io.holdfast.lock.LockSets;
import io.holdfast.lock.Owner;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.RenewOutcome;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The requests that clients send, each as what a replica does on its arrival. */
final class Requests {
    private Requests() {}

    /** @param waits how long to wait in the queue; none asks once */
    record Terms(Duration ttl, Optional<Duration> waits) {
        LockService.Wish wish() {
            return new LockService.Wish(Optional.of(ttl), waits, Optional.empty());
        }

        LockService.Wish renewedFor(Duration maxHold) {
            return new LockService.Wish(Optional.of(ttl), waits, Optional.of(maxHold));
        }
    }

    static LockService.Acquire wish(LockName name, Owner owner, Optional<LockId> id, LockService.Wish terms) {
        return new LockService.Acquire(name, owner, id, terms, Labels.NONE);
    }

    static Function<Replica, Uni<At<AcquireOutcome>>> acquire(LockService.Acquire wish) {
        return replica -> replica.locks.acquire(wish);
    }

    static Function<Replica, Uni<At<AcquireOutcome>>> acquireRenewed(LockService.Acquire wish) {
        return replica -> replica.renewals.acquire(wish);
    }

    // Clients of these three requests mean the lease with its fencing token.

    static Function<Replica, Uni<At<RenewOutcome>>> renew(Lease lease) {
        return replica -> replica.locks.renew(claim(lease), Optional.empty());
    }

    static Function<Replica, Uni<At<ReleaseOutcome>>> release(Lease lease) {
        return replica -> replica.locks.release(claim(lease));
    }

    static Function<Replica, Uni<At<HeartbeatOutcome>>> heartbeat(Lease lease) {
        return replica -> replica.renewals.heartbeat(claim(lease));
    }

    private static LeaseClaim claim(Lease lease) {
        return LeaseClaim.of(lease.ref()).withToken(Optional.of(lease.token()));
    }

    static Function<Replica, Uni<At<ForceReleaseOutcome>>> force(LockName name, FencingToken seen, Duration delay) {
        return replica -> replica.locks.forceRelease(name, seen, "the holder is gone", Optional.of(delay));
    }

    static Function<Replica, Uni<At<Optional<LockRecord>>>> find(LockName name) {
        return replica -> replica.locks.find(name);
    }

    static Function<Replica, Uni<At<AcquireAllOutcome>>> acquireAll(
            LockSets.Names names, Owner owner, LockId id, Terms terms) {
        var wish = new LockSets.AcquireAll(names, owner, Optional.of(id), terms.wish(), Labels.NONE);
        return replica -> replica.sets.acquire(wish);
    }

    static Function<Replica, Uni<At<List<ReleaseOutcome>>>> releaseAll(LockSets.Names names, LockId id, Owner owner) {
        return replica -> replica.sets.release(names, id, owner);
    }
}
