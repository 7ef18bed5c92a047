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

    public LockService(LockStore store, LockLimits limits, InstantSource clock) {
        this.store = store;
        this.limits = limits;
        this.clock = clock;
    }

    /** An answer and the time it was given for, so that whoever shows it can say what is left. */
    public record At<T>(T answer, Instant now) {}

    /** @param id the caller's idempotency key, or none */
    public record Acquire(LockName name, Owner owner, Optional<Duration> ttl, Optional<LockId> id, Labels labels) {}

    public Uni<At<AcquireOutcome>> acquire(Acquire wish) {
        var request = new AcquireRequest(
                wish.name(), wish.id().orElseGet(LockId::random), wish.owner(), limits.ttl(wish.ttl()), wish.labels());
        return at(now -> store.acquire(request, now));
    }

    public Uni<At<RenewOutcome>> renew(LeaseRef lease, Optional<Duration> ttl) {
        var checked = ttl.map(asked -> limits.ttl(Optional.of(asked)));
        return at(now -> store.renew(lease, checked, now));
    }

    public Uni<At<ReleaseOutcome>> release(LeaseRef lease) {
        return at(now -> store.release(lease, now));
    }

    public Uni<At<ForceReleaseOutcome>> forceRelease(
            LockName name, FencingToken seen, String reason, Optional<Duration> lockDelay) {
        var force = new ForceRelease(name, seen, reason, limits.lockDelay(lockDelay));
        return at(now -> store.forceRelease(force, now));
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
