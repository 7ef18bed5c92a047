package io.holdfast.power;

import io.holdfast.lock.model.Lease;
import io.holdfast.power.Actuator.Reading;
import io.holdfast.power.Actuator.State;
import io.holdfast.power.Decision.Seen;
import io.holdfast.power.Decision.What;
import io.holdfast.power.StopOrder.Terms;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.Sharer;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Stops one database if nothing keeps it up: look, decide, commit, then {@link StopOrder act and verify}.
 *
 * <p>The commit is the moment of truth. It goes through only if no link, no hold and no other decision has come since
 * the look, so no order to stop leaves that an app could not have prevented by then.
 */
@Singleton
class Stopper {
    private final PowerStore store;
    private final DatabaseLock lock;
    private final AppProbe probe;
    private final Actuator actuator;
    private final StopOrder stopOrder;
    private final Timing timing;

    Stopper(
            PowerStore store,
            DatabaseLock lock,
            AppProbe probe,
            Actuator actuator,
            StopOrder stopOrder,
            Timing timing) {
        this.store = store;
        this.lock = lock;
        this.probe = probe;
        this.actuator = actuator;
        this.stopOrder = stopOrder;
        this.timing = timing;
    }

    /** @param by who asks; that app does not count as a sharer. None when the reconciler looks by itself */
    record Order(DatabaseId id, Optional<AppName> by, boolean dryRun) {}

    Uni<Verdict> stop(Order order) {
        return store.look(order.id())
                .chain(found -> found.map(situation -> stop(order, situation)).orElseGet(Stopper::gone));
    }

    private Uni<Verdict> stop(Order order, Situation situation) {
        if (order.dryRun()) {
            // It commits nothing, and must not be in the way of whoever does.
            var asIfAsked =
                    order.by().map(app -> situation.with(wish(situation, app))).orElse(situation);
            return judge(asIfAsked, order, Optional.empty());
        }
        var shared = !othersThan(order.by(), situation).isEmpty();
        if (switchedOff(situation, order)) {
            return disabled();
        }
        return lock.take(order.id(), shared ? timing.config().lockMaxRetries() : 0)
                .chain(taken -> switch (taken) {
                    case DatabaseLock.Taken.Yes yes -> stopHolding(order, yes.lease());
                    // Nobody else uses it, so there is nobody to agree with. The commit still minds who comes
                    // meanwhile.
                    case DatabaseLock.Taken.No no ->
                        shared ? Verdict.of(What.SKIPPED_LOCK, no.reason()) : judge(situation, order, Optional.empty());
                });
    }

    private PowerState.Intents wish(Situation situation, AppName app) {
        return situation.state().intents().wish(app, timing.now());
    }

    private Uni<Verdict> stopHolding(Order order, Lease lease) {
        return store.look(order.id())
                .chain(found -> found.map(situation -> judge(situation, order, Optional.of(lease)))
                        .orElseGet(Stopper::gone))
                .map(verdict -> verdict.under(lease))
                .onItemOrFailure()
                .call(() -> lock.giveBack(lease));
    }

    /** Under the lock, or for a database that nobody else uses. */
    Uni<Verdict> judge(Situation situation, Order order, Optional<Lease> lease) {
        return switch (situation.state().phase()) {
            case UNDECIDED, RUNNING -> probeAndDecide(situation, order, lease);
            case STARTING -> Verdict.of(What.SKIPPED_CHANGED, "it is being started", situation);
            case STOPPED, STOPPING, STOP_STUCK ->
                actuator.state(situation.database()).chain(reading -> alreadyDecided(situation, reading, order, lease));
        };
    }

    private Uni<Verdict> alreadyDecided(Situation situation, Reading reading, Order order, Optional<Lease> lease) {
        var phase = situation.state().phase();
        if (reading.state() == State.STOPPED) {
            return stopped(situation, order);
        }
        var since = situation.state().since();
        return switch (phase) {
            case STOP_STUCK -> Verdict.of(What.STOP_STUCK, "a stop ordered at " + since + " hangs", situation);
            case STOPPING -> Verdict.of(What.STOPPING, "a stop ordered at " + since + " is under way", situation);
            default ->
                reading.state() == State.UNKNOWN
                        ? Verdict.of(
                                What.STOP_FAILED,
                                "it was stopped, and cannot be looked at now: " + reading.detail(),
                                situation)
                        : startedPastUs(situation, order, lease);
        };
    }

    /** Whoever finds a stop at its end says so; after that it is old news. */
    private Uni<Verdict> stopped(Situation situation, Order order) {
        if (situation.state().phase() == Phase.STOPPED || order.dryRun()) {
            return Verdict.of(What.ALREADY_STOPPED, "it is stopped", situation);
        }
        return store.settle(situation.id(), situation.state().epoch(), Phase.STOPPED, timing.now())
                .chain(settled -> settled
                        ? Verdict.of(What.STOPPED, "the stop has come to its end", situation)
                        : changed(situation));
    }

    /** Somebody else has started it. What was decided before is history, and what is now is judged. */
    private Uni<Verdict> startedPastUs(Situation situation, Order order, Optional<Lease> lease) {
        if (order.dryRun()) {
            return probeAndDecide(situation, order, lease);
        }
        return store.commit(situation, Phase.RUNNING, timing.now())
                .chain(noted ->
                        noted ? store.look(situation.id()) : Uni.createFrom().item(Optional.<Situation>empty()))
                .chain(found ->
                        found.map(now -> probeAndDecide(now, order, lease)).orElseGet(() -> changed(situation)));
    }

    private Uni<Verdict> probeAndDecide(Situation situation, Order order, Optional<Lease> lease) {
        if (switchedOff(situation, order)) {
            return disabled();
        }
        return look(othersThan(order.by(), situation)).chain(seen -> {
            var question = new StopPolicy.Question(situation, seen, patience(situation, order, seen), timing.now());
            var decided =
                    switch (StopPolicy.decide(question)) {
                        case StopPolicy.Verdict.Skip skip -> Verdict.of(skip.what(), skip.reason(), situation);
                        case StopPolicy.Verdict.Stop stop ->
                            order.dryRun() ? wouldStop(stop.reason()) : commit(situation, order, lease, stop.reason());
                    };
            return decided.map(verdict -> verdict.having(seen));
        });
    }

    private boolean switchedOff(Situation situation, Order order) {
        var shared = order.by().isPresent()
                ? !othersThan(order.by(), situation).isEmpty()
                : situation.shared().sharers().size() > 1;
        return shared && !timing.config().sharedDbLockEnabled();
    }

    /** Who asks to stop knows why. Who only looks again takes its time about apps that have asked for nothing. */
    private StopPolicy.Patience patience(Situation situation, Order order, List<Seen> seen) {
        var config = timing.config();
        if (order.by().isPresent()) {
            return new StopPolicy.Patience(config.minUpTime(), Duration.ZERO, Map.of());
        }
        var downSince = timing.watch().looked(situation, seen, timing.now(), config.downFor());
        return new StopPolicy.Patience(config.minUpTime(), config.downFor(), downSince);
    }

    private Uni<Verdict> wouldStop(String reason) {
        return store.brake().chain(brake -> switch (brake.ask(timing.config().maxStopsPerHour(), timing.now())
                .permit()) {
            case Brake.Permit.Denied denied -> Verdict.of(What.SKIPPED_DISABLED, denied.reason());
            case Brake.Permit.Granted granted -> Verdict.of(What.WOULD_STOP, reason);
        });
    }

    /** How every one of them is seen, all at once. */
    Uni<List<Seen>> look(List<Sharer> sharers) {
        if (sharers.isEmpty()) {
            return Uni.createFrom().item(List.of());
        }
        var probes = sharers.stream()
                .map(sharer -> probe.probe(sharer)
                        .onFailure()
                        .recoverWithItem(e -> AppProbe.Result.unknown("the probe failed: " + e.getMessage()))
                        .map(result -> new Seen(sharer.app(), result.status(), result.httpCode(), result.detail())))
                .toList();
        return Uni.join().all(probes).andFailFast();
    }

    private Uni<Verdict> commit(Situation situation, Order order, Optional<Lease> lease, String reason) {
        var awaited = order.by().isPresent();
        return store.permitStop(timing.config().maxStopsPerHour(), timing.now()).chain(permit -> switch (permit) {
            case Brake.Permit.Denied denied -> Verdict.of(What.SKIPPED_DISABLED, denied.reason(), situation);
            case Brake.Permit.Granted granted ->
                prolonged(lease).chain(orderBy -> orderBy.map(until -> new Terms(until, awaited, Optional.of(granted)))
                        .map(terms -> commitAndAct(situation, terms, reason))
                        .orElseGet(() -> Verdict.of(
                                What.SKIPPED_LOCK,
                                "the lock was lost while the sharing apps were looked at",
                                situation))
                        .call(verdict -> verdict.what() == What.SKIPPED_LOCK || verdict.what() == What.SKIPPED_CHANGED
                                ? store.giveBack(granted)
                                : Uni.createFrom().voidItem()));
        });
    }

    /** Until when an order may leave; none if the lock is lost. */
    private Uni<Optional<Instant>> prolonged(Optional<Lease> lease) {
        return lease.map(held -> lock.prolong(held).map(longer -> longer.map(timing::orderBy)))
                .orElseGet(() -> Uni.createFrom().item(Optional.of(timing.orderByWithoutLease())));
    }

    private Uni<Verdict> commitAndAct(Situation situation, Terms terms, String reason) {
        var now = timing.now();
        return store.commit(situation, Phase.STOPPING, now)
                .chain(committed -> committed
                        ? stopOrder.act(new StopOrder.Committed(
                                situation, situation.state().nextEpoch(now), terms, reason))
                        : changed(situation));
    }

    static List<Sharer> othersThan(Optional<AppName> app, Situation situation) {
        return situation.shared().sharers().stream()
                .filter(sharer -> !app.equals(Optional.of(sharer.app())))
                .toList();
    }

    private static Uni<Verdict> gone() {
        return Verdict.of(What.SKIPPED_CHANGED, "it is no longer registered");
    }

    private static Uni<Verdict> disabled() {
        return Verdict.of(What.SKIPPED_DISABLED, "stopping shared databases is switched off");
    }

    private static Uni<Verdict> changed(Situation situation) {
        return Verdict.of(
                What.SKIPPED_CHANGED, "a link, a hold or a decision changed while the apps were looked at", situation);
    }
}
