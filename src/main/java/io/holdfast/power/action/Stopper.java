package io.holdfast.power.action;

import io.holdfast.lock.model.Lease;
import io.holdfast.power.action.StopExecution.Terms;
import io.holdfast.power.model.Brake;
import io.holdfast.power.model.DatabaseSnapshot;
import io.holdfast.power.model.Decision.Result;
import io.holdfast.power.model.Decision.Seen;
import io.holdfast.power.model.Phase;
import io.holdfast.power.model.PowerState;
import io.holdfast.power.model.StopPolicy;
import io.holdfast.power.model.Verdict;
import io.holdfast.power.port.Actuator;
import io.holdfast.power.port.Actuator.Reading;
import io.holdfast.power.port.Actuator.State;
import io.holdfast.power.port.AppProbe;
import io.holdfast.power.port.PowerStore;
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
 * Stops one database if nothing keeps it up: look, decide, commit, then {@link StopExecution act and verify}.
 *
 * <p>The commit is the moment of truth. It goes through only if no link, no hold and no other decision has come since
 * the look, so no order to stop leaves that an app could not have prevented by then.
 */
@Singleton
public class Stopper {
    private final PowerStore store;
    private final DatabaseLock lock;
    private final AppProbe probe;
    private final Actuator actuator;
    private final StopExecution stopOrder;
    private final Timing timing;

    public Stopper(
            PowerStore store,
            DatabaseLock lock,
            AppProbe probe,
            Actuator actuator,
            StopExecution stopOrder,
            Timing timing) {
        this.store = store;
        this.lock = lock;
        this.probe = probe;
        this.actuator = actuator;
        this.stopOrder = stopOrder;
        this.timing = timing;
    }

    /** @param by who asks; that app does not count as a sharer. None when the reconciler looks by itself */
    public record Order(DatabaseId id, Optional<AppName> by, boolean dryRun) {}

    public Uni<Verdict> stop(Order order) {
        return store.snapshot(order.id())
                .chain(found -> found.map(snapshot -> stop(order, snapshot)).orElseGet(Stopper::gone));
    }

    private Uni<Verdict> stop(Order order, DatabaseSnapshot snapshot) {
        if (order.dryRun()) {
            // It commits nothing, and must not be in the way of whoever does.
            var asIfAsked = order.by()
                    .map(app -> snapshot.with(stopRequest(snapshot, app)))
                    .orElse(snapshot);
            return judge(asIfAsked, order, Optional.empty());
        }
        var shared = !othersThan(order.by(), snapshot).isEmpty();
        if (switchedOff(snapshot, order)) {
            return disabled();
        }
        return lock.acquire(order.id(), shared ? timing.config().lockMaxRetries() : 0)
                .chain(taken -> switch (taken) {
                    case DatabaseLock.Taken.Yes yes -> stopHolding(order, yes.lease());
                    // Nobody else uses it, so there is nobody to agree with. The commit still minds who comes
                    // meanwhile.
                    case DatabaseLock.Taken.No no ->
                        shared
                                ? Verdict.of(Result.SKIPPED_LOCK, no.reason())
                                : judge(snapshot, order, Optional.empty());
                });
    }

    private PowerState.Intents stopRequest(DatabaseSnapshot snapshot, AppName app) {
        return snapshot.state().intents().requestStop(app, timing.now());
    }

    private Uni<Verdict> stopHolding(Order order, Lease lease) {
        return store.snapshot(order.id())
                .chain(found -> found.map(snapshot -> judge(snapshot, order, Optional.of(lease)))
                        .orElseGet(Stopper::gone))
                .map(verdict -> verdict.under(lease))
                .onItemOrFailure()
                .call(() -> lock.releaseQuietly(lease));
    }

    /** Under the lock, or for a database that nobody else uses. */
    public Uni<Verdict> judge(DatabaseSnapshot snapshot, Order order, Optional<Lease> lease) {
        return switch (snapshot.state().phase()) {
            case UNDECIDED, RUNNING -> probeAndDecide(snapshot, order, lease);
            case STARTING -> Verdict.of(Result.SKIPPED_CHANGED, "it is being started", snapshot);
            case STOPPED, STOPPING, STOP_STUCK ->
                actuator.state(snapshot.database()).chain(reading -> alreadyDecided(snapshot, reading, order, lease));
        };
    }

    private Uni<Verdict> alreadyDecided(
            DatabaseSnapshot snapshot, Reading reading, Order order, Optional<Lease> lease) {
        var phase = snapshot.state().phase();
        if (reading.state() == State.STOPPED) {
            return stopped(snapshot, order);
        }
        var since = snapshot.state().since();
        return switch (phase) {
            case STOP_STUCK -> Verdict.of(Result.STOP_STUCK, "a stop ordered at " + since + " hangs", snapshot);
            case STOPPING -> Verdict.of(Result.STOPPING, "a stop ordered at " + since + " is under way", snapshot);
            default ->
                reading.state() == State.UNKNOWN
                        ? Verdict.of(
                                Result.STOP_FAILED,
                                "it was stopped, and cannot be looked at now: " + reading.detail(),
                                snapshot)
                        : startedPastUs(snapshot, order, lease);
        };
    }

    /** Whoever finds a stop at its end says so; after that it is old news. */
    private Uni<Verdict> stopped(DatabaseSnapshot snapshot, Order order) {
        if (snapshot.state().phase() == Phase.STOPPED || order.dryRun()) {
            return Verdict.of(Result.ALREADY_STOPPED, "it is stopped", snapshot);
        }
        return store.settle(snapshot.id(), snapshot.state().epoch(), Phase.STOPPED, timing.now())
                .chain(settled -> settled
                        ? Verdict.of(Result.STOPPED, "the stop has come to its end", snapshot)
                        : changed(snapshot));
    }

    /** Somebody else has started it. What was decided before is history, and what is now is judged. */
    private Uni<Verdict> startedPastUs(DatabaseSnapshot snapshot, Order order, Optional<Lease> lease) {
        if (order.dryRun()) {
            return probeAndDecide(snapshot, order, lease);
        }
        return store.commit(snapshot, Phase.RUNNING, timing.now())
                .chain(noted -> noted
                        ? store.snapshot(snapshot.id())
                        : Uni.createFrom().item(Optional.<DatabaseSnapshot>empty()))
                .chain(found ->
                        found.map(now -> probeAndDecide(now, order, lease)).orElseGet(() -> changed(snapshot)));
    }

    private Uni<Verdict> probeAndDecide(DatabaseSnapshot snapshot, Order order, Optional<Lease> lease) {
        if (switchedOff(snapshot, order)) {
            return disabled();
        }
        return probe(othersThan(order.by(), snapshot)).chain(seen -> {
            var question = new StopPolicy.Question(snapshot, seen, patience(snapshot, order, seen), timing.now());
            var decided =
                    switch (StopPolicy.decide(question)) {
                        case StopPolicy.Verdict.Skip skip -> Verdict.of(skip.result(), skip.reason(), snapshot);
                        case StopPolicy.Verdict.Stop stop ->
                            order.dryRun() ? wouldStop(stop.reason()) : commit(snapshot, order, lease, stop.reason());
                    };
            return decided.map(verdict -> verdict.having(seen));
        });
    }

    private boolean switchedOff(DatabaseSnapshot snapshot, Order order) {
        var shared = order.by().isPresent()
                ? !othersThan(order.by(), snapshot).isEmpty()
                : snapshot.shared().sharers().size() > 1;
        return shared && !timing.config().sharedDbLockEnabled();
    }

    /** Who asks to stop knows why. Who only looks again takes its time about apps that have asked for nothing. */
    private StopPolicy.Patience patience(DatabaseSnapshot snapshot, Order order, List<Seen> seen) {
        var config = timing.config();
        if (order.by().isPresent()) {
            return new StopPolicy.Patience(config.minUpTime(), Duration.ZERO, Map.of());
        }
        var downSince = timing.history().checked(snapshot, seen, timing.now(), config.downFor());
        return new StopPolicy.Patience(config.minUpTime(), config.downFor(), downSince);
    }

    private Uni<Verdict> wouldStop(String reason) {
        return store.brake().chain(brake -> switch (brake.ask(timing.config().maxStopsPerHour(), timing.now())
                .permit()) {
            case Brake.Permit.Denied denied -> Verdict.of(Result.SKIPPED_DISABLED, denied.reason());
            case Brake.Permit.Granted granted -> Verdict.of(Result.WOULD_STOP, reason);
        });
    }

    /** How every one of them is seen, all at once. */
    public Uni<List<Seen>> probe(List<Sharer> sharers) {
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

    private Uni<Verdict> commit(DatabaseSnapshot snapshot, Order order, Optional<Lease> lease, String reason) {
        var awaited = order.by().isPresent();
        return store.permitStop(timing.config().maxStopsPerHour(), timing.now()).chain(permit -> switch (permit) {
            case Brake.Permit.Denied denied -> Verdict.of(Result.SKIPPED_DISABLED, denied.reason(), snapshot);
            case Brake.Permit.Granted granted ->
                prolonged(lease).chain(orderBy -> orderBy.map(until -> new Terms(until, awaited, Optional.of(granted)))
                        .map(terms -> commitAndAct(snapshot, terms, reason))
                        .orElseGet(() -> Verdict.of(
                                Result.SKIPPED_LOCK,
                                "the lock was lost while the sharing apps were looked at",
                                snapshot))
                        .call(verdict ->
                                verdict.result() == Result.SKIPPED_LOCK || verdict.result() == Result.SKIPPED_CHANGED
                                        ? store.returnPermit(granted)
                                        : Uni.createFrom().voidItem()));
        });
    }

    /** Until when an order may leave; none if the lock is lost. */
    private Uni<Optional<Instant>> prolonged(Optional<Lease> lease) {
        return lease.map(held -> lock.prolong(held).map(longer -> longer.map(timing::orderBy)))
                .orElseGet(() -> Uni.createFrom().item(Optional.of(timing.orderByWithoutLease())));
    }

    private Uni<Verdict> commitAndAct(DatabaseSnapshot snapshot, Terms terms, String reason) {
        var now = timing.now();
        return store.commit(snapshot, Phase.STOPPING, now)
                .chain(committed -> committed
                        ? stopOrder.act(new StopExecution.Committed(
                                snapshot, snapshot.state().nextEpoch(now), terms, reason))
                        : changed(snapshot));
    }

    static List<Sharer> othersThan(Optional<AppName> app, DatabaseSnapshot snapshot) {
        return snapshot.shared().sharers().stream()
                .filter(sharer -> !app.equals(Optional.of(sharer.app())))
                .toList();
    }

    private static Uni<Verdict> gone() {
        return Verdict.of(Result.SKIPPED_CHANGED, "it is no longer registered");
    }

    private static Uni<Verdict> disabled() {
        return Verdict.of(Result.SKIPPED_DISABLED, "stopping shared databases is switched off");
    }

    private static Uni<Verdict> changed(DatabaseSnapshot snapshot) {
        return Verdict.of(
                Result.SKIPPED_CHANGED, "a link, a hold or a decision changed while the apps were looked at", snapshot);
    }
}
