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
 * Starts one database for an app. The start claim is stored first, so no stop can be committed after it. If a stop is
 * already committed, waits for its end and then orders a start.
 */
@Singleton
public class Starter {
    private static final int RETRIES_MAX = 3;

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

    /** The caller has stored the start claim. */
    public Uni<Verdict> start(DatabaseId id) {
        return lock.acquire(id, timing.config().startLockMaxRetries()).chain(acquisition -> switch (acquisition) {
            case DatabaseLock.Acquisition.NotAcquired refused ->
                Verdict.of(
                        Result.STARTING,
                        "another decision is in progress: " + refused.reason()
                                + "; the database is started afterwards");
            case DatabaseLock.Acquisition.Acquired acquired ->
                startUnderLock(id, timing.answerBy())
                        .map(verdict -> verdict.withLease(acquired.lease()))
                        .onItemOrFailure()
                        .call(() -> lock.releaseQuietly(acquired.lease()));
        });
    }

    /** The caller holds the lock of the database. */
    public Uni<Verdict> startUnderLock(DatabaseId id, Instant until) {
        return step(id, until, 0);
    }

    private Uni<Verdict> step(DatabaseId id, Instant until, int retries) {
        return store.snapshot(id).chain(found -> found.map(snapshot ->
                        stateAfterStop(snapshot, until).chain(reading -> startFrom(snapshot, reading, until, retries)))
                .orElseGet(() -> Verdict.of(Result.START_FAILED, "the database is no longer registered")));
    }

    /**
     * Waits for a stop in progress, and returns the state after it. A committed stop may not show yet, or may not have
     * been ordered. So a database that does not begin to stop is awaited for half of the time only.
     */
    private Uni<Reading> stateAfterStop(DatabaseSnapshot snapshot, Instant until) {
        var database = snapshot.database();
        return snapshot.state().phase().isStopPending()
                ? poller.poll(database, State.STOPPED::equals, timing.halfwayTo(until))
                        .chain(reading -> reading.state() == State.STOPPING
                                ? poller.poll(database, seen -> seen != State.STOPPING, until)
                                : Uni.createFrom().item(reading))
                : poller.poll(database, state -> state != State.STOPPING, until);
    }

    private Uni<Verdict> startFrom(DatabaseSnapshot snapshot, Reading reading, Instant until, int retries) {
        return switch (reading.state()) {
            case STOPPED -> order(snapshot, until, retries);
            case RUNNING, STARTING ->
                switch (snapshot.state().phase()) {
                    // The ordered stop may still take effect, so a start with a newer epoch is needed.
                    case STOPPING, STOP_STUCK -> order(snapshot, until, retries);
                    // The actuator may not have received the committed start order.
                    case STARTING -> act(snapshot, snapshot.state().epoch(), until);
                    case UNDECIDED, RUNNING, STOPPED -> awaitRunning(snapshot, until, retries);
                };
            case STOPPING ->
                Verdict.of(
                        Result.STARTING, "the database is stopping and is started as soon as it has stopped", snapshot);
            case UNKNOWN -> stateUnknown(snapshot, reading.detail());
        };
    }

    /** Without a pending order, a database that accepts connections counts as running. */
    private Uni<Verdict> stateUnknown(DatabaseSnapshot snapshot, String cause) {
        var unknown = "the state of the database is unknown: " + cause + "; it will be checked again";
        var hasPort = snapshot.database().address().port().isPresent();
        if (!snapshot.state().phase().mayRun() || !hasPort) {
            return Verdict.of(Result.STARTING, unknown, snapshot);
        }
        return answers.answers(snapshot.database())
                .chain(answers -> answers
                        ? Verdict.of(
                                Result.RUNNING,
                                "the database accepts connections, but its state is unknown: " + cause,
                                snapshot)
                        : Verdict.of(Result.STARTING, unknown, snapshot));
    }

    private Uni<Verdict> awaitRunning(DatabaseSnapshot snapshot, Instant until, int retries) {
        return poller.poll(snapshot.database(), State.RUNNING::equals, until)
                .chain(reading -> reading.state() == State.RUNNING
                        ? running(snapshot, until, retries)
                        : Verdict.of(Result.STARTING, "the database is still starting", snapshot));
    }

    private Uni<Verdict> running(DatabaseSnapshot snapshot, Instant until, int retries) {
        var now = timing.now();
        var known = snapshot.state().phase() == Phase.RUNNING;
        var recorded = known ? Uni.createFrom().item(true) : store.commit(snapshot, Phase.RUNNING, now);
        var epoch = known ? snapshot.state().epoch() : snapshot.state().nextEpoch(now);
        return recorded.chain(done -> done
                ? poller.answers(snapshot.database(), until)
                        .chain(answers -> answers
                                ? Verdict.of(Result.RUNNING, "the database is running and accepts connections", epoch)
                                : Verdict.of(
                                        Result.STARTING,
                                        "the database is running but does not accept connections yet",
                                        epoch))
                : retry(snapshot.id(), until, retries));
    }

    private Uni<Verdict> order(DatabaseSnapshot snapshot, Instant until, int retries) {
        var now = timing.now();
        return store.commit(snapshot, Phase.STARTING, now)
                .chain(committed -> committed
                        ? act(snapshot, snapshot.state().nextEpoch(now), until)
                        : retry(snapshot.id(), until, retries));
    }

    /** The commit failed, because the database or its links and claims have changed. Reads them again. */
    private Uni<Verdict> retry(DatabaseId id, Instant until, int retries) {
        return retries < RETRIES_MAX
                ? step(id, until, retries + 1)
                : Verdict.of(Result.STARTING, "links and claims kept changing; the reconciler starts the database");
    }

    /** Sends the order of a committed start, or repeats it. */
    public Uni<Verdict> act(DatabaseSnapshot snapshot, long epoch, Instant until) {
        return actuator.start(snapshot.database(), epoch).chain(outcome -> switch (outcome) {
            case Actuator.Outcome.Accepted accepted -> verify(snapshot, epoch, until);
            case Actuator.Outcome.Already already -> verify(snapshot, epoch, until);
            case Actuator.Outcome.Refused refused -> refused(snapshot, epoch, refused.reason());
            case Actuator.Outcome.Retry retry ->
                Verdict.of(Result.START_FAILED, retry.reason() + "; it will be retried", epoch);
        });
    }

    /** RUNNING completes the start. Whether the database accepts connections only affects the result for the app. */
    private Uni<Verdict> verify(DatabaseSnapshot snapshot, long epoch, Instant until) {
        return poller.poll(snapshot.database(), State.RUNNING::equals, until)
                .chain(reading -> reading.state() == State.RUNNING
                        ? settle(snapshot, epoch, Phase.RUNNING)
                                .chain(() -> poller.answers(snapshot.database(), until))
                                .chain(answers -> answers
                                        ? Verdict.of(
                                                Result.STARTED,
                                                "the database was started and accepts connections",
                                                epoch)
                                        : Verdict.of(
                                                Result.STARTING,
                                                "the database is running but does not accept connections yet",
                                                epoch))
                        : Verdict.of(Result.STARTING, "accepted, still starting" + whyUnknown(reading), epoch));
    }

    private static String whyUnknown(Reading reading) {
        return reading.state() == State.UNKNOWN ? "; its state is unknown: " + reading.detail() : "";
    }

    private Uni<Verdict> refused(DatabaseSnapshot snapshot, long epoch, String reason) {
        timing.history()
                .postpone(
                        snapshot.id(),
                        ProbeHistory.Task.START,
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
