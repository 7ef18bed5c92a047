package io.holdfast.lock.keepalive;

import io.holdfast.kernel.Timers;
import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.port.LockStore;
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
 * The {@link LeaseRenewer}s of this replica. A release at this replica ends the renewer of the lease at once. After a
 * release at another replica, the next renewal fails.
 */
@Singleton
public class LeaseRenewers {
    private final LockStore store;
    private final InstantSource clock;
    private final Timers timers;
    private final Map<LockName, Set<LeaseRenewer>> byName = new ConcurrentHashMap<>();

    public LeaseRenewers(LockStore store, InstantSource clock, Timers timers) {
        this.store = store;
        this.clock = clock;
        this.timers = timers;
    }

    /**
     * Renews the lease until it is lost or the renewer is stopped, even if a later attempt of its owner takes it over.
     */
    public LeaseRenewer renew(Lease lease, RenewalTerms terms, LeaseRenewer.Listener listener) {
        return renew(lease, Optional.empty(), terms, listener);
    }

    /** @param attempt if present, the lease is lost to this renewer when a later attempt takes it over */
    public LeaseRenewer renew(
            Lease lease, Optional<AttemptId> attempt, RenewalTerms terms, LeaseRenewer.Listener listener) {
        var claim = new LeaseClaim(lease.ref(), Optional.of(lease.token()), attempt);
        var renewer = new LeaseRenewer(this, lease, claim, terms, listener);
        byName.compute(lease.name(), (name, known) -> {
            var ofLock = known == null ? Collections.synchronizedSet(new LinkedHashSet<LeaseRenewer>()) : known;
            ofLock.add(renewer);
            return ofLock;
        });
        renewer.start();
        return renewer;
    }

    /**
     * This lease was released at this replica. A later lease with the same lock_id has another token, and is renewed.
     */
    public void released(Lease lease) {
        of(lease).forEach(renewer -> renewer.lose(LeaseLoss.released(lease.name())));
    }

    /** This lease was released by force at this replica. */
    public void forced(Lease lease, String reason) {
        of(lease).forEach(renewer -> renewer.lose(LeaseLoss.forced(lease.name(), Optional.of(reason))));
    }

    void forget(LeaseRenewer renewer) {
        byName.computeIfPresent(renewer.lease().name(), (name, known) -> {
            known.remove(renewer);
            return known.isEmpty() ? null : known;
        });
    }

    private List<LeaseRenewer> of(Lease lease) {
        return List.copyOf(byName.getOrDefault(lease.name(), Set.of())).stream()
                .filter(renewer -> renewer.lease().is(lease.ref())
                        && renewer.lease().token().equals(lease.token()))
                .toList();
    }

    LockStore store() {
        return store;
    }

    public Instant now() {
        return clock.instant();
    }

    public Timers.Timer after(Duration delay, Runnable task) {
        return timers.after(delay, task);
    }
}
