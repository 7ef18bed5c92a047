package io.holdfast.lock;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps leases alive at this replica, and lets their keepers know at once when a lease ends here. What happens at another
 * replica is found out at the next renewal.
 */
@Singleton
public class Keepers {
    private final LockStore store;
    private final InstantSource clock;
    private final Timers timers;
    private final Map<LockName, Set<Keeper>> byName = new ConcurrentHashMap<>();

    public Keepers(LockStore store, InstantSource clock, Timers timers) {
        this.store = store;
        this.clock = clock;
        this.timers = timers;
    }

    /** Keeps the lease until it is lost or the keeper is stopped, whichever attempt of its owner it belongs to. */
    public Keeper keep(Lease lease, Keeper.Terms terms, Keeper.Listener listener) {
        return keep(lease, Optional.empty(), terms, listener);
    }

    /** @param attempt the only one that it is kept for: once it belongs to a later one, it is lost to this keeper */
    Keeper keep(Lease lease, Optional<AttemptId> attempt, Keeper.Terms terms, Keeper.Listener listener) {
        var claim = new LeaseClaim(lease.ref(), Optional.of(lease.token()), attempt);
        var keeper = new Keeper(this, lease, claim, terms, listener);
        byName.compute(lease.name(), (name, known) -> {
            var keepers = known == null ? Collections.synchronizedSet(new LinkedHashSet<Keeper>()) : known;
            keepers.add(keeper);
            return keepers;
        });
        keeper.begin();
        return keeper;
    }

    /** This lease was given back here. A later one under the same lock_id has another token, and goes on. */
    void released(Lease lease) {
        of(lease).forEach(keeper -> keeper.lose(Loss.released(lease.name())));
    }

    /** This lease was taken away here. */
    void forced(Lease lease, String reason) {
        of(lease).forEach(keeper -> keeper.lose(Loss.forced(lease.name(), Optional.of(reason))));
    }

    void forget(Keeper keeper) {
        byName.computeIfPresent(keeper.lease().name(), (name, known) -> {
            known.remove(keeper);
            return known.isEmpty() ? null : known;
        });
    }

    private List<Keeper> of(Lease lease) {
        return List.copyOf(byName.getOrDefault(lease.name(), Set.of())).stream()
                .filter(keeper ->
                        keeper.lease().is(lease.ref()) && keeper.lease().token().equals(lease.token()))
                .toList();
    }

    LockStore store() {
        return store;
    }

    Instant now() {
        return clock.instant();
    }

    Timers.Timer after(Duration delay, Runnable task) {
        return timers.after(delay, task);
    }
}
