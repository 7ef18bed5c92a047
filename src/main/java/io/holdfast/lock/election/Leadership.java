package io.holdfast.lock.election;

import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockType;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.LockStore;
import io.holdfast.lock.port.RenewOutcome;
import io.holdfast.lock.queue.Cleanup;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Lets one replica run a periodic task, run after run, as long as it lives. It holds the Holdfast lock
 * {@code system/<task>} between two runs too, because the task remembers what earlier runs saw. Used by one run at a
 * time.
 */
public final class Leadership {
    private final LockName lock;
    private final Owner self;
    private final Duration ttl;
    private final LockStore store;
    private final InstantSource clock;
    private final Cleanup cleanup;
    private volatile Optional<Lease> held = Optional.empty();
    private volatile boolean stopped;

    /** @param ttl longer than the time between two runs; after a crash, another replica leads after this time */
    public Leadership(String task, Duration ttl, LockStore store, InstantSource clock, Cleanup cleanup) {
        this.lock = Election.lockOf(task);
        this.self = new Owner(task + "-" + LockId.random());
        this.ttl = ttl;
        this.store = store;
        this.clock = clock;
        this.cleanup = cleanup;
    }

    /** Whether this replica leads: it still does, or has just become the leader. */
    public Uni<Boolean> lead() {
        return Uni.createFrom()
                .deferred(() -> stopped
                        ? Uni.createFrom().item(false)
                        : held.map(this::renew)
                                .orElseGet(() -> Uni.createFrom().item(false))
                                .chain(still -> still ? Uni.createFrom().item(true) : acquire()));
    }

    /** Whether the next step of a run may begin. Renews the lease after half of its TTL. */
    public Uni<Boolean> mayContinue() {
        return Uni.createFrom().deferred(() -> {
            var lease = held;
            if (stopped || lease.isEmpty()) {
                return Uni.createFrom().item(false);
            }
            return lease.get().remainingAt(clock.instant()).compareTo(ttl.dividedBy(2)) > 0
                    ? Uni.createFrom().item(true)
                    : renew(lease.get());
        });
    }

    /** Lets the current step finish. Another replica can lead from now on. */
    public void resign() {
        stopped = true;
        var lease = held;
        held = Optional.empty();
        lease.ifPresent(
                mine -> cleanup.run(lock, clock.instant().plus(ttl), () -> store.release(mine.ref(), clock.instant())));
    }

    private Uni<Boolean> acquire() {
        var request = AcquireRequest.once(new LeaseRef(lock, LockId.random(), self), ttl, Labels.of(LockType.SYSTEM));
        return store.acquire(request, clock.instant()).map(outcome -> switch (outcome) {
            case AcquireOutcome.Granted granted -> keep(granted.lease());
            case AcquireOutcome.AlreadyHeld mine -> keep(mine.lease());
            default -> false;
        });
    }

    private boolean keep(Lease lease) {
        held = Optional.of(lease);
        if (stopped) {
            resign();
        }
        return !stopped;
    }

    private Uni<Boolean> renew(Lease lease) {
        return store.renew(lease.ref(), Optional.empty(), clock.instant()).map(outcome -> switch (outcome) {
            case RenewOutcome.Renewed renewed -> keep(renewed.lease());
            case RenewOutcome.Superseded superseded -> lost();
            case RenewOutcome.NotHeld notHeld -> lost();
        });
    }

    private boolean lost() {
        held = Optional.empty();
        return false;
    }
}
