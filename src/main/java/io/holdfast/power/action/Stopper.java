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
 * Stops one database if no app needs it: read, probe, decide, commit, then {@link StopExecution order and verify}.
 *
 * <p>The commit fails if a link, a start claim or a decision has changed since the read. So an app that registers or
 * starts before the commit always prevents the stop.
 */
@Singleton
public class Stopper {
    private final PowerStore store;
    private final DatabaseLock lock;
    private final AppProbe probe;
    private final Actuator actuator;
    private final StopExecution execution;
    private final Timing timing;

    public Stopper(
            PowerStore store,
            DatabaseLock lock,
            AppProbe probe,
            Actuator actuator,
            StopExecution execution,
            Timing timing) {
        this.store = store;
        this.lock = lock;
        this.probe = probe;
        this.actuator = actuator;
        this.execution = execution;
        this.timing = timing;
    }

    /** @param by the calling app, which does not count as a sharer; empty for the reconciler */
    public record Request(DatabaseId id, Optional<AppName> by, boolean dryRun) {}

    public Uni<Verdict> stop(Request order) {
        return store.snapshot(order.id())
                .chain(found -> found.map(snapshot -> stop(order, snapshot)).orElseGet(Stopper::notRegistered));
    }

    private Uni<Verdict> stop(Request order, DatabaseSnapshot snapshot) {
        if (order.dryRun()) {
            // A dry run commits nothing, and must not block a stop that needs the lock.
            var withRequest = order.by()
                    .map(app -> snapshot.with(withStopRequest(snapshot, app)))
                    .orElse(snapshot);
            return decide(withRequest, order, Optional.empty());
        }
        var shared = !othersThan(order.by(), snapshot).isEmpty();
        if (isDisabled(snapshot, order)) {
            return disabled();
        }
        return lock.acquire(order.id(), shared ? timing.config().lockMaxRetries() : 0)
                .chain(acquisition -> switch (acquisition) {
                    case DatabaseLock.Acquisition.Acquired acquired -> stopUnderLock(order, acquired.lease());
                    // If no other app uses the database, the stop goes on without the lock. The commit still fails if
                    // another app is linked meanwhile.
                    case DatabaseLock.Acquisition.NotAcquired refused ->
                        shared
                                ? Verdict.of(Result.SKIPPED_LOCK, refused.reason())
                                : decide(snapshot, order, Optional.empty());
                });
    }

    private PowerState.Intents withStopRequest(DatabaseSnapshot snapshot, AppName app) {
        return snapshot.state().intents().requestStop(app, timing.now());
    }

    private Uni<Verdict> stopUnderLock(Request order, Lease lease) {
        return store.snapshot(order.id())
                .chain(found -> found.map(snapshot -> decide(snapshot, order, Optional.of(lease)))
                        .orElseGet(Stopper::notRegistered))
                .map(verdict -> verdict.withLease(lease))
                .onItemOrFailure()
                .call(() -> lock.releaseQuietly(lease));
    }

    /**
     * Decides by the phase, and stops the database if no app needs it. The caller holds the lock of the database, except
     * for a dry run, or if no other app uses the database.
     */
    public Uni<Verdict> decide(DatabaseSnapshot snapshot, Request order, Optional<Lease> lease) {
        return switch (snapshot.state().phase()) {
            case UNDECIDED, RUNNING -> probeAndDecide(snapshot, order, lease);
            case STARTING -> Verdict.of(Result.SKIPPED_CHANGED, "the database is starting", snapshot);
            case STOPPED, STOPPING, STOP_STUCK ->
                actuator.state(snapshot.database()).chain(reading -> alreadyDecided(snapshot, reading, order, lease));
        };
    }

    /** For a database that was stopped or is being stopped: reports that, unless it runs again. */
    private Uni<Verdict> alreadyDecided(
            DatabaseSnapshot snapshot, Reading reading, Request order, Optional<Lease> lease) {
        var phase = snapshot.state().phase();
        if (reading.state() == State.STOPPED) {
            return stopped(snapshot, order);
        }
        var since = snapshot.state().since();
        return switch (phase) {
            case STOP_STUCK -> Verdict.of(Result.STOP_STUCK, "the stop ordered at " + since + " is stuck", snapshot);
            case STOPPING -> Verdict.of(Result.STOPPING, "the stop ordered at " + since + " is in progress", snapshot);
            default ->
                reading.state() == State.UNKNOWN
                        ? Verdict.of(
                                Result.STOP_FAILED,
                                "the database was stopped, and its state is unknown now: " + reading.detail(),
                                snapshot)
                        : startedOutside(snapshot, order, lease);
        };
    }

    /** The first replica that finds the stop completed records it. */
    private Uni<Verdict> stopped(DatabaseSnapshot snapshot, Request order) {
        if (snapshot.state().phase() == Phase.STOPPED || order.dryRun()) {
            return Verdict.of(Result.ALREADY_STOPPED, "the database is stopped", snapshot);
        }
        return store.settle(snapshot.id(), snapshot.state().epoch(), Phase.STOPPED, timing.now())
                .chain(settled ->
                        settled ? Verdict.of(Result.STOPPED, "the stop has completed", snapshot) : changed(snapshot));
    }

    /** The database was started outside Holdfast: commits RUNNING and decides again. */
    private Uni<Verdict> startedOutside(DatabaseSnapshot snapshot, Request order, Optional<Lease> lease) {
        if (order.dryRun()) {
            return probeAndDecide(snapshot, order, lease);
        }
        return store.commit(snapshot, Phase.RUNNING, timing.now())
                .chain(committed -> committed
                        ? store.snapshot(snapshot.id())
                        : Uni.createFrom().item(Optional.<DatabaseSnapshot>empty()))
                .chain(found ->
                        found.map(now -> probeAndDecide(now, order, lease)).orElseGet(() -> changed(snapshot)));
    }

    private Uni<Verdict> probeAndDecide(DatabaseSnapshot snapshot, Request order, Optional<Lease> lease) {
        if (isDisabled(snapshot, order)) {
            return disabled();
        }
        return probe(othersThan(order.by(), snapshot)).chain(seen -> {
            var question = new StopPolicy.Question(snapshot, seen, patience(snapshot, order, seen), timing.now());
            var decided =
                    switch (StopPolicy.decide(question)) {
                        case StopPolicy.Choice.Skip skip -> Verdict.of(skip.result(), skip.reason(), snapshot);
                        case StopPolicy.Choice.Stop stop ->
                            order.dryRun() ? wouldStop(stop.reason()) : commit(snapshot, order, lease, stop.reason());
                    };
            return decided.map(verdict -> verdict.withSharers(seen));
        });
    }

    private boolean isDisabled(DatabaseSnapshot snapshot, Request order) {
        var shared = order.by().isPresent()
                ? !othersThan(order.by(), snapshot).isEmpty()
                : snapshot.shared().sharers().size() > 1;
        return shared && !timing.config().sharedDbLockEnabled();
    }

    /** Only the reconciler waits for {@code down-for}; a request does not. */
    private StopPolicy.Thresholds patience(DatabaseSnapshot snapshot, Request order, List<Seen> seen) {
        var config = timing.config();
        if (order.by().isPresent()) {
            return new StopPolicy.Thresholds(config.minUpTime(), Duration.ZERO, Map.of());
        }
        var downSince = timing.history().checked(snapshot, seen, timing.now(), config.downFor());
        return new StopPolicy.Thresholds(config.minUpTime(), config.downFor(), downSince);
    }

    private Uni<Verdict> wouldStop(String reason) {
        return store.brake().chain(brake -> switch (brake.ask(timing.config().maxStopsPerHour(), timing.now())
                .permit()) {
            case Brake.Permit.Denied denied -> Verdict.of(Result.SKIPPED_DISABLED, denied.reason());
            case Brake.Permit.Granted granted -> Verdict.of(Result.WOULD_STOP, reason);
        });
    }

    /** Probes all sharers in parallel. A probe that fails is UNKNOWN. */
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

    private Uni<Verdict> commit(DatabaseSnapshot snapshot, Request order, Optional<Lease> lease, String reason) {
        var awaited = order.by().isPresent();
        return store.permitStop(timing.config().maxStopsPerHour(), timing.now()).chain(permit -> switch (permit) {
            case Brake.Permit.Denied denied -> Verdict.of(Result.SKIPPED_DISABLED, denied.reason(), snapshot);
            case Brake.Permit.Granted granted ->
                orderDeadline(lease)
                        .chain(orderBy -> orderBy.map(until -> new Terms(until, awaited, Optional.of(granted)))
                                .map(terms -> commitAndAct(snapshot, terms, reason))
                                .orElseGet(() -> Verdict.of(
                                        Result.SKIPPED_LOCK,
                                        "the lock of the database was lost while the apps were probed",
                                        snapshot))
                                .call(verdict -> verdict.result() == Result.SKIPPED_LOCK
                                                || verdict.result() == Result.SKIPPED_CHANGED
                                        ? store.returnPermit(granted)
                                        : Uni.createFrom().voidItem()));
        });
    }

    /** Renews the lease, if there is one. Returns until when an order may be sent; empty if the lease is lost. */
    private Uni<Optional<Instant>> orderDeadline(Optional<Lease> lease) {
        return lease.map(held -> lock.renew(held).map(renewed -> renewed.map(timing::orderBy)))
                .orElseGet(() -> Uni.createFrom().item(Optional.of(timing.orderByWithoutLease())));
    }

    private Uni<Verdict> commitAndAct(DatabaseSnapshot snapshot, Terms terms, String reason) {
        var now = timing.now();
        return store.commit(snapshot, Phase.STOPPING, now)
                .chain(committed -> committed
                        ? execution.act(new StopExecution.Committed(
                                snapshot, snapshot.state().nextEpoch(now), terms, reason))
                        : changed(snapshot));
    }

    static List<Sharer> othersThan(Optional<AppName> app, DatabaseSnapshot snapshot) {
        return snapshot.shared().sharers().stream()
                .filter(sharer -> !app.equals(Optional.of(sharer.app())))
                .toList();
    }

    private static Uni<Verdict> notRegistered() {
        return Verdict.of(Result.SKIPPED_CHANGED, "the database is no longer registered");
    }

    private static Uni<Verdict> disabled() {
        return Verdict.of(Result.SKIPPED_DISABLED, "stopping shared databases is switched off");
    }

    private static Uni<Verdict> changed(DatabaseSnapshot snapshot) {
        return Verdict.of(
                Result.SKIPPED_CHANGED,
                "a link, a start claim or a decision changed while the apps were probed",
                snapshot);
    }
}
