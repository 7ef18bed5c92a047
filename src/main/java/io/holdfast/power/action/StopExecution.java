package io.holdfast.power.action;

import io.holdfast.power.model.Brake;
import io.holdfast.power.model.DatabaseSnapshot;
import io.holdfast.power.model.Decision.Result;
import io.holdfast.power.model.Phase;
import io.holdfast.power.model.Verdict;
import io.holdfast.power.port.Actuator;
import io.holdfast.power.port.Actuator.State;
import io.holdfast.power.port.PowerStore;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Optional;

/** Carries out a committed stop: sends the order and polls until the database is stopped. */
@Singleton
public class StopExecution {
    private final PowerStore store;
    private final Actuator actuator;
    private final StatePoller poller;
    private final Timing timing;

    public StopExecution(PowerStore store, Actuator actuator, StatePoller poller, Timing timing) {
        this.store = store;
        this.actuator = actuator;
        this.poller = poller;
        this.timing = timing;
    }

    /** @param snapshot from before the commit; for a repeated order, from before the repetition */
    public record Committed(DatabaseSnapshot snapshot, long epoch, Terms terms, String reason) {}

    /**
     * How a committed stop is carried out.
     *
     * @param orderBy no order is sent after this time
     * @param awaited whether a request waits for the result
     * @param permit of the brake, returned if the actuator refuses; empty for a repeated order
     */
    public record Terms(Instant orderBy, boolean awaited, Optional<Brake.Permit.Granted> permit) {}

    /**
     * Sends the order, unless {@code orderBy} has passed: a replica that was paused must not act on an old decision.
     * Orders are idempotent per epoch, so another replica may repeat it.
     */
    public Uni<Verdict> act(Committed stop) {
        if (timing.now().isAfter(stop.terms().orderBy())) {
            return Verdict.of(
                    Result.STOPPING,
                    "committed, but too late to send the order; the reconciler continues",
                    stop.epoch());
        }
        return actuator.stop(stop.snapshot().database(), stop.epoch()).chain(outcome -> switch (outcome) {
            case Actuator.Outcome.Accepted accepted -> verify(stop);
            case Actuator.Outcome.Already already -> verify(stop);
            case Actuator.Outcome.Refused refused -> refused(stop, refused.reason());
            case Actuator.Outcome.Retry retry ->
                Verdict.of(Result.STOP_FAILED, retry.reason() + "; it will be retried", stop.epoch());
        });
    }

    /**
     * Restores the phase from before the commit, returns the permit, and postpones the next attempt of the reconciler.
     * Before a repeated order the phase was STOPPING, so then it becomes RUNNING.
     */
    private Uni<Verdict> refused(Committed stop, String reason) {
        var before = stop.snapshot().state();
        var now = timing.now();
        timing.history()
                .postpone(
                        stop.snapshot().id(),
                        ProbeHistory.Task.STOP,
                        now.plus(timing.config().refusedPause()));
        var since = before.phase().mayRun() ? before.since() : now;
        var phase = before.phase().mayRun() ? before.phase() : Phase.RUNNING;
        var permitReturned = stop.terms().permit().map(store::returnPermit).orElseGet(() -> Uni.createFrom()
                .voidItem());
        return permitReturned
                .chain(() -> store.settle(stop.snapshot().id(), stop.epoch(), phase, since))
                .chain(() -> Verdict.of(Result.STOP_FAILED, reason, stop.epoch()));
    }

    /** Polls until the database is stopped. If no request waits for the result, reads the state once. */
    private Uni<Verdict> verify(Committed stop) {
        var until = stop.terms().awaited() ? timing.answerBy() : timing.now();
        return poller.poll(stop.snapshot().database(), State.STOPPED::equals, until)
                .chain(reading -> reading.state() == State.STOPPED
                        ? stopped(stop)
                        : Verdict.of(Result.STOPPING, "accepted, still going down; " + stop.reason(), stop.epoch()));
    }

    private Uni<Verdict> stopped(Committed stop) {
        return store.settle(stop.snapshot().id(), stop.epoch(), Phase.STOPPED, timing.now())
                .chain(settled -> settled
                        ? Verdict.of(Result.STOPPED, stop.reason(), stop.epoch())
                        : Verdict.of(
                                Result.STOPPING, "the database stopped, and another decision followed", stop.epoch()));
    }
}
