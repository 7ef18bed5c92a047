package io.holdfast.lock.history;

import io.holdfast.kernel.Subject;
import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.AcquireCommand;
import io.holdfast.lock.LeaseTerms;
import io.holdfast.lock.hold.HeartbeatOutcome;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.ForceReleaseOutcome;
import io.holdfast.lock.port.ReleaseOutcome;
import io.holdfast.lock.port.RenewOutcome;
import io.holdfast.lock.set.AcquireAllOutcome;
import io.holdfast.lock.set.LockSetService;
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
        LeaseTerms wish() {
            return new LeaseTerms(Optional.of(ttl), waits, Optional.empty());
        }

        LeaseTerms renewedFor(Duration maxHold) {
            return new LeaseTerms(Optional.of(ttl), waits, Optional.of(maxHold));
        }
    }

    static AcquireCommand wish(LockName name, Owner owner, Optional<LockId> id, LeaseTerms terms) {
        return new AcquireCommand(name, owner, id, terms, Labels.NONE);
    }

    static Function<Replica, Uni<Timestamped<AcquireOutcome>>> acquire(AcquireCommand command) {
        return replica -> replica.locks.acquire(command);
    }

    static Function<Replica, Uni<Timestamped<AcquireOutcome>>> acquireRenewed(AcquireCommand command) {
        return replica -> replica.renewals.acquire(command);
    }

    // Clients of these three requests mean the lease with its fencing token.

    static Function<Replica, Uni<Timestamped<RenewOutcome>>> renew(Lease lease) {
        return replica -> replica.locks.renew(claim(lease), Optional.empty());
    }

    static Function<Replica, Uni<Timestamped<ReleaseOutcome>>> release(Lease lease) {
        return replica -> replica.locks.release(claim(lease));
    }

    static Function<Replica, Uni<Timestamped<HeartbeatOutcome>>> heartbeat(Lease lease) {
        return replica -> replica.renewals.heartbeat(claim(lease));
    }

    private static LeaseClaim claim(Lease lease) {
        return LeaseClaim.of(lease.ref()).withToken(Optional.of(lease.token()));
    }

    static Function<Replica, Uni<Timestamped<ForceReleaseOutcome>>> force(
            LockName name, FencingToken seen, Optional<Subject> onlyOf) {
        return replica ->
                replica.locks.forceRelease(name, seen, "the holder is gone", Optional.of(Duration.ZERO), onlyOf);
    }

    static Function<Replica, Uni<Timestamped<Optional<LockRecord>>>> find(LockName name) {
        return replica -> replica.locks.find(name);
    }

    static Function<Replica, Uni<Timestamped<AcquireAllOutcome>>> acquireAll(
            LockSetService.Names names, Owner owner, LockId id, Terms terms) {
        var command = new LockSetService.AcquireAll(names, owner, Optional.of(id), terms.wish(), Labels.NONE);
        return replica -> replica.sets.acquire(command);
    }

    static Function<Replica, Uni<Timestamped<List<ReleaseOutcome>>>> releaseAll(
            LockSetService.Names names, LockId id, Owner owner) {
        return replica -> replica.sets.release(names, id, owner);
    }
}
