package io.holdfast.power;

import io.holdfast.power.Actuator.State;
import io.holdfast.power.Decision.What;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Optional;

/** Carries out a stop that is committed: orders it, and watches until it is done. */
@Singleton
class StopOrder {
    private final PowerStore store;
    private final Actuator actuator;
    private final Verifier verifier;
    private final Timing timing;

    StopOrder(PowerStore store, Actuator actuator, Verifier verifier, Timing timing) {
        this.store = store;
        this.actuator = actuator;
        this.verifier = verifier;
        this.timing = timing;
    }

    /** @param situation what was seen before the commit, or when an order is repeated */
    record Committed(Situation situation, long epoch, Terms terms, String reason) {}

    /**
     * @param orderBy after this nothing is ordered any more
     * @param awaited whether somebody waits for the end of it
     * @param permit the brake's, given back if nothing comes of it; none when an order is repeated
     */
    record Terms(Instant orderBy, boolean awaited, Optional<Brake.Permit.Granted> permit) {}

    /**
     * Orders the stop, unless it has become too late for that: whoever slept must not act on what it knew before.
     * Asking twice for one epoch is harmless, so a successor may repeat it.
     */
    Uni<Verdict> act(Committed stop) {
        if (timing.now().isAfter(stop.terms().orderBy())) {
            return Verdict.of(
                    What.STOPPING, "committed, but too late to be ordered by this look; another follows", stop.epoch());
        }
        return actuator.stop(stop.situation().database(), stop.epoch()).chain(outcome -> switch (outcome) {
            case Actuator.Outcome.Accepted accepted -> verify(stop);
            case Actuator.Outcome.Already already -> verify(stop);
            case Actuator.Outcome.Refused refused -> refused(stop, refused.reason());
            case Actuator.Outcome.Retry retry ->
                Verdict.of(What.STOP_FAILED, retry.reason() + "; it will be tried again", stop.epoch());
        });
    }

    /** It goes on running as if nothing had been decided, and is left in peace for a while. */
    private Uni<Verdict> refused(Committed stop, String reason) {
        var before = stop.situation().state();
        var now = timing.now();
        timing.watch()
                .rest(
                        stop.situation().id(),
                        Watch.Chore.STOP,
                        now.plus(timing.config().refusedPause()));
        var since = before.phase().mayRun() ? before.since() : now;
        var phase = before.phase().mayRun() ? before.phase() : Phase.RUNNING;
        var givenBack = stop.terms().permit().map(store::giveBack).orElseGet(() -> Uni.createFrom()
                .voidItem());
        return givenBack
                .chain(() -> store.settle(stop.situation().id(), stop.epoch(), phase, since))
                .chain(() -> Verdict.of(What.STOP_FAILED, reason, stop.epoch()));
    }

    private Uni<Verdict> verify(Committed stop) {
        var until = stop.terms().awaited() ? timing.answerBy() : timing.now();
        return verifier.watch(stop.situation().database(), State.STOPPED::equals, until)
                .chain(reading -> reading.state() == State.STOPPED
                        ? stopped(stop)
                        : Verdict.of(What.STOPPING, "accepted, still going down; " + stop.reason(), stop.epoch()));
    }

    private Uni<Verdict> stopped(Committed stop) {
        return store.settle(stop.situation().id(), stop.epoch(), Phase.STOPPED, timing.now())
                .chain(settled -> settled
                        ? Verdict.of(What.STOPPED, stop.reason(), stop.epoch())
                        : Verdict.of(What.STOPPING, "it stopped, and another decision followed", stop.epoch()));
    }
}
