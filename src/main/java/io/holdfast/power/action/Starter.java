package io.holdfast.power.action;

import io.holdfast.power.model.DatabaseSnapshot;
import io.holdfast.power.model.Decision.Result;
import io.holdfast.power.model.Phase;
import io.holdfast.power.model.Verdict;
import io.holdfast.power.port.Actuator;
import io.holdfast.power.port.Actuator.Reading;
import io.holdfast.power.port.Actuator.State;
import io.holdfast.power.port.DatabaseAnswers;
import io.holdfast.power.port.PowerStore;
import io.holdfast.registry.DatabaseId;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Instant;

/**
 * Makes one database run before its app does. The app's hold is placed first, so a stop that is not yet committed never
 * will be; one that is committed is waited for, and then undone.
 */
@Singleton
public class Starter {
    private static final int CHANGES_MAX = 3;

    private final PowerStore store;
    private final DatabaseLock lock;
    private final Actuator actuator;
    private final DatabaseAnswers answers;
    private final StatePoller poller;
    private final Timing timing;

    public Starter(
            PowerStore store,
            DatabaseLock lock,
            Actuator actuator,
            DatabaseAnswers answers,
            StatePoller poller,
            Timing timing) {
        this.store = store;
        this.lock = lock;
        this.actuator = actuator;
        this.answers = answers;
        this.poller = poller;
        this.timing = timing;
    }

    /** The app's hold is in place already. */
    public Uni<Verdict> start(DatabaseId id) {
        return lock.acquire(id, timing.config().startLockMaxRetries()).chain(taken -> switch (taken) {
            case DatabaseLock.Taken.No no ->
                Verdict.of(
                        Result.STARTING,
                        "another decision is under way: " + no.reason() + "; it will be started after");
            case DatabaseLock.Taken.Yes yes ->
                startHolding(id, timing.answerBy())
                        .map(verdict -> verdict.under(yes.lease()))
                        .onItemOrFailure()
                        .call(() -> lock.releaseQuietly(yes.lease()));
        });
    }

    /** Under the lock: nobody else decides about this database meanwhile. */
    public Uni<Verdict> startHolding(DatabaseId id, Instant until) {
        return step(id, until, 0);
    }

    private Uni<Verdict> step(DatabaseId id, Instant until, int changes) {
        return store.snapshot(id).chain(found -> found.map(snapshot ->
                        settledState(snapshot, until).chain(reading -> bringUp(snapshot, reading, until, changes)))
                .orElseGet(() -> Verdict.of(Result.START_FAILED, "it is no longer registered")));
    }

    /** A stop under way is waited for. Without one, whatever the database does is what it does. */
    private Uni<Reading> settledState(DatabaseSnapshot snapshot, Instant until) {
        var database = snapshot.database();
        return snapshot.state().phase().mayStop()
                ? poller.poll(database, State.STOPPED::equals, timing.halfwayTo(until))
                        .chain(reading -> reading.state() == State.STOPPING
                                ? poller.poll(database, seen -> seen != State.STOPPING, until)
                                : Uni.createFrom().item(reading))
                : poller.poll(database, state -> state != State.STOPPING, until);
    }

    private Uni<Verdict> bringUp(DatabaseSnapshot snapshot, Reading reading, Instant until, int changes) {
        return switch (reading.state()) {
            case STOPPED -> order(snapshot, until, changes);
            // A stop was ordered and may still come about; only a later order to start is an answer to that.
            case RUNNING, STARTING ->
                switch (snapshot.state().phase()) {
                    case STOPPING, STOP_STUCK -> order(snapshot, until, changes);
                    // That order may not have been taken yet.
                    case STARTING -> act(snapshot, snapshot.state().epoch(), until);
                    case UNDECIDED, RUNNING, STOPPED -> awaitRunning(snapshot, until, changes);
                };
            case STOPPING ->
                Verdict.of(Result.STARTING, "it is stopping, and will be started as soon as it has stopped", snapshot);
            case UNKNOWN -> inDoubt(snapshot, reading.detail());
        };
    }

    /** Nothing was done to it, and it answers: that is all an app needs, whatever cannot be told about it. */
    private Uni<Verdict> inDoubt(DatabaseSnapshot snapshot, String cause) {
        var unknown = "its state cannot be told: " + cause + "; it will be looked at again";
        var canBeAsked = snapshot.database().address().port().isPresent();
        if (!snapshot.state().phase().mayRun() || !canBeAsked) {
            return Verdict.of(Result.STARTING, unknown, snapshot);
        }
        return answers.answers(snapshot.database())
                .chain(answers -> answers
                        ? Verdict.of(Result.RUNNING, "it answers, though its state cannot be told: " + cause, snapshot)
                        : Verdict.of(Result.STARTING, unknown, snapshot));
    }

    private Uni<Verdict> awaitRunning(DatabaseSnapshot snapshot, Instant until, int changes) {
        return poller.poll(snapshot.database(), State.RUNNING::equals, until)
                .chain(reading -> reading.state() == State.RUNNING
                        ? running(snapshot, until, changes)
                        : Verdict.of(Result.STARTING, "it is being started, still coming up", snapshot));
    }

    private Uni<Verdict> running(DatabaseSnapshot snapshot, Instant until, int changes) {
        var now = timing.now();
        var known = snapshot.state().phase() == Phase.RUNNING;
        var noted = known ? Uni.createFrom().item(true) : store.commit(snapshot, Phase.RUNNING, now);
        var epoch = known ? snapshot.state().epoch() : snapshot.state().nextEpoch(now);
        return noted.chain(done -> done
                ? poller.answers(snapshot.database(), until)
                        .chain(answers -> answers
                                ? Verdict.of(Result.RUNNING, "it is running and answers", epoch)
                                : Verdict.of(Result.STARTING, "it is running but does not answer yet", epoch))
                : stepAgain(snapshot.id(), until, changes));
    }

    private Uni<Verdict> order(DatabaseSnapshot snapshot, Instant until, int changes) {
        var now = timing.now();
        return store.commit(snapshot, Phase.STARTING, now)
                .chain(committed -> committed
                        ? act(snapshot, snapshot.state().nextEpoch(now), until)
                        : stepAgain(snapshot.id(), until, changes));
    }

    /** Another app placed its hold meanwhile, or a link changed: neither speaks against a start. */
    private Uni<Verdict> stepAgain(DatabaseId id, Instant until, int changes) {
        return changes < CHANGES_MAX
                ? step(id, until, changes + 1)
                : Verdict.of(Result.STARTING, "too much changed meanwhile; it will be started shortly");
    }

    /** Orders a committed start, or repeats the order. */
    public Uni<Verdict> act(DatabaseSnapshot snapshot, long epoch, Instant until) {
        return actuator.start(snapshot.database(), epoch).chain(outcome -> switch (outcome) {
            case Actuator.Outcome.Accepted accepted -> verify(snapshot, epoch, until);
            case Actuator.Outcome.Already already -> verify(snapshot, epoch, until);
            case Actuator.Outcome.Refused refused -> refused(snapshot, epoch, refused.reason());
            case Actuator.Outcome.Retry retry ->
                Verdict.of(Result.START_FAILED, retry.reason() + "; it will be tried again", epoch);
        });
    }

    /** That it runs settles it. Whether it answers yet only decides what the app is told. */
    private Uni<Verdict> verify(DatabaseSnapshot snapshot, long epoch, Instant until) {
        return poller.poll(snapshot.database(), State.RUNNING::equals, until)
                .chain(reading -> reading.state() == State.RUNNING
                        ? settle(snapshot, epoch, Phase.RUNNING)
                                .chain(() -> poller.answers(snapshot.database(), until))
                                .chain(answers -> answers
                                        ? Verdict.of(Result.STARTED, "it was started and answers", epoch)
                                        : Verdict.of(Result.STARTING, "it runs but does not answer yet", epoch))
                        : Verdict.of(Result.STARTING, "accepted, still coming up" + whyUnknown(reading), epoch));
    }

    private static String whyUnknown(Reading reading) {
        return reading.state() == State.UNKNOWN ? "; its state cannot be told: " + reading.detail() : "";
    }

    private Uni<Verdict> refused(DatabaseSnapshot snapshot, long epoch, String reason) {
        timing.history()
                .rest(
                        snapshot.id(),
                        ProbeHistory.Chore.START,
                        timing.now().plus(timing.config().refusedPause()));
        return actuator.state(snapshot.database())
                .chain(reading ->
                        settle(snapshot, epoch, reading.state() == State.RUNNING ? Phase.RUNNING : Phase.STOPPED))
                .chain(() -> Verdict.of(Result.START_FAILED, reason, epoch));
    }

    private Uni<Boolean> settle(DatabaseSnapshot snapshot, long epoch, Phase phase) {
        return store.settle(snapshot.id(), epoch, phase, timing.now());
    }
}
