package io.holdfast.lock;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;

/**
 * Locks for everybody in the house and outside of it: checks the limits, reads the clock once, asks the store.
 * Safe for concurrent use; no method blocks.
 */
@Singleton
public class LockService {
    private final LockStore store;
    private final LockLimits limits;
    private final InstantSource clock;
    private final WaitingRoom room;
    private final LeaseWatch watch;
    private final Keepers keepers;

    public LockService(
            LockStore store, LockLimits limits, InstantSource clock, WaitingRoom room, Bystanders bystanders) {
        this.store = store;
        this.limits = limits;
        this.clock = clock;
        this.room = room;
        this.watch = bystanders.watch();
        this.keepers = bystanders.keepers();
    }

    /** Who hears of what happens here: one watches leases that are in the way, one keeps those that are to go on. */
    public record Bystanders(LeaseWatch watch, Keepers keepers) {}

    /** An answer and the time it was given for, so that whoever shows it can say what is left. */
    public record At<T>(T answer, Instant now) {}

    /**
     * @param id the caller's idempotency key, or none
     * @param terms for how long, and how
     */
    public record Acquire(LockName name, Owner owner, Optional<LockId> id, Wish terms, Labels labels) {}

    /**
     * What is not said is left to the settings.
     *
     * @param waitFor how long to stand in line if another holds it; none asks once
     * @param maxHold how long the service may renew the lease by itself; none leaves that to the holder
     */
    public record Wish(Optional<Duration> ttl, Optional<Duration> waitFor, Optional<Duration> maxHold) {
        public static Wish once(Duration ttl) {
            return new Wish(Optional.of(ttl), Optional.empty(), Optional.empty());
        }
    }

    public Uni<At<AcquireOutcome>> acquire(Acquire wish) {
        var terms = new AcquireRequest.Terms(
                limits.ttl(wish.terms().ttl()), wish.terms().maxHold());
        var ref = new LeaseRef(wish.name(), wish.id().orElseGet(LockId::random), wish.owner());
        var request = new AcquireRequest(ref, terms, wish.labels(), Optional.empty(), AcquireRequest.Sight.NONE);
        return limits.patience(wish.terms().waitFor())
                .map(wait -> room.acquire(request, wait))
                .orElseGet(() -> askOnce(request));
    }

    private Uni<At<AcquireOutcome>> askOnce(AcquireRequest request) {
        return at(now -> {
                    var sight = new AcquireRequest.Sight(Optional.empty(), watch.outlasted(request.name()));
                    return store.acquire(request.with(sight), now);
                })
                .invoke(at -> {
                    switch (at.answer()) {
                        case AcquireOutcome.HeldByAnother held -> watch.saw(held.holder());
                        case AcquireOutcome.Granted granted -> watch.forget(request.name());
                        default -> {}
                    }
                });
    }

    public Uni<At<RenewOutcome>> renew(LeaseRef lease, Optional<Duration> ttl) {
        var checked = ttl.map(asked -> limits.ttl(Optional.of(asked)));
        return at(now -> store.renew(lease, checked, now));
    }

    public Uni<At<ReleaseOutcome>> release(LeaseRef lease) {
        return released(lease, at(now -> store.release(lease, now)));
    }

    /** Releases a lease unless somebody has renewed or confirmed it since it was seen. */
    Uni<At<ReleaseOutcome>> giveBack(Lease seen) {
        return released(seen.ref(), at(now -> store.giveBack(seen, now)));
    }

    private Uni<At<ReleaseOutcome>> released(LeaseRef lease, Uni<At<ReleaseOutcome>> release) {
        return toTheEnd(release.invoke(at -> {
            if (at.answer() instanceof ReleaseOutcome.Released released) {
                keepers.released(lease);
                var ended =
                        LockRecord.held(released.lease()).with(released.line()).endedAt(at.now());
                room.released(lease.name(), Optional.of(ended));
            }
        }));
    }

    public Uni<At<ForceReleaseOutcome>> forceRelease(
            LockName name, FencingToken seen, String reason, Optional<Duration> lockDelay) {
        var force = new ForceRelease(name, seen, reason, limits.lockDelay(lockDelay));
        return toTheEnd(at(now -> store.forceRelease(force, now)).invoke(at -> {
            if (at.answer() instanceof ForceReleaseOutcome.Freed freed) {
                keepers.forced(freed.previous(), reason);
            }
            room.released(name, Optional.empty());
        }));
    }

    /** A caller that goes away meanwhile must not keep the others from hearing of what it did. */
    private static <T> Uni<T> toTheEnd(Uni<T> step) {
        return Uni.createFrom().emitter(caller -> step.subscribe().with(caller::complete, caller::fail));
    }

    public Uni<At<Optional<LockRecord>>> find(LockName name) {
        return at(now -> store.find(name));
    }

    public Uni<At<Page<LockRecord>>> list(LockQuery.Filter filter, Optional<Integer> limit, Optional<Cursor> after) {
        var query = new LockQuery(filter, limits.listBounds(limit), after);
        return at(now -> store.list(query, now));
    }

    private <T> Uni<At<T>> at(Function<Instant, Uni<T>> step) {
        return Uni.createFrom().deferred(() -> {
            var now = clock.instant();
            return step.apply(now).map(answer -> new At<>(answer, now));
        });
    }
}
