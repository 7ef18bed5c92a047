package io.holdfast.power;

import io.holdfast.lock.model.Lease;
import io.holdfast.power.Actuator.Reading;
import io.holdfast.power.Actuator.State;
import io.holdfast.power.Decision.What;
import io.holdfast.power.Stopper.Order;
import io.holdfast.power.Watch.Chore;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/** What is left to do about one database, from what was decided and what is. Always under its lock. */
@Singleton
class NextStep {
    private static final Logger LOG = Logger.getLogger(NextStep.class);

    private final PowerStore store;
    private final Actuator actuator;
    private final Stopper stopper;
    private final Starter starter;
    private final StopOrder stopOrder;
    private final Timing timing;

    NextStep(
            PowerStore store, Actuator actuator, Stopper stopper, Starter starter, StopOrder stopOrder, Timing timing) {
        this.store = store;
        this.actuator = actuator;
        this.stopper = stopper;
        this.starter = starter;
        this.stopOrder = stopOrder;
        this.timing = timing;
    }

    /** Spares the lock, and whoever waits for it, where there is nothing to do yet. */
    boolean isDue(Situation situation, Instant now) {
        var phase = situation.state().phase();
        if (phase.mayStop() || phase == Phase.STARTING) {
            return true;
        }
        var held = !situation.state().intents().holdersAt(now).isEmpty();
        var other = phase == Phase.STOPPED ? Chore.RECHECK : Chore.STOP;
        return !timing.watch().rests(situation.id(), held ? Chore.START : other, now);
    }

    /** Nothing, if all that can be done is to look again later. */
    Uni<Optional<Verdict>> take(Situation situation, Lease lease) {
        var state = situation.state();
        var held = !state.intents().holdersAt(timing.now()).isEmpty();
        return switch (state.phase()) {
            case UNDECIDED, RUNNING -> held ? keepUp(situation) : stopIfAsked(situation, lease);
            case STOPPED -> held ? startAgain(situation) : recheck(situation);
            case STARTING -> goOnStarting(situation);
            case STOPPING, STOP_STUCK -> goOnStopping(situation, lease);
        };
    }

    /**
     * An app that asked for a start behind a stop is owed one, however long the stop takes: its hold must not run out
     * before.
     */
    Uni<Situation> keepHolds(Situation situation) {
        var now = timing.now();
        var hold = timing.config().hold();
        var soon = now.plus(hold.dividedBy(2));
        var ending = situation.state().intents().holdersAt(now).stream()
                .filter(app -> situation.state().intents().holds().get(app).isBefore(soon))
                .map(app -> store.prolong(situation, app, now.plus(hold)))
                .toList();
        return ending.isEmpty() || !situation.state().phase().mayStop()
                ? Uni.createFrom().item(situation)
                : Uni.join()
                        .all(ending)
                        .andFailFast()
                        .chain(() -> store.look(situation.id()))
                        .map(found -> found.orElse(situation));
    }

    /** An app needs it: if it went down all the same, it is started again. */
    private Uni<Optional<Verdict>> keepUp(Situation situation) {
        return stateOf(situation)
                .chain(seen -> seen == State.STOPPED || seen == State.STOPPING ? startAgain(situation) : nothing());
    }

    private Uni<Optional<Verdict>> startAgain(Situation situation) {
        return starter.startHolding(situation.id(), timing.now()).map(Optional::of);
    }

    /** A hold that ended, or whose app left, is no request to stop. */
    private Uni<Optional<Verdict>> stopIfAsked(Situation situation, Lease lease) {
        return situation.state().intents().wishes().isEmpty() ? nothing() : stopIfFree(situation, lease);
    }

    private Uni<Optional<Verdict>> stopIfFree(Situation situation, Lease lease) {
        var order = new Order(situation.id(), Optional.empty(), false);
        return stopper.judge(situation, order, Optional.of(lease))
                .call(() -> dropWishesOfAppsThatAreBack(situation))
                .map(Optional::of);
    }

    /** An app that was down and is up again has come back without a word. What it wished before is over. */
    private Uni<Void> dropWishesOfAppsThatAreBack(Situation situation) {
        var back = timing.watch().backUp(situation.id()).stream()
                .filter(situation.state().intents().wishes()::containsKey)
                .collect(Collectors.toSet());
        if (back.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        LOG.infof("Wishes dropped, the apps are back up db=%s apps=%s", situation.id(), back);
        return store.forget(situation, back);
    }

    /** Not everything that starts a database asks us first; what wishes there are stand all the same. */
    private Uni<Optional<Verdict>> recheck(Situation situation) {
        var now = timing.now();
        return stateOf(situation).chain(seen -> {
            if (seen != State.RUNNING) {
                timing.watch()
                        .rest(
                                situation.id(),
                                Chore.RECHECK,
                                now.plus(timing.config().recheckEvery()));
                return nothing();
            }
            return store.commit(situation, Phase.RUNNING, now)
                    .chain(noted -> noted
                            ? verdict(
                                    What.RUNNING,
                                    "it was stopped, and somebody else has started it",
                                    situation.state().nextEpoch(now))
                            : nothing());
        });
    }

    private Uni<Optional<Verdict>> goOnStarting(Situation situation) {
        var state = situation.state();
        return starter.act(situation, state.epoch(), timing.now())
                .chain(verdict -> verdict.what() != What.STARTED
                                && isOver(state, timing.config().startMax())
                        ? giveUpStarting(situation, verdict)
                        : Uni.createFrom().item(Optional.of(verdict)));
    }

    /** It was ordered once more, and its time is over: what it is now is what it is. */
    private Uni<Optional<Verdict>> giveUpStarting(Situation situation, Verdict last) {
        var state = situation.state();
        var reason = "ordered at " + state.since() + " and not up yet; somebody has to look";
        return stateOf(situation)
                .chain(seen -> seen == State.RUNNING
                        ? Uni.createFrom().item(Optional.of(last))
                        : store.settle(
                                        situation.id(),
                                        state.epoch(),
                                        seen == State.STOPPED ? Phase.STOPPED : Phase.RUNNING,
                                        timing.now())
                                .chain(settled ->
                                        settled ? verdict(What.START_FAILED, reason, state.epoch()) : nothing()));
    }

    private Uni<Optional<Verdict>> goOnStopping(Situation situation, Lease lease) {
        return actuator.state(situation.database()).chain(seen -> switch (seen.state()) {
            case STOPPED -> stopped(situation);
            // Who ordered it may still be at it, and not everything that stops shows that at once.
            case RUNNING ->
                isOver(situation.state(), timing.config().lockTtl()) ? stopAgainOrCallOff(situation, lease) : nothing();
            case STOPPING, STARTING, UNKNOWN ->
                isOver(situation.state(), timing.config().stopMax()) ? stuck(situation, seen) : nothing();
        });
    }

    private Uni<Optional<Verdict>> stopped(Situation situation) {
        var epoch = situation.state().epoch();
        return store.settle(situation.id(), epoch, Phase.STOPPED, timing.now())
                .chain(settled -> settled ? verdict(What.STOPPED, "the stop has come to its end", epoch) : nothing());
    }

    /**
     * Committed, and still running: perhaps the order never left, perhaps it is slow. It is repeated only if the apps
     * still are all down and nothing has put the brake on; otherwise it is called off.
     */
    private Uni<Optional<Verdict>> stopAgainOrCallOff(Situation situation, Lease lease) {
        return stopper.look(situation.shared().sharers()).chain(seen -> {
            var question = new StopPolicy.Question(situation, seen, StopPolicy.Patience.NONE, timing.now());
            var step =
                    switch (StopPolicy.decide(question)) {
                        case StopPolicy.Verdict.Skip skip -> callOff(situation, skip);
                        case StopPolicy.Verdict.Stop stop -> stopAgainUnlessBraked(situation, lease, stop);
                    };
            return step.map(verdict -> verdict.map(found -> found.having(seen)));
        });
    }

    /** An order to stop may be on its way, so calling it off is an order, too. */
    private Uni<Optional<Verdict>> callOff(Situation situation, StopPolicy.Verdict.Skip skip) {
        var now = timing.now();
        var epoch = situation.state().nextEpoch(now);
        return store.commit(situation, Phase.STARTING, now)
                .chain(committed -> committed
                        ? starter.act(situation, epoch, now)
                                .chain(start -> verdict(
                                        skip.what(), "called off: " + skip.reason() + "; " + start.reason(), epoch))
                        : nothing());
    }

    private Uni<Optional<Verdict>> stopAgainUnlessBraked(
            Situation situation, Lease lease, StopPolicy.Verdict.Stop stop) {
        if (situation.state().phase() == Phase.STOP_STUCK) {
            return nothing();
        }
        var epoch = situation.state().epoch();
        if (situation.shared().sharers().size() > 1 && !timing.config().sharedDbLockEnabled()) {
            return verdict(What.SKIPPED_DISABLED, "stopping shared databases is switched off", epoch);
        }
        return store.brake().chain(brake -> brake.paused()
                .map(reason -> verdict(What.SKIPPED_DISABLED, "stops are paused: " + reason, epoch))
                .orElseGet(() -> stopAgain(situation, lease, stop)));
    }

    /** No commit guards this order, so what the probes were asked about is looked at once more. */
    private Uni<Optional<Verdict>> stopAgain(Situation situation, Lease lease, StopPolicy.Verdict.Stop stop) {
        var terms = new StopOrder.Terms(timing.orderBy(lease), false, Optional.empty());
        var again = new StopOrder.Committed(situation, situation.state().epoch(), terms, stop.reason());
        return store.look(situation.id())
                .chain(found -> found.filter(situation::isStill).isEmpty()
                        ? nothing()
                        : stopOrder.act(again).chain(verdict -> afterAll(situation, verdict)));
    }

    /** What still runs when its time is over, though it was ordered once more, is stuck. What was refused is not. */
    private Uni<Optional<Verdict>> afterAll(Situation situation, Verdict verdict) {
        var over = isOver(situation.state(), timing.config().stopMax());
        return over && verdict.what() != What.STOPPED
                ? store.look(situation.id())
                        .chain(found -> found.filter(now -> now.state().phase() == Phase.STOPPING)
                                .map(now -> stuck(now, new Reading(State.RUNNING, "")))
                                .orElseGet(() -> Uni.createFrom().item(Optional.of(verdict))))
                : Uni.createFrom().item(Optional.of(verdict));
    }

    /** Since when it is so stays as it was: that is when somebody has to begin to look. */
    private Uni<Optional<Verdict>> stuck(Situation situation, Reading seen) {
        var state = situation.state();
        if (state.phase() == Phase.STOP_STUCK) {
            return nothing();
        }
        var reason = "ordered at " + state.since() + " and still " + seen.words() + "; somebody has to look";
        return store.settle(situation.id(), state.epoch(), Phase.STOP_STUCK, state.since())
                .chain(settled -> settled ? verdict(What.STOP_STUCK, reason, state.epoch()) : nothing());
    }

    private Uni<State> stateOf(Situation situation) {
        return actuator.state(situation.database()).map(Reading::state);
    }

    private boolean isOver(PowerState state, Duration span) {
        return state.since().plus(span).isBefore(timing.now());
    }

    private static Uni<Optional<Verdict>> verdict(What what, String reason, long epoch) {
        return Verdict.of(what, reason, epoch).map(Optional::of);
    }

    private static Uni<Optional<Verdict>> nothing() {
        return Uni.createFrom().item(Optional.empty());
    }
}
