package io.holdfast.power.reconcile;

import io.holdfast.lock.model.Lease;
import io.holdfast.power.action.ProbeHistory.Task;
import io.holdfast.power.action.Starter;
import io.holdfast.power.action.StopExecution;
import io.holdfast.power.action.Stopper;
import io.holdfast.power.action.Stopper.Request;
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

/** The next step for one pending database, from its phase, intents and actual state. Runs under its lock. */
@Singleton
public class ReconcileStep {
    private static final Logger LOG = Logger.getLogger(ReconcileStep.class);

    private final PowerStore store;
    private final Actuator actuator;
    private final Stopper stopper;
    private final Starter starter;
    private final StopExecution execution;
    private final Timing timing;

    public ReconcileStep(
            PowerStore store,
            Actuator actuator,
            Stopper stopper,
            Starter starter,
            StopExecution execution,
            Timing timing) {
        this.store = store;
        this.actuator = actuator;
        this.stopper = stopper;
        this.starter = starter;
        this.execution = execution;
        this.timing = timing;
    }

    /** Called without the lock, so that the lock is not acquired before there is something to do. */
    boolean isDue(DatabaseSnapshot snapshot, Instant now) {
        var phase = snapshot.state().phase();
        if (phase.isStopPending() || phase == Phase.STARTING) {
            return true;
        }
        var claimed = !snapshot.state().intents().claimantsAt(now).isEmpty();
        var unclaimedTask = phase == Phase.STOPPED ? Task.RECHECK : Task.STOP;
        return !timing.history().isPostponed(snapshot.id(), claimed ? Task.START : unclaimedTask, now);
    }

    /** Empty if there is nothing to do before the next check. */
    Uni<Optional<Verdict>> run(DatabaseSnapshot snapshot, Lease lease) {
        var state = snapshot.state();
        var claimed = !state.intents().claimantsAt(timing.now()).isEmpty();
        return switch (state.phase()) {
            case UNDECIDED, RUNNING -> claimed ? keepRunning(snapshot) : stopIfRequested(snapshot, lease);
            case STOPPED -> claimed ? startAgain(snapshot) : recheck(snapshot);
            case STARTING -> continueStart(snapshot);
            case STOPPING, STOP_STUCK -> continueStop(snapshot, lease);
        };
    }

    /**
     * Extends start claims while a stop is in progress. The database is started after the stop, and the claims must not
     * expire before.
     */
    Uni<DatabaseSnapshot> extendClaims(DatabaseSnapshot snapshot) {
        var now = timing.now();
        var duration = timing.config().startClaim();
        var soon = now.plus(duration.dividedBy(2));
        var ending = snapshot.state().intents().claimantsAt(now).stream()
                .filter(app -> snapshot.state().intents().startClaims().get(app).isBefore(soon))
                .map(app -> store.extendClaim(snapshot, app, now.plus(duration)))
                .toList();
        return ending.isEmpty() || !snapshot.state().phase().isStopPending()
                ? Uni.createFrom().item(snapshot)
                : Uni.join()
                        .all(ending)
                        .andFailFast()
                        .chain(() -> store.snapshot(snapshot.id()))
                        .map(found -> found.orElse(snapshot));
    }

    /** Starts a claimed database that was stopped outside Holdfast. */
    private Uni<Optional<Verdict>> keepRunning(DatabaseSnapshot snapshot) {
        return stateOf(snapshot)
                .chain(seen -> seen == State.STOPPED || seen == State.STOPPING ? startAgain(snapshot) : none());
    }

    private Uni<Optional<Verdict>> startAgain(DatabaseSnapshot snapshot) {
        return starter.startUnderLock(snapshot.id(), timing.now()).map(Optional::of);
    }

    /** An expired start claim is not a stop request. */
    private Uni<Optional<Verdict>> stopIfRequested(DatabaseSnapshot snapshot, Lease lease) {
        return snapshot.state().intents().stopRequests().isEmpty() ? none() : stopIfUnused(snapshot, lease);
    }

    private Uni<Optional<Verdict>> stopIfUnused(DatabaseSnapshot snapshot, Lease lease) {
        var order = new Request(snapshot.id(), Optional.empty(), false);
        return stopper.decide(snapshot, order, Optional.of(lease))
                .call(() -> dropRequestsOfRunningApps(snapshot))
                .map(Optional::of);
    }

    /** An app that was down and is up again was started without a start claim. Its stop request is obsolete. */
    private Uni<Void> dropRequestsOfRunningApps(DatabaseSnapshot snapshot) {
        var upAgain = timing.history().upAgain(snapshot.id()).stream()
                .filter(snapshot.state().intents().stopRequests()::containsKey)
                .collect(Collectors.toSet());
        if (upAgain.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        LOG.infof("Stop requests dropped, the apps are up again db=%s apps=%s", snapshot.id(), upAgain);
        return store.forget(snapshot, upAgain);
    }

    /** Detects a database that was started outside Holdfast. Stop requests stay. */
    private Uni<Optional<Verdict>> recheck(DatabaseSnapshot snapshot) {
        var now = timing.now();
        return stateOf(snapshot).chain(seen -> {
            if (seen != State.RUNNING) {
                timing.history()
                        .postpone(
                                snapshot.id(),
                                Task.RECHECK,
                                now.plus(timing.config().recheckEvery()));
                return none();
            }
            return store.commit(snapshot, Phase.RUNNING, now)
                    .chain(committed -> committed
                            ? verdict(
                                    Result.RUNNING,
                                    "the database was stopped, and was started outside Holdfast",
                                    snapshot.state().nextEpoch(now))
                            : none());
        });
    }

    private Uni<Optional<Verdict>> continueStart(DatabaseSnapshot snapshot) {
        var state = snapshot.state();
        return starter.act(snapshot, state.epoch(), timing.now())
                .chain(verdict -> verdict.result() != Result.STARTED
                                && isOverdue(state, timing.config().startMax())
                        ? failStart(snapshot, verdict)
                        : Uni.createFrom().item(Optional.of(verdict)));
    }

    /** After {@code start-max} and a last order: sets the phase by the actual state. */
    private Uni<Optional<Verdict>> failStart(DatabaseSnapshot snapshot, Verdict last) {
        var state = snapshot.state();
        var reason = "ordered at " + state.since() + " and not running yet; an operator must check the database";
        return stateOf(snapshot)
                .chain(seen -> seen == State.RUNNING
                        ? Uni.createFrom().item(Optional.of(last))
                        : store.settle(
                                        snapshot.id(),
                                        state.epoch(),
                                        seen == State.STOPPED ? Phase.STOPPED : Phase.RUNNING,
                                        timing.now())
                                .chain(settled ->
                                        settled ? verdict(Result.START_FAILED, reason, state.epoch()) : none()));
    }

    private Uni<Optional<Verdict>> continueStop(DatabaseSnapshot snapshot, Lease lease) {
        return actuator.state(snapshot.database()).chain(seen -> switch (seen.state()) {
            case STOPPED -> stopped(snapshot);
            // The replica that committed may still be working, and a stop may not show at once.
            case RUNNING ->
                isOverdue(snapshot.state(), timing.config().lockTtl()) ? repeatOrCancelStop(snapshot, lease) : none();
            case STOPPING, STARTING, UNKNOWN ->
                isOverdue(snapshot.state(), timing.config().stopMax()) ? stuck(snapshot, seen) : none();
        });
    }

    private Uni<Optional<Verdict>> stopped(DatabaseSnapshot snapshot) {
        var epoch = snapshot.state().epoch();
        return store.settle(snapshot.id(), epoch, Phase.STOPPED, timing.now())
                .chain(settled -> settled ? verdict(Result.STOPPED, "the stop has completed", epoch) : none());
    }

    /**
     * The stop is committed, and the database still runs: the order was not sent, or is slow. Repeats the order if all
     * apps are still down and stops are not paused. If an app may be up, cancels the stop.
     */
    private Uni<Optional<Verdict>> repeatOrCancelStop(DatabaseSnapshot snapshot, Lease lease) {
        return stopper.probe(snapshot.shared().sharers()).chain(seen -> {
            var question = new StopPolicy.Question(snapshot, seen, StopPolicy.Thresholds.NONE, timing.now());
            var step =
                    switch (StopPolicy.decide(question)) {
                        case StopPolicy.Choice.Skip skip -> cancelStop(snapshot, skip);
                        case StopPolicy.Choice.Stop stop -> repeatStopUnlessPaused(snapshot, lease, stop);
                    };
            return step.map(verdict -> verdict.map(found -> found.withSharers(seen)));
        });
    }

    /** The stop order may still take effect, so cancelling it needs a start order. */
    private Uni<Optional<Verdict>> cancelStop(DatabaseSnapshot snapshot, StopPolicy.Choice.Skip skip) {
        var now = timing.now();
        var epoch = snapshot.state().nextEpoch(now);
        return store.commit(snapshot, Phase.STARTING, now)
                .chain(committed -> committed
                        ? starter.act(snapshot, epoch, now)
                                .chain(start -> verdict(
                                        skip.result(),
                                        "stop cancelled: " + skip.reason() + "; " + start.reason(),
                                        epoch))
                        : none());
    }

    private Uni<Optional<Verdict>> repeatStopUnlessPaused(
            DatabaseSnapshot snapshot, Lease lease, StopPolicy.Choice.Stop stop) {
        if (snapshot.state().phase() == Phase.STOP_STUCK) {
            return none();
        }
        var epoch = snapshot.state().epoch();
        if (snapshot.shared().sharers().size() > 1 && !timing.config().sharedDbLockEnabled()) {
            return verdict(Result.SKIPPED_DISABLED, "stopping shared databases is switched off", epoch);
        }
        return store.brake().chain(brake -> brake.paused()
                .map(reason -> verdict(Result.SKIPPED_DISABLED, "stops are paused: " + reason, epoch))
                .orElseGet(() -> repeatStop(snapshot, lease, stop)));
    }

    /** No commit guards a repeated order, so the snapshot is compared after the probes instead. */
    private Uni<Optional<Verdict>> repeatStop(DatabaseSnapshot snapshot, Lease lease, StopPolicy.Choice.Stop stop) {
        var terms = new StopExecution.Terms(timing.orderBy(lease), false, Optional.empty());
        var again = new StopExecution.Committed(snapshot, snapshot.state().epoch(), terms, stop.reason());
        return store.snapshot(snapshot.id())
                .chain(found -> found.filter(snapshot::isUnchangedIn).isEmpty()
                        ? none()
                        : execution.act(again).chain(verdict -> stuckIfOverdue(snapshot, verdict)));
    }

    /** A database that still runs after {@code stop-max} and a last order is stuck, unless the order was refused. */
    private Uni<Optional<Verdict>> stuckIfOverdue(DatabaseSnapshot snapshot, Verdict verdict) {
        var overdue = isOverdue(snapshot.state(), timing.config().stopMax());
        return overdue && verdict.result() != Result.STOPPED
                ? store.snapshot(snapshot.id())
                        .chain(found -> found.filter(now -> now.state().phase() == Phase.STOPPING)
                                .map(now -> stuck(now, new Reading(State.RUNNING, "")))
                                .orElseGet(() -> Uni.createFrom().item(Optional.of(verdict))))
                : Uni.createFrom().item(Optional.of(verdict));
    }

    /** Keeps {@code since}, which is the time of the order. */
    private Uni<Optional<Verdict>> stuck(DatabaseSnapshot snapshot, Reading seen) {
        var state = snapshot.state();
        if (state.phase() == Phase.STOP_STUCK) {
            return none();
        }
        var reason =
                "ordered at " + state.since() + " and still " + seen.text() + "; an operator must check the database";
        return store.settle(snapshot.id(), state.epoch(), Phase.STOP_STUCK, state.since())
                .chain(settled -> settled ? verdict(Result.STOP_STUCK, reason, state.epoch()) : none());
    }

    private Uni<State> stateOf(DatabaseSnapshot snapshot) {
        return actuator.state(snapshot.database()).map(Reading::state);
    }

    private boolean isOverdue(PowerState state, Duration span) {
        return state.since().plus(span).isBefore(timing.now());
    }

    private static Uni<Optional<Verdict>> verdict(Result result, String reason, long epoch) {
        return Verdict.of(result, reason, epoch).map(Optional::of);
    }

    private static Uni<Optional<Verdict>> none() {
        return Uni.createFrom().item(Optional.empty());
    }
}
