package io.holdfast.power.reconcile;

import io.holdfast.lock.model.Lease;
import io.holdfast.power.action.ProbeHistory.Chore;
import io.holdfast.power.action.Starter;
import io.holdfast.power.action.StopExecution;
import io.holdfast.power.action.Stopper;
import io.holdfast.power.action.Stopper.Order;
import io.holdfast.power.action.Timing;
import io.holdfast.power.model.DatabaseSnapshot;
import io.holdfast.power.model.Decision.Result;
import io.holdfast.power.model.Phase;
import io.holdfast.power.model.PowerState;
import io.holdfast.power.model.StopPolicy;
import io.holdfast.power.model.Verdict;
import io.holdfast.power.port.Actuator;
import io.holdfast.power.port.Actuator.Reading;
import io.holdfast.power.port.Actuator.State;
import io.holdfast.power.port.PowerStore;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/** What is left to do about one database, from what was decided and what is. Always under its lock. */
@Singleton
public class ReconcileStep {
    private static final Logger LOG = Logger.getLogger(ReconcileStep.class);

    private final PowerStore store;
    private final Actuator actuator;
    private final Stopper stopper;
    private final Starter starter;
    private final StopExecution stopOrder;
    private final Timing timing;

    public ReconcileStep(
            PowerStore store,
            Actuator actuator,
            Stopper stopper,
            Starter starter,
            StopExecution stopOrder,
            Timing timing) {
        this.store = store;
        this.actuator = actuator;
        this.stopper = stopper;
        this.starter = starter;
        this.stopOrder = stopOrder;
        this.timing = timing;
    }

    /** Spares the lock, and whoever waits for it, where there is nothing to do yet. */
    boolean isDue(DatabaseSnapshot snapshot, Instant now) {
        var phase = snapshot.state().phase();
        if (phase.mayStop() || phase == Phase.STARTING) {
            return true;
        }
        var held = !snapshot.state().intents().claimantsAt(now).isEmpty();
        var other = phase == Phase.STOPPED ? Chore.RECHECK : Chore.STOP;
        return !timing.history().rests(snapshot.id(), held ? Chore.START : other, now);
    }

    /** Nothing, if all that can be done is to look again later. */
    Uni<Optional<Verdict>> take(DatabaseSnapshot snapshot, Lease lease) {
        var state = snapshot.state();
        var held = !state.intents().claimantsAt(timing.now()).isEmpty();
        return switch (state.phase()) {
            case UNDECIDED, RUNNING -> held ? keepRunning(snapshot) : stopIfAsked(snapshot, lease);
            case STOPPED -> held ? startAgain(snapshot) : recheck(snapshot);
            case STARTING -> goOnStarting(snapshot);
            case STOPPING, STOP_STUCK -> goOnStopping(snapshot, lease);
        };
    }

    /**
     * An app that asked for a start behind a stop is owed one, however long the stop takes: its hold must not run out
     * before.
     */
    Uni<DatabaseSnapshot> extendClaims(DatabaseSnapshot snapshot) {
        var now = timing.now();
        var hold = timing.config().startClaim();
        var soon = now.plus(hold.dividedBy(2));
        var ending = snapshot.state().intents().claimantsAt(now).stream()
                .filter(app -> snapshot.state().intents().startClaims().get(app).isBefore(soon))
                .map(app -> store.extendClaim(snapshot, app, now.plus(hold)))
                .toList();
        return ending.isEmpty() || !snapshot.state().phase().mayStop()
                ? Uni.createFrom().item(snapshot)
                : Uni.join()
                        .all(ending)
                        .andFailFast()
                        .chain(() -> store.snapshot(snapshot.id()))
                        .map(found -> found.orElse(snapshot));
    }

    /** An app needs it: if it went down all the same, it is started again. */
    private Uni<Optional<Verdict>> keepRunning(DatabaseSnapshot snapshot) {
        return stateOf(snapshot)
                .chain(seen -> seen == State.STOPPED || seen == State.STOPPING ? startAgain(snapshot) : nothing());
    }

    private Uni<Optional<Verdict>> startAgain(DatabaseSnapshot snapshot) {
        return starter.startHolding(snapshot.id(), timing.now()).map(Optional::of);
    }

    /** A hold that ended, or whose app left, is no request to stop. */
    private Uni<Optional<Verdict>> stopIfAsked(DatabaseSnapshot snapshot, Lease lease) {
        return snapshot.state().intents().stopRequests().isEmpty() ? nothing() : stopIfFree(snapshot, lease);
    }

    private Uni<Optional<Verdict>> stopIfFree(DatabaseSnapshot snapshot, Lease lease) {
        var order = new Order(snapshot.id(), Optional.empty(), false);
        return stopper.judge(snapshot, order, Optional.of(lease))
                .call(() -> dropRequestsOfRunningApps(snapshot))
                .map(Optional::of);
    }

    /** An app that was down and is up again has come back without a word. What it wished before is over. */
    private Uni<Void> dropRequestsOfRunningApps(DatabaseSnapshot snapshot) {
        var back = timing.history().backUp(snapshot.id()).stream()
                .filter(snapshot.state().intents().stopRequests()::containsKey)
                .collect(Collectors.toSet());
        if (back.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        LOG.infof("Wishes dropped, the apps are back up db=%s apps=%s", snapshot.id(), back);
        return store.forget(snapshot, back);
    }

    /** Not everything that starts a database asks us first; what wishes there are stand all the same. */
    private Uni<Optional<Verdict>> recheck(DatabaseSnapshot snapshot) {
        var now = timing.now();
        return stateOf(snapshot).chain(seen -> {
            if (seen != State.RUNNING) {
                timing.history()
                        .rest(
                                snapshot.id(),
                                Chore.RECHECK,
                                now.plus(timing.config().recheckEvery()));
                return nothing();
            }
            return store.commit(snapshot, Phase.RUNNING, now)
                    .chain(noted -> noted
                            ? verdict(
                                    Result.RUNNING,
                                    "it was stopped, and somebody else has started it",
                                    snapshot.state().nextEpoch(now))
                            : nothing());
        });
    }

    private Uni<Optional<Verdict>> goOnStarting(DatabaseSnapshot snapshot) {
        var state = snapshot.state();
        return starter.act(snapshot, state.epoch(), timing.now())
                .chain(verdict -> verdict.result() != Result.STARTED
                                && isOver(state, timing.config().startMax())
                        ? giveUpStarting(snapshot, verdict)
                        : Uni.createFrom().item(Optional.of(verdict)));
    }

    /** It was ordered once more, and its time is over: what it is now is what it is. */
    private Uni<Optional<Verdict>> giveUpStarting(DatabaseSnapshot snapshot, Verdict last) {
        var state = snapshot.state();
        var reason = "ordered at " + state.since() + " and not up yet; somebody has to look";
        return stateOf(snapshot)
                .chain(seen -> seen == State.RUNNING
                        ? Uni.createFrom().item(Optional.of(last))
                        : store.settle(
                                        snapshot.id(),
                                        state.epoch(),
                                        seen == State.STOPPED ? Phase.STOPPED : Phase.RUNNING,
                                        timing.now())
                                .chain(settled ->
                                        settled ? verdict(Result.START_FAILED, reason, state.epoch()) : nothing()));
    }

    private Uni<Optional<Verdict>> goOnStopping(DatabaseSnapshot snapshot, Lease lease) {
        return actuator.state(snapshot.database()).chain(seen -> switch (seen.state()) {
            case STOPPED -> stopped(snapshot);
            // Who ordered it may still be at it, and not everything that stops shows that at once.
            case RUNNING ->
                isOver(snapshot.state(), timing.config().lockTtl()) ? stopAgainOrCallOff(snapshot, lease) : nothing();
            case STOPPING, STARTING, UNKNOWN ->
                isOver(snapshot.state(), timing.config().stopMax()) ? stuck(snapshot, seen) : nothing();
        });
    }

    private Uni<Optional<Verdict>> stopped(DatabaseSnapshot snapshot) {
        var epoch = snapshot.state().epoch();
        return store.settle(snapshot.id(), epoch, Phase.STOPPED, timing.now())
                .chain(settled -> settled ? verdict(Result.STOPPED, "the stop has come to its end", epoch) : nothing());
    }

    /**
     * Committed, and still running: perhaps the order never left, perhaps it is slow. It is repeated only if the apps
     * still are all down and nothing has put the brake on; otherwise it is called off.
     */
    private Uni<Optional<Verdict>> stopAgainOrCallOff(DatabaseSnapshot snapshot, Lease lease) {
        return stopper.probe(snapshot.shared().sharers()).chain(seen -> {
            var question = new StopPolicy.Question(snapshot, seen, StopPolicy.Patience.NONE, timing.now());
            var step =
                    switch (StopPolicy.decide(question)) {
                        case StopPolicy.Verdict.Skip skip -> callOff(snapshot, skip);
                        case StopPolicy.Verdict.Stop stop -> stopAgainUnlessBraked(snapshot, lease, stop);
                    };
            return step.map(verdict -> verdict.map(found -> found.having(seen)));
        });
    }

    /** An order to stop may be on its way, so calling it off is an order, too. */
    private Uni<Optional<Verdict>> callOff(DatabaseSnapshot snapshot, StopPolicy.Verdict.Skip skip) {
        var now = timing.now();
        var epoch = snapshot.state().nextEpoch(now);
        return store.commit(snapshot, Phase.STARTING, now)
                .chain(committed -> committed
                        ? starter.act(snapshot, epoch, now)
                                .chain(start -> verdict(
                                        skip.result(), "called off: " + skip.reason() + "; " + start.reason(), epoch))
                        : nothing());
    }

    private Uni<Optional<Verdict>> stopAgainUnlessBraked(
            DatabaseSnapshot snapshot, Lease lease, StopPolicy.Verdict.Stop stop) {
        if (snapshot.state().phase() == Phase.STOP_STUCK) {
            return nothing();
        }
        var epoch = snapshot.state().epoch();
        if (snapshot.shared().sharers().size() > 1 && !timing.config().sharedDbLockEnabled()) {
            return verdict(Result.SKIPPED_DISABLED, "stopping shared databases is switched off", epoch);
        }
        return store.brake().chain(brake -> brake.paused()
                .map(reason -> verdict(Result.SKIPPED_DISABLED, "stops are paused: " + reason, epoch))
                .orElseGet(() -> stopAgain(snapshot, lease, stop)));
    }

    /** No commit guards this order, so what the probes were asked about is looked at once more. */
    private Uni<Optional<Verdict>> stopAgain(DatabaseSnapshot snapshot, Lease lease, StopPolicy.Verdict.Stop stop) {
        var terms = new StopExecution.Terms(timing.orderBy(lease), false, Optional.empty());
        var again = new StopExecution.Committed(snapshot, snapshot.state().epoch(), terms, stop.reason());
        return store.snapshot(snapshot.id())
                .chain(found -> found.filter(snapshot::isStill).isEmpty()
                        ? nothing()
                        : stopOrder.act(again).chain(verdict -> afterAll(snapshot, verdict)));
    }

    /** What still runs when its time is over, though it was ordered once more, is stuck. What was refused is not. */
    private Uni<Optional<Verdict>> afterAll(DatabaseSnapshot snapshot, Verdict verdict) {
        var over = isOver(snapshot.state(), timing.config().stopMax());
        return over && verdict.result() != Result.STOPPED
                ? store.snapshot(snapshot.id())
                        .chain(found -> found.filter(now -> now.state().phase() == Phase.STOPPING)
                                .map(now -> stuck(now, new Reading(State.RUNNING, "")))
                                .orElseGet(() -> Uni.createFrom().item(Optional.of(verdict))))
                : Uni.createFrom().item(Optional.of(verdict));
    }

    /** Since when it is so stays as it was: that is when somebody has to begin to look. */
    private Uni<Optional<Verdict>> stuck(DatabaseSnapshot snapshot, Reading seen) {
        var state = snapshot.state();
        if (state.phase() == Phase.STOP_STUCK) {
            return nothing();
        }
        var reason = "ordered at " + state.since() + " and still " + seen.words() + "; somebody has to look";
        return store.settle(snapshot.id(), state.epoch(), Phase.STOP_STUCK, state.since())
                .chain(settled -> settled ? verdict(Result.STOP_STUCK, reason, state.epoch()) : nothing());
    }

    private Uni<State> stateOf(DatabaseSnapshot snapshot) {
        return actuator.state(snapshot.database()).map(Reading::state);
    }

    private boolean isOver(PowerState state, Duration span) {
        return state.since().plus(span).isBefore(timing.now());
    }

    private static Uni<Optional<Verdict>> verdict(Result result, String reason, long epoch) {
        return Verdict.of(result, reason, epoch).map(Optional::of);
    }

    private static Uni<Optional<Verdict>> nothing() {
        return Uni.createFrom().item(Optional.empty());
    }
}
