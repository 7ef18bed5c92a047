package io.holdfast.power;

import io.holdfast.kernel.Cursor;
import io.holdfast.lock.model.Lease;
import io.holdfast.power.Unsettled.Found;
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
    private final NextStep nextStep;
    private final Audit audit;
    private final Timing timing;
    private volatile boolean ended;

    Reconciler(PowerStore store, DatabaseLock lock, NextStep nextStep, Audit audit, Timing timing) {
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
        timing.watch().keepOnly(seen.keySet());
        // Who is told to go looks at nothing any more.
        if (!ended) {
            audit.listener().passed(Unsettled.of(seen.values()));
        }
    }

    /** Takes up no further database. */
    public void stop() {
        ended = true;
    }

    private Uni<Void> page(Optional<Cursor> after, Map<DatabaseId, Found> seen) {
        return store.unsettled(PAGE, after, timing.now()).chain(page -> Multi.createFrom()
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
        return store.look(id).chain(found -> {
            if (found.filter(situation -> situation.state().unsettledAt(now)).isEmpty()) {
                looked.accept(Found.SETTLED);
                return store.tidy(id, now).replaceWith(Optional.empty());
            }
            looked.accept(Found.in(found.get().state().phase()));
            return nextStep.isDue(found.get(), now) ? lockAndGoOn(id, now) : nothing();
        });
    }

    private Uni<Optional<Decision>> lockAndGoOn(DatabaseId id, Instant started) {
        return lock.take(id, 0).chain(taken -> switch (taken) {
            case DatabaseLock.Taken.No no -> {
                timing.watch().lost(id);
                yield nothing();
            }
            case DatabaseLock.Taken.Yes yes ->
                store.look(id)
                        .chain(found -> found.map(situation -> goOn(situation, yes.lease(), started))
                                .orElseGet(Reconciler::nothing))
                        .onItemOrFailure()
                        .call(() -> lock.giveBack(yes.lease()));
        });
    }

    private Uni<Optional<Decision>> goOn(Situation situation, Lease lease, Instant started) {
        return forgetTheGone(situation)
                .chain(nextStep::keepHolds)
                .chain(current -> nextStep.take(current, lease))
                .chain(verdict -> verdict.map(found ->
                                audit.writeIfNews(situation.database(), found.under(lease), Optional.empty(), started))
                        .orElseGet(Reconciler::nothing));
    }

    /** Apps that come and go must not leave something behind for good. */
    private Uni<Situation> forgetTheGone(Situation situation) {
        var intents = situation.state().intents();
        var gone = intents.goneWhen(situation.linked());
        return gone.isEmpty()
                ? Uni.createFrom().item(situation)
                : store.forget(situation, gone).replaceWith(situation.with(intents.without(gone)));
    }

    private static Uni<Optional<Decision>> nothing() {
        return Uni.createFrom().item(Optional.empty());
    }
}
