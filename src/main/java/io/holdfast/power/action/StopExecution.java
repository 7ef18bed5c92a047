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

/** Carries out a stop that is committed: orders it, and watches until it is done. */
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

    /** @param snapshot what was seen before the commit, or when an order is repeated */
    public record Committed(DatabaseSnapshot snapshot, long epoch, Terms terms, String reason) {}

    /**
     * @param orderBy after this nothing is ordered any more
     * @param awaited whether somebody waits for the end of it
     * @param permit the brake's, given back if nothing comes of it; none when an order is repeated
     */
    public record Terms(Instant orderBy, boolean awaited, Optional<Brake.Permit.Granted> permit) {}

    /**
     * Orders the stop, unless it has become too late for that: whoever slept must not act on what it knew before.
     * Asking twice for one epoch is harmless, so a successor may repeat it.
     */
    public Uni<Verdict> act(Committed stop) {
        if (timing.now().isAfter(stop.terms().orderBy())) {
            return Verdict.of(
                    Result.STOPPING,
                    "committed, but too late to be ordered by this look; another follows",
                    stop.epoch());
        }
        return actuator.stop(stop.snapshot().database(), stop.epoch()).chain(outcome -> switch (outcome) {
            case Actuator.Outcome.Accepted accepted -> verify(stop);
            case Actuator.Outcome.Already already -> verify(stop);
            case Actuator.Outcome.Refused refused -> refused(stop, refused.reason());
            case Actuator.Outcome.Retry retry ->
                Verdict.of(Result.STOP_FAILED, retry.reason() + "; it will be tried again", stop.epoch());
        });
    }

    /** It goes on running as if nothing had been decided, and is left in peace for a while. */
    private Uni<Verdict> refused(Committed stop, String reason) {
        var before = stop.snapshot().state();
        var now = timing.now();
        timing.history()
                .rest(
                        stop.snapshot().id(),
                        ProbeHistory.Chore.STOP,
                        now.plus(timing.config().refusedPause()));
        var since = before.phase().mayRun() ? before.since() : now;
        var phase = before.phase().mayRun() ? before.phase() : Phase.RUNNING;
        var givenBack = stop.terms().permit().map(store::returnPermit).orElseGet(() -> Uni.createFrom()
                .voidItem());
        return givenBack
                .chain(() -> store.settle(stop.snapshot().id(), stop.epoch(), phase, since))
                .chain(() -> Verdict.of(Result.STOP_FAILED, reason, stop.epoch()));
    }

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
                        : Verdict.of(Result.STOPPING, "it stopped, and another decision followed", stop.epoch()));
    }
}
