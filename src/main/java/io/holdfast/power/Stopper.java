package io.holdfast.power;

import io.holdfast.lock.Lease;
import io.holdfast.power.Actuator.State;
import io.holdfast.power.Decision.Seen;
import io.holdfast.power.Decision.What;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.Sharer;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Stops one database if nothing keeps it up: look, decide, commit, act, verify.
 *
 * <p>The commit is the moment of truth. It goes through only if no link, no hold and no other decision has come since
 * the look, so no order to stop leaves that an app could not have prevented by then.
 */
@Singleton
class Stopper {
    private final PowerStore store;
    private final DatabaseLock lock;
    private final Outside outside;
    private final Verifier verifier;
    private final Timing timing;

    Stopper(PowerStore store, DatabaseLock lock, Outside outside, Verifier verifier, Timing timing) {
        this.store = store;
        this.lock = lock;
        this.outside = outside;
        this.verifier = verifier;
        this.timing = timing;
    }

    /** The settings, the clock, and what was seen before: all that says when. */
    @Singleton
    record Timing(PowerConfig config, InstantSource clock, Watch watch) {
        Instant now() {
            return clock.instant();
        }

        /** Until when an order may go out: with room to spare under the lease, or as if there were one. */
        Instant orderBy(Optional<Lease> lease) {
            var end = lease.map(Lease::expiresAt).orElseGet(() -> now().plus(config.lockTtl()));
            return end.minus(config.leaseMargin());
        }
    }

    /** @param by who asks; that app does not count as a sharer. None when the reconciler looks by itself */
    record Order(DatabaseId id, Optional<AppName> by, boolean dryRun) {}

    Uni<Verdict> stop(Order order) {
        return store.look(order.id()).chain(found -> {
            if (found.isEmpty()) {
                return verdict(What.SKIPPED_CHANGED, "it is no longer registered");
            }
            if (othersThan(order.by(), found.get()).isEmpty()) {
                return judge(found.get(), order, Optional.empty());
            }
            if (!timing.config().sharedDbLockEnabled()) {
                return verdict(What.SKIPPED_DISABLED, "stopping shared databases is switched off");
            }
            if (order.dryRun()) {
                // It commits nothing, and must not be in the way of whoever does.
                return judge(found.get(), order, Optional.empty());
            }
            return lock.take(order.id(), timing.config().lockMaxRetries()).chain(taken -> switch (taken) {
                case DatabaseLock.Taken.No no -> verdict(What.SKIPPED_LOCK, no.reason());
                case DatabaseLock.Taken.Yes yes -> stopHolding(order, yes.lease());
            });
        });
    }

    /** What became of it, before it is written down. */
    record Verdict(What what, String reason, Decision.Evidence evidence) {
        Verdict with(Decision.Evidence newEvidence) {
            return new Verdict(what, reason, newEvidence);
        }
    }

    private Uni<Verdict> stopHolding(Order order, Lease lease) {
        return store.look(order.id())
                .chain(found -> found.map(situation -> judge(situation, order, Optional.of(lease)))
                        .orElseGet(() -> verdict(What.SKIPPED_CHANGED, "it is no longer registered")))
                .onItemOrFailure()
                .call(() -> lock.giveBack(lease));
    }

    /** Under the lock, or for a database that nobody else uses. */
    Uni<Verdict> judge(Situation situation, Order order, Optional<Lease> lease) {
        return switch (situation.state().phase()) {
            case UNDECIDED, RUNNING -> probeAndDecide(situation, order, lease);
            case STARTING -> verdict(What.SKIPPED_CHANGED, "it is being started");
            case STOPPED, STOPPING, STOP_STUCK ->
                outside.actuator()
                        .state(situation.database())
                        .chain(state -> alreadyDecided(situation, state, order, lease));
        };
    }

    private Uni<Verdict> alreadyDecided(Situation situation, State state, Order order, Optional<Lease> lease) {
        var phase = situation.state().phase();
        if (state == State.STOPPED) {
            var settled = phase == Phase.STOPPED || order.dryRun()
                    ? Uni.createFrom().item(true)
                    : store.settle(situation.id(), situation.state().epoch(), Phase.STOPPED, timing.now());
            return settled.chain(() -> verdict(What.ALREADY_STOPPED, "it is stopped"));
        }
        if (phase == Phase.STOPPED && state == State.RUNNING) {
            // Somebody started it past us; what we had decided is history.
            return probeAndDecide(situation, order, lease);
        }
        return switch (phase) {
            case STOP_STUCK ->
                verdict(
                        What.STOP_STUCK,
                        "a stop ordered at " + situation.state().since() + " hangs");
            case STOPPING ->
                verdict(What.STOPPING, "a stop ordered at " + situation.state().since() + " is under way");
            default -> verdict(What.STOP_FAILED, "it was stopped, but its state is " + state + " now");
        };
    }

    private Uni<Verdict> probeAndDecide(Situation situation, Order order, Optional<Lease> lease) {
        return look(othersThan(order.by(), situation)).chain(seen -> {
            var question = new StopPolicy.Question(situation, seen, patience(situation, order, seen), timing.now());
            var evidence = new Decision.Evidence(
                    seen, lease.map(Lease::token), situation.state().epoch());
            var decided =
                    switch (StopPolicy.decide(question)) {
                        case StopPolicy.Verdict.Skip skip -> verdict(skip.what(), skip.reason());
                        case StopPolicy.Verdict.Stop stop ->
                            order.dryRun() ? wouldStop(stop.reason()) : commit(situation, lease, stop.reason());
                    };
            return decided.map(verdict -> verdict.with(new Decision.Evidence(
                    evidence.sharers(),
                    evidence.token(),
                    verdict.evidence().epoch() > 0 ? verdict.evidence().epoch() : evidence.epoch())));
        });
    }

    /** Who asks to stop knows why. Who only looks again takes its time about apps that have asked for nothing. */
    private StopPolicy.Patience patience(Situation situation, Order order, List<Seen> seen) {
        var config = timing.config();
        if (order.by().isPresent()) {
            return new StopPolicy.Patience(config.minUpTime(), Duration.ZERO, Map.of());
        }
        var downSince = timing.watch().downSince(situation.id(), seen, timing.now(), config.downFor());
        return new StopPolicy.Patience(config.minUpTime(), config.downFor(), downSince);
    }

    private Uni<Verdict> wouldStop(String reason) {
        var config = timing.config();
        return store.brake().chain(brake -> switch (brake.ask(config.maxStopsPerHour(), timing.now())
                .permit()) {
            case Brake.Permit.Denied denied -> verdict(What.SKIPPED_DISABLED, denied.reason());
            case Brake.Permit.Granted granted -> verdict(What.WOULD_STOP, reason);
        });
    }

    /** How every one of them is seen, all at once. */
    Uni<List<Seen>> look(List<Sharer> sharers) {
        if (sharers.isEmpty()) {
            return Uni.createFrom().item(List.of());
        }
        var probes = sharers.stream()
                .map(sharer -> outside.probe()
                        .probe(sharer)
                        .onFailure()
                        .recoverWithItem(e -> AppProbe.Result.unknown("the probe failed: " + e.getMessage()))
                        .map(result -> new Seen(sharer.app(), result.status(), result.httpCode(), result.detail())))
                .toList();
        return Uni.join().all(probes).andFailFast();
    }

    private Uni<Verdict> commit(Situation situation, Optional<Lease> lease, String reason) {
        return store.permitStop(timing.config().maxStopsPerHour(), timing.now()).chain(permit -> switch (permit) {
            case Brake.Permit.Denied denied -> verdict(What.SKIPPED_DISABLED, denied.reason());
            case Brake.Permit.Granted granted ->
                lease.map(held -> commitHolding(situation, held, reason))
                        .orElseGet(() -> commitAndAct(situation, timing.orderBy(Optional.empty()), reason));
        });
    }

    private Uni<Verdict> commitHolding(Situation situation, Lease lease, String reason) {
        return lock.prolong(lease)
                .chain(prolonged -> prolonged.isEmpty()
                        ? verdict(What.SKIPPED_LOCK, "the lock was lost while the sharing apps were looked at")
                        : commitAndAct(situation, timing.orderBy(prolonged), reason));
    }

    private Uni<Verdict> commitAndAct(Situation situation, Instant orderBy, String reason) {
        var now = timing.now();
        return store.commit(situation, Phase.STOPPING, now).chain(committed -> {
            if (!committed) {
                return verdict(
                        What.SKIPPED_CHANGED, "a link, a hold or a decision changed while the apps were looked at");
            }
            return act(situation, situation.state().nextEpoch(now), orderBy, reason);
        });
    }

    /**
     * Orders a committed stop, unless it has become too late for that: whoever slept must not act on what it knew before.
     * Asking twice for one epoch is harmless, so a successor may repeat it.
     */
    Uni<Verdict> act(Situation situation, long epoch, Instant orderBy, String reason) {
        if (timing.now().isAfter(orderBy)) {
            return verdict(What.STOPPING, "committed, but too late to be ordered by this look; another follows", epoch);
        }
        return outside.actuator().stop(situation.database(), epoch).chain(outcome -> switch (outcome) {
            case Actuator.Outcome.Accepted accepted -> verify(situation, epoch, reason);
            case Actuator.Outcome.Already already -> verify(situation, epoch, reason);
            case Actuator.Outcome.Refused refused ->
                store.settle(situation.id(), epoch, Phase.RUNNING, timing.now())
                        .chain(() -> verdict(What.STOP_FAILED, refused.reason(), epoch));
            case Actuator.Outcome.Retry retry ->
                verdict(What.STOP_FAILED, retry.reason() + "; it will be tried again", epoch);
        });
    }

    private Uni<Verdict> verify(Situation situation, long epoch, String reason) {
        var until = timing.now().plus(timing.config().answerMax());
        return verifier.watch(situation.database(), State.STOPPED::equals, until)
                .chain(state -> {
                    if (state != State.STOPPED) {
                        return verdict(What.STOPPING, "accepted, still going down; " + reason, epoch);
                    }
                    return store.settle(situation.id(), epoch, Phase.STOPPED, timing.now())
                            .chain(settled -> settled
                                    ? verdict(What.STOPPED, reason, epoch)
                                    : verdict(What.STOPPING, "it stopped, and another decision followed", epoch));
                });
    }

    static List<Sharer> othersThan(Optional<AppName> app, Situation situation) {
        return situation.shared().sharers().stream()
                .filter(sharer -> !app.equals(Optional.of(sharer.app())))
                .toList();
    }

    private static Uni<Verdict> verdict(What what, String reason) {
        return verdict(what, reason, 0);
    }

    private static Uni<Verdict> verdict(What what, String reason, long epoch) {
        var evidence = new Decision.Evidence(List.of(), Optional.empty(), epoch);
        return Uni.createFrom().item(new Verdict(what, reason, evidence));
    }
}
