package io.holdfast.power.reconcile;

import io.holdfast.kernel.Cursor;
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
 * Looks again at every database about which something is left to do, and brings it to its end: a wish that nobody
 * stands in the way of any more, a stop or start whose server died half-way, an order that hangs.
 *
 * <p>Level-triggered: it asks what is, never what happened. Any number of replicas may run it; the lock of the database
 * lets one at a time act.
 */
@Singleton
public class Reconciler implements LinkListener {
    private static final Logger LOG = Logger.getLogger(Reconciler.class);
    private static final int PAGE = 100;

    private final PowerStore store;
    private final DatabaseLock lock;
    private final ReconcileStep nextStep;
    private final Audit audit;
    private final Timing timing;
    private volatile boolean ended;

    public Reconciler(PowerStore store, DatabaseLock lock, ReconcileStep nextStep, Audit audit, Timing timing) {
        this.store = store;
        this.lock = lock;
        this.nextStep = nextStep;
        this.audit = audit;
        this.timing = timing;
    }

    /** Goes once through everything unsettled. Answers how many databases it looked at. */
    public Uni<Integer> reconcileAll() {
        var seen = new ConcurrentHashMap<DatabaseId, Found>();
        return page(Optional.empty(), seen)
                .invoke(() -> tell(seen))
                .map(done -> seen.size())
                .onFailure()
                .invoke(audit.listener()::passFailed);
    }

    private void tell(Map<DatabaseId, Found> seen) {
        timing.history().retainOnly(seen.keySet());
        // Who is told to go looks at nothing any more.
        if (!ended) {
            audit.listener().passed(PendingCounts.of(seen.values()));
        }
    }

    /** Takes up no further database. */
    public void stop() {
        ended = true;
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

    /** The app that left may have been the last one that kept them up. */
    @Override
    public void unlinked(Set<DatabaseId> databases) {
        databases.forEach(id -> reconcileSafely(id, ignored -> {})
                .subscribe()
                .with(done -> LOG.debugf("Looked again after an app left db=%s", done)));
    }

    private Uni<DatabaseId> reconcileSafely(DatabaseId id, Consumer<Found> looked) {
        return reconcile(id, looked)
                .onFailure()
                .invoke(e ->
                        LOG.warnf("Reconciliation failed, the next one goes on db=%s error=\"%s\"", id, e.getMessage()))
                .onFailure()
                .recoverWithNull()
                .replaceWith(id);
    }

    /** Looks again at one database. Answers what was decided, if that is anything new. */
    public Uni<Optional<Decision>> reconcile(DatabaseId id) {
        return reconcile(id, ignored -> {});
    }

    /** @param looked is told what was found before anything is done about it, since that may fail */
    private Uni<Optional<Decision>> reconcile(DatabaseId id, Consumer<Found> looked) {
        var now = timing.now();
        if (ended) {
            return nothing();
        }
        return store.snapshot(id).chain(found -> {
            if (found.filter(snapshot -> snapshot.state().pendingAt(now)).isEmpty()) {
                looked.accept(Found.SETTLED);
                return store.tidy(id, now).replaceWith(Optional.empty());
            }
            looked.accept(Found.in(found.get().state().phase()));
            return nextStep.isDue(found.get(), now) ? lockAndGoOn(id, now) : nothing();
        });
    }

    private Uni<Optional<Decision>> lockAndGoOn(DatabaseId id, Instant started) {
        return lock.acquire(id, 0).chain(taken -> switch (taken) {
            case DatabaseLock.Taken.No no -> {
                timing.history().lost(id);
                yield nothing();
            }
            case DatabaseLock.Taken.Yes yes ->
                store.snapshot(id)
                        .chain(found -> found.map(snapshot -> goOn(snapshot, yes.lease(), started))
                                .orElseGet(Reconciler::nothing))
                        .onItemOrFailure()
                        .call(() -> lock.releaseQuietly(yes.lease()));
        });
    }

    private Uni<Optional<Decision>> goOn(DatabaseSnapshot snapshot, Lease lease, Instant started) {
        return forgetTheGone(snapshot)
                .chain(nextStep::extendClaims)
                .chain(current -> nextStep.take(current, lease))
                .chain(verdict -> verdict.map(found ->
                                audit.writeIfNews(snapshot.database(), found.under(lease), Optional.empty(), started))
                        .orElseGet(Reconciler::nothing));
    }

    /** Apps that come and go must not leave something behind for good. */
    private Uni<DatabaseSnapshot> forgetTheGone(DatabaseSnapshot snapshot) {
        var intents = snapshot.state().intents();
        var gone = intents.goneWhen(snapshot.linked());
        return gone.isEmpty()
                ? Uni.createFrom().item(snapshot)
                : store.forget(snapshot, gone).replaceWith(snapshot.with(intents.without(gone)));
    }

    private static Uni<Optional<Decision>> nothing() {
        return Uni.createFrom().item(Optional.empty());
    }
}
