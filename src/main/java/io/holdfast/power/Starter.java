package io.holdfast.power;

import io.holdfast.power.Actuator.Reading;
import io.holdfast.power.Actuator.State;
import io.holdfast.power.Decision.What;
import io.holdfast.registry.DatabaseId;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Instant;

/**
 * Makes one database run before its app does. The app's hold is placed first, so a stop that is not yet committed never
 * will be; one that is committed is waited for, and then undone.
 */
@Singleton
class Starter {
    private static final int CHANGES_MAX = 3;

    private final PowerStore store;
    private final DatabaseLock lock;
    private final Actuator actuator;
    private final DatabaseAnswers answers;
    private final Verifier verifier;
    private final Timing timing;

    Starter(
            PowerStore store,
            DatabaseLock lock,
            Actuator actuator,
            DatabaseAnswers answers,
            Verifier verifier,
            Timing timing) {
        this.store = store;
        this.lock = lock;
        this.actuator = actuator;
        this.answers = answers;
        this.verifier = verifier;
        this.timing = timing;
    }

    /** The app's hold is in place already. */
    Uni<Verdict> start(DatabaseId id) {
        return lock.take(id, timing.config().startLockMaxRetries()).chain(taken -> switch (taken) {
            case DatabaseLock.Taken.No no ->
                Verdict.of(
                        What.STARTING, "another decision is under way: " + no.reason() + "; it will be started after");
            case DatabaseLock.Taken.Yes yes ->
                startHolding(id, timing.answerBy())
                        .map(verdict -> verdict.under(yes.lease()))
                        .onItemOrFailure()
                        .call(() -> lock.giveBack(yes.lease()));
        });
    }

    /** Under the lock: nobody else decides about this database meanwhile. */
    Uni<Verdict> startHolding(DatabaseId id, Instant until) {
        return look(id, until, 0);
    }

    private Uni<Verdict> look(DatabaseId id, Instant until, int changes) {
        return store.look(id).chain(found -> found.map(situation ->
                        settledState(situation, until).chain(reading -> bringUp(situation, reading, until, changes)))
                .orElseGet(() -> Verdict.of(What.START_FAILED, "it is no longer registered")));
    }

    /** A stop under way is waited for. Without one, whatever the database does is what it does. */
    private Uni<Reading> settledState(Situation situation, Instant until) {
        var database = situation.database();
        return situation.state().phase().mayStop()
                ? verifier.watch(database, State.STOPPED::equals, timing.halfwayTo(until))
                        .chain(reading -> reading.state() == State.STOPPING
                                ? verifier.watch(database, seen -> seen != State.STOPPING, until)
                                : Uni.createFrom().item(reading))
                : verifier.watch(database, state -> state != State.STOPPING, until);
    }

    private Uni<Verdict> bringUp(Situation situation, Reading reading, Instant until, int changes) {
        return switch (reading.state()) {
            case STOPPED -> order(situation, until, changes);
            // A stop was ordered and may still come about; only a later order to start is an answer to that.
            case RUNNING, STARTING ->
                switch (situation.state().phase()) {
                    case STOPPING, STOP_STUCK -> order(situation, until, changes);
                    // That order may not have been taken yet.
                    case STARTING -> act(situation, situation.state().epoch(), until);
                    case UNDECIDED, RUNNING, STOPPED -> awaitRunning(situation, until, changes);
                };
            case STOPPING ->
                Verdict.of(What.STARTING, "it is stopping, and will be started as soon as it has stopped", situation);
            case UNKNOWN -> inDoubt(situation, reading.detail());
        };
    }

    /** Nothing was done to it, and it answers: that is all an app needs, whatever cannot be told about it. */
    private Uni<Verdict> inDoubt(Situation situation, String cause) {
        var unknown = "its state cannot be told: " + cause + "; it will be looked at again";
        var canBeAsked = situation.database().address().port().isPresent();
        if (!situation.state().phase().mayRun() || !canBeAsked) {
            return Verdict.of(What.STARTING, unknown, situation);
        }
        return answers.answers(situation.database())
                .chain(answers -> answers
                        ? Verdict.of(What.RUNNING, "it answers, though its state cannot be told: " + cause, situation)
                        : Verdict.of(What.STARTING, unknown, situation));
    }

    private Uni<Verdict> awaitRunning(Situation situation, Instant until, int changes) {
        return verifier.watch(situation.database(), State.RUNNING::equals, until)
                .chain(reading -> reading.state() == State.RUNNING
                        ? running(situation, until, changes)
                        : Verdict.of(What.STARTING, "it is being started, still coming up", situation));
    }

    private Uni<Verdict> running(Situation situation, Instant until, int changes) {
        var now = timing.now();
        var known = situation.state().phase() == Phase.RUNNING;
        var noted = known ? Uni.createFrom().item(true) : store.commit(situation, Phase.RUNNING, now);
        var epoch = known ? situation.state().epoch() : situation.state().nextEpoch(now);
        return noted.chain(done -> done
                ? verifier.answers(situation.database(), until)
                        .chain(answers -> answers
                                ? Verdict.of(What.RUNNING, "it is running and answers", epoch)
                                : Verdict.of(What.STARTING, "it is running but does not answer yet", epoch))
                : lookAgain(situation.id(), until, changes));
    }

    private Uni<Verdict> order(Situation situation, Instant until, int changes) {
        var now = timing.now();
        return store.commit(situation, Phase.STARTING, now)
                .chain(committed -> committed
                        ? act(situation, situation.state().nextEpoch(now), until)
                        : lookAgain(situation.id(), until, changes));
    }

    /** Another app placed its hold meanwhile, or a link changed: neither speaks against a start. */
    private Uni<Verdict> lookAgain(DatabaseId id, Instant until, int changes) {
        return changes < CHANGES_MAX
                ? look(id, until, changes + 1)
                : Verdict.of(What.STARTING, "too much changed meanwhile; it will be started shortly");
    }

    /** Orders a committed start, or repeats the order. */
    Uni<Verdict> act(Situation situation, long epoch, Instant until) {
        return actuator.start(situation.database(), epoch).chain(outcome -> switch (outcome) {
            case Actuator.Outcome.Accepted accepted -> verify(situation, epoch, until);
            case Actuator.Outcome.Already already -> verify(situation, epoch, until);
            case Actuator.Outcome.Refused refused -> refused(situation, epoch, refused.reason());
            case Actuator.Outcome.Retry retry ->
                Verdict.of(What.START_FAILED, retry.reason() + "; it will be tried again", epoch);
        });
    }

    /** That it runs settles it. Whether it answers yet only decides what the app is told. */
    private Uni<Verdict> verify(Situation situation, long epoch, Instant until) {
        return verifier.watch(situation.database(), State.RUNNING::equals, until)
                .chain(reading -> reading.state() == State.RUNNING
                        ? settle(situation, epoch, Phase.RUNNING)
                                .chain(() -> verifier.answers(situation.database(), until))
                                .chain(answers -> answers
                                        ? Verdict.of(What.STARTED, "it was started and answers", epoch)
                                        : Verdict.of(What.STARTING, "it runs but does not answer yet", epoch))
                        : Verdict.of(What.STARTING, "accepted, still coming up" + whyUnknown(reading), epoch));
    }

    private static String whyUnknown(Reading reading) {
        return reading.state() == State.UNKNOWN ? "; its state cannot be told: " + reading.detail() : "";
    }

    private Uni<Verdict> refused(Situation situation, long epoch, String reason) {
        timing.watch()
                .rest(
                        situation.id(),
                        Watch.Chore.START,
                        timing.now().plus(timing.config().refusedPause()));
        return actuator.state(situation.database())
                .chain(reading ->
                        settle(situation, epoch, reading.state() == State.RUNNING ? Phase.RUNNING : Phase.STOPPED))
                .chain(() -> Verdict.of(What.START_FAILED, reason, epoch));
    }

    private Uni<Boolean> settle(Situation situation, long epoch, Phase phase) {
        return store.settle(situation.id(), epoch, phase, timing.now());
    }
}
