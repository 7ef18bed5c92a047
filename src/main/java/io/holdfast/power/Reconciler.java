package io.holdfast.power;

import io.holdfast.kernel.Cursor;
import io.holdfast.lock.Lease;
import io.holdfast.power.Actuator.State;
import io.holdfast.power.Decision.What;
import io.holdfast.power.Stopper.Order;
import io.holdfast.power.Stopper.Timing;
import io.holdfast.power.Stopper.Verdict;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.LinkListener;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
    private final Stopper stopper;
    private final Starter starter;
    private final Desk desk;

    /** The ways out: how to look outside, what time it is, and where decisions are written down. */
    @Singleton
    record Desk(Outside outside, Timing timing, Audit audit) {}

    Reconciler(PowerStore store, DatabaseLock lock, Stopper stopper, Starter starter, Desk desk) {
        this.store = store;
        this.lock = lock;
        this.stopper = stopper;
        this.starter = starter;
        this.desk = desk;
    }

    /** Goes once through everything unsettled. Answers how many databases it looked at. */
    public Uni<Integer> reconcileAll() {
        var seen = new HashSet<DatabaseId>();
        return page(Optional.empty(), seen)
                .invoke(() -> desk.timing().watch().keepOnly(seen))
                .map(done -> seen.size());
    }

    private Uni<Void> page(Optional<Cursor> after, Set<DatabaseId> seen) {
        return store.unsettled(PAGE, after, desk.timing().now()).chain(page -> Multi.createFrom()
                .iterable(page.items())
                .onItem()
                .transformToUni(this::reconcileSafely)
                .merge(desk.timing().config().reconcileParallelMax())
                .collect()
                .asList()
                .invoke(seen::addAll)
                .chain(() -> page.next().isPresent()
                        ? page(page.next(), seen)
                        : Uni.createFrom().voidItem()));
    }

    /** The app that left may have been the last one that kept them up. */
    @Override
    public void unlinked(Set<DatabaseId> databases) {
        databases.forEach(id ->
                reconcileSafely(id).subscribe().with(done -> LOG.debugf("Looked again after an app left db=%s", done)));
    }

    private Uni<DatabaseId> reconcileSafely(DatabaseId id) {
        return reconcile(id)
                .onFailure()
                .invoke(e ->
                        LOG.warnf("Reconciliation failed, the next one goes on db=%s error=\"%s\"", id, e.getMessage()))
                .onFailure()
                .recoverWithNull()
                .replaceWith(id);
    }

    /** Looks again at one database. Answers what was decided, if there was anything to decide. */
    public Uni<Optional<Decision>> reconcile(DatabaseId id) {
        var started = desk.timing().now();
        return lock.take(id, 0).chain(taken -> switch (taken) {
            // Whoever holds it is at work on this very database.
            case DatabaseLock.Taken.No no -> Uni.createFrom().item(Optional.empty());
            case DatabaseLock.Taken.Yes yes ->
                store.look(id)
                        .chain(found -> found.map(situation -> forgetTheGone(situation)
                                        .chain(current -> settle(current, yes.lease()))
                                        .chain(verdict -> write(situation, verdict, started)))
                                .orElseGet(() -> store.tidy(id, started).replaceWith(Optional.empty())))
                        .onItemOrFailure()
                        .call(() -> lock.giveBack(yes.lease()));
        });
    }

    /** Apps that come and go must not leave something behind for good. */
    private Uni<Situation> forgetTheGone(Situation situation) {
        var gone = situation.state().intents().goneWhen(situation.linked());
        return gone.isEmpty()
                ? Uni.createFrom().item(situation)
                : store.forget(situation, gone).replaceWith(situation.without(gone));
    }

    private Uni<Optional<Decision>> write(Situation situation, Optional<Verdict> verdict, Instant started) {
        // The same again is no decision: a database that is kept up for a week is one row, not thousands.
        return verdict.filter(found -> desk.timing().watch().isNews(situation.id(), found))
                .map(found -> desk.audit()
                        .write(situation.database(), found, Optional.empty(), started)
                        .map(Optional::of))
                .orElseGet(() -> Uni.createFrom().item(Optional.empty()));
    }

    private Uni<Optional<Verdict>> settle(Situation situation, Lease lease) {
        var now = desk.timing().now();
        var state = situation.state();
        if (!state.unsettledAt(now)) {
            return store.tidy(situation.id(), now).replaceWith(Optional.empty());
        }
        var held = !state.intents().holdersAt(now).isEmpty();
        return switch (state.phase()) {
            case UNDECIDED, RUNNING -> held ? keepUp(situation) : stopIfFree(situation, lease);
            case STOPPED -> starter.startHolding(situation.id(), 0).map(Optional::of);
            case STARTING -> goOnStarting(situation);
            case STOPPING, STOP_STUCK -> goOnStopping(situation, lease);
        };
    }

    /** An app needs it: if it went down all the same, it is started again. */
    private Uni<Optional<Verdict>> keepUp(Situation situation) {
        return stateOf(situation)
                .chain(seen -> seen == State.STOPPED || seen == State.STOPPING
                        ? starter.startHolding(situation.id(), 0).map(Optional::of)
                        : nothing());
    }

    private Uni<Optional<Verdict>> stopIfFree(Situation situation, Lease lease) {
        var shared = situation.shared().sharers().size() > 1;
        if (shared && !desk.timing().config().sharedDbLockEnabled()) {
            return nothing();
        }
        return stopper.judge(situation, new Order(situation.id(), Optional.empty(), false), Optional.of(lease))
                .map(Optional::of);
    }

    private Uni<Optional<Verdict>> goOnStarting(Situation situation) {
        var until = desk.timing().now().plus(desk.timing().config().answerMax());
        return starter.act(situation, situation.state().epoch(), until).map(Optional::of);
    }

    private Uni<Optional<Verdict>> goOnStopping(Situation situation, Lease lease) {
        return stateOf(situation).chain(seen -> switch (seen) {
            case STOPPED -> stopped(situation);
            case RUNNING -> stopAgainOrGiveUp(situation, lease);
            case STOPPING, STARTING, UNKNOWN -> late(situation) ? stuck(situation, seen) : nothing();
        });
    }

    private Uni<Optional<Verdict>> stopped(Situation situation) {
        var epoch = situation.state().epoch();
        return store.settle(situation.id(), epoch, Phase.STOPPED, desk.timing().now())
                .chain(settled -> settled
                        ? Uni.createFrom()
                                .item(Optional.of(verdict(What.STOPPED, "the stop has come to its end", epoch)))
                        : nothing());
    }

    private Uni<State> stateOf(Situation situation) {
        return desk.outside().actuator().state(situation.database());
    }

    /**
     * Committed, and still running: perhaps the order never left, perhaps it is slow. It is repeated only if the apps
     * still are all down; otherwise it is called off.
     */
    private Uni<Optional<Verdict>> stopAgainOrGiveUp(Situation situation, Lease lease) {
        var timing = desk.timing();
        return stopper.look(situation.shared().sharers()).chain(seen -> {
            var now = timing.now();
            var question = new StopPolicy.Question(situation, seen, StopPolicy.Patience.NONE, now);
            return switch (StopPolicy.decide(question)) {
                case StopPolicy.Verdict.Skip skip ->
                    store.commit(situation, Phase.RUNNING, now).map(done -> Optional.of(verdict(
                                    skip.what(),
                                    "called off: " + skip.reason(),
                                    situation.state().nextEpoch(now)))
                            .filter(verdict -> done));
                case StopPolicy.Verdict.Stop stop ->
                    situation.state().phase() == Phase.STOP_STUCK ? nothing() : stopAgain(situation, lease, stop);
            };
        });
    }

    /** No commit guards this order, so what the probes were asked about is looked at once more. */
    private Uni<Optional<Verdict>> stopAgain(Situation situation, Lease lease, StopPolicy.Verdict.Stop stop) {
        var epoch = situation.state().epoch();
        var orderBy = desk.timing().orderBy(Optional.of(lease));
        return store.look(situation.id())
                .chain(again -> again.filter(situation::isStill).isEmpty()
                        ? nothing()
                        : stopper.act(situation, epoch, orderBy, stop.reason())
                                .chain(verdict -> late(situation) && verdict.what() != What.STOPPED
                                        ? stuck(situation, State.RUNNING)
                                        : Uni.createFrom().item(Optional.of(verdict))));
    }

    private boolean late(Situation situation) {
        var timing = desk.timing();
        return situation.state().since().plus(timing.config().stopMax()).isBefore(timing.now());
    }

    private Uni<Optional<Verdict>> stuck(Situation situation, State seen) {
        if (situation.state().phase() == Phase.STOP_STUCK) {
            return nothing();
        }
        var epoch = situation.state().epoch();
        var reason = "ordered at " + situation.state().since() + " and still " + seen + "; somebody has to look";
        return store.settle(
                        situation.id(), epoch, Phase.STOP_STUCK, desk.timing().now())
                .map(settled -> Optional.of(verdict(What.STOP_STUCK, reason, epoch)));
    }

    private static Verdict verdict(What what, String reason, long epoch) {
        return new Verdict(what, reason, new Decision.Evidence(List.of(), Optional.empty(), epoch));
    }

    private static Uni<Optional<Verdict>> nothing() {
        return Uni.createFrom().item(Optional.empty());
    }
}
