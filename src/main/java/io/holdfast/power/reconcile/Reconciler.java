package io.holdfast.power.reconcile;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Unis;
import io.holdfast.lock.model.Lease;
import io.holdfast.power.action.Audit;
import io.holdfast.power.action.DatabaseLock;
import io.holdfast.power.action.Timing;
import io.holdfast.power.model.DatabaseSnapshot;
import io.holdfast.power.model.Decision;
import io.holdfast.power.model.PendingCounts;
import io.holdfast.power.model.PendingCounts.Found;
import io.holdfast.power.port.PowerStore;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.LinkListener;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * Checks every pending database and completes what is left: stop requests that no app blocks any more, stops and
 * starts of a replica that died, orders without effect.
 *
 * <p>Level-triggered: it acts on the current state, not on events. Several replicas may run it; the lock of the
 * database admits one at a time.
 */
@Singleton
public class Reconciler implements LinkListener {
    private static final Logger LOG = Logger.getLogger(Reconciler.class);
    private static final int PAGE = 100;

    private final PowerStore store;
    private final DatabaseLock lock;
    private final ReconcileStep step;
    private final Audit audit;
    private final Timing timing;
    private volatile boolean stopped;

    public Reconciler(PowerStore store, DatabaseLock lock, ReconcileStep step, Audit audit, Timing timing) {
        this.store = store;
        this.lock = lock;
        this.step = step;
        this.audit = audit;
        this.timing = timing;
    }

    /** Checks all pending databases once. Returns how many there were. */
    public Uni<Integer> reconcileAll() {
        var seen = new ConcurrentHashMap<DatabaseId, Found>();
        return page(Optional.empty(), seen)
                .invoke(() -> report(seen))
                .map(done -> seen.size())
                .onFailure()
                .invoke(audit.listener()::passFailed);
    }

    private void report(Map<DatabaseId, Found> seen) {
        timing.history().retainOnly(seen.keySet());
        // After stop() the pass was not complete.
        if (!stopped) {
            audit.listener().passed(PendingCounts.of(seen.values()));
        }
    }

    /** Databases in progress are completed; no further one is begun. */
    public void stop() {
        stopped = true;
    }

    private Uni<Void> page(Optional<Cursor> after, Map<DatabaseId, Found> seen) {
        return store.pending(PAGE, after, timing.now()).chain(page -> Multi.createFrom()
                .iterable(page.items())
                .onItem()
                .transformToUni(id -> {
                    seen.put(id, Found.UNREAD);
                    return reconcileSafely(id, found -> seen.put(id, found));
                })
                .merge(timing.config().reconcileParallelMax())
                .collect()
                .asList()
                .chain(() -> page.next().isPresent()
                        ? page(page.next(), seen)
                        : Uni.createFrom().voidItem()));
    }

    /** Checks these databases now: the unlinked app may have been their last blocker. */
    @Override
    public void unlinked(Set<DatabaseId> databases) {
        databases.forEach(id -> reconcileSafely(id, ignored -> {})
                .subscribe()
                .with(done -> LOG.debugf("Checked after an app was unlinked db=%s", done)));
    }

    private Uni<DatabaseId> reconcileSafely(DatabaseId id, Consumer<Found> result) {
        return reconcile(id, result)
                .onFailure()
                .invoke(e ->
                        LOG.warnf("Reconciliation failed, the next one goes on db=%s error=\"%s\"", id, e.getMessage()))
                .onFailure()
                .recoverWithNull()
                .replaceWith(id);
    }

    /** Checks one database. Returns the decision, if it was recorded. */
    public Uni<Optional<Decision>> reconcile(DatabaseId id) {
        return reconcile(id, ignored -> {});
    }

    /** @param result receives the phase before the step, because the step may fail */
    private Uni<Optional<Decision>> reconcile(DatabaseId id, Consumer<Found> result) {
        var now = timing.now();
        if (stopped) {
            return none();
        }
        return store.snapshot(id).chain(found -> {
            if (found.filter(snapshot -> snapshot.state().pendingAt(now)).isEmpty()) {
                result.accept(Found.NOT_PENDING);
                return store.tidy(id, now).replaceWith(Optional.empty());
            }
            result.accept(Found.in(found.get().state().phase()));
            return step.isDue(found.get(), now) ? reconcileLocked(id, now) : none();
        });
    }

    private Uni<Optional<Decision>> reconcileLocked(DatabaseId id, Instant started) {
        return lock.acquire(id, 0).chain(acquisition -> switch (acquisition) {
            case DatabaseLock.Acquisition.NotAcquired refused -> {
                timing.history().forget(id);
                yield none();
            }
            case DatabaseLock.Acquisition.Acquired acquired ->
                Unis.chainIfPresent(store.snapshot(id), snapshot -> runStep(snapshot, acquired.lease(), started))
                        .onItemOrFailure()
                        .call(() -> lock.releaseQuietly(acquired.lease()));
        });
    }

    private Uni<Optional<Decision>> runStep(DatabaseSnapshot snapshot, Lease lease, Instant started) {
        var verdict = forgetUnlinkedApps(snapshot).chain(step::extendClaims).chain(current -> step.run(current, lease));
        return Unis.chainIfPresent(
                verdict,
                found -> audit.writeIfChanged(snapshot.database(), found.withLease(lease), Optional.empty(), started));
    }

    /** Removes the intents of apps that no longer use the database. */
    private Uni<DatabaseSnapshot> forgetUnlinkedApps(DatabaseSnapshot snapshot) {
        var intents = snapshot.state().intents();
        var unlinked = intents.removableApps(snapshot.linked());
        return unlinked.isEmpty()
                ? Uni.createFrom().item(snapshot)
                : store.forget(snapshot, unlinked).replaceWith(snapshot.with(intents.without(unlinked)));
    }

    private static Uni<Optional<Decision>> none() {
        return Uni.createFrom().item(Optional.empty());
    }
}
