package io.holdfast.lifecycle;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Page;
import io.holdfast.kernel.Text;
import io.holdfast.kernel.Timestamped;
import io.holdfast.lifecycle.action.StatusWrites;
import io.holdfast.lifecycle.feed.Batch;
import io.holdfast.lifecycle.feed.MoveFeed;
import io.holdfast.lifecycle.model.DeploymentId;
import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.ServiceSpec;
import io.holdfast.lifecycle.model.ServiceStatus;
import io.holdfast.lifecycle.port.FeedPosition;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.holdfast.lifecycle.port.PutOutcome;
import io.holdfast.lifecycle.port.ServiceQuery;
import io.holdfast.lifecycle.port.StatusWrite;
import io.holdfast.lifecycle.port.WriteOutcome;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Entry point for services. Validates limits and delegates to the rules. Thread-safe and non-blocking. */
@Singleton
public class LifecycleService {
    private static final Logger LOG = Logger.getLogger(LifecycleService.class);

    /** How often a registration is tried that others overtake: each time the service appeared or disappeared. */
    private static final int PUT_TRIES = 5;

    private final LifecycleStore store;
    private final StatusWrites writes;
    private final MoveFeed feed;
    private final LifecycleLimits limits;
    private final InstantSource clock;

    public LifecycleService(
            LifecycleStore store, StatusWrites writes, MoveFeed feed, LifecycleLimits limits, InstantSource clock) {
        this.store = store;
        this.writes = writes;
        this.feed = feed;
        this.limits = limits;
        this.clock = clock;
    }

    /** Registers a service as IDLE, or replaces the spec of one that exists. */
    public Uni<PutOutcome> put(ServiceId id, ServiceSpec spec) {
        return put(id, limits.spec(spec), PUT_TRIES);
    }

    private Uni<PutOutcome> put(ServiceId id, ServiceSpec spec, int tries) {
        return store.replaceSpec(id, spec).chain(replaced -> replaced.<Uni<PutOutcome>>map(
                        service -> Uni.createFrom().item(new PutOutcome.Replaced(service)))
                .orElseGet(() -> register(id, spec, tries)));
    }

    /** Needs no lock: the write is refused if the service exists, so it overwrites no status. */
    private Uni<PutOutcome> register(ServiceId id, ServiceSpec spec, int tries) {
        return store.history(id, 1, Optional.empty()).chain(rows -> {
            var lastVersion =
                    rows.items().stream().mapToLong(Move::version).max().orElse(0);
            var change = limits.rules().register(id, spec, lastVersion, clock.instant());
            return writes.commit(change).chain(written -> {
                if (written) {
                    return Uni.createFrom()
                            .item(new PutOutcome.Registered(change.after().orElseThrow()));
                }
                return tries > 1
                        ? put(id, spec, tries - 1)
                        : Uni.createFrom()
                                .failure(new IllegalStateException(
                                        "Service " + id + " was registered and removed in each try."));
            });
        });
    }

    public Uni<Timestamped<Optional<Service>>> find(ServiceId id) {
        return store.find(id).map(this::at);
    }

    public Uni<Timestamped<Page<Service>>> list(
            Optional<ServiceStatus> status, String prefix, Optional<Integer> limit, Optional<Cursor> after) {
        var query = new ServiceQuery(status, Text.namePrefix("prefix", prefix), limits.listLimit(limit), after);
        return store.list(query).map(this::at);
    }

    /** Newest first. Empty if the service does not exist and has no history. */
    public Uni<Optional<Page<Move>>> history(ServiceId id, Optional<Integer> limit, Optional<Cursor> after) {
        return store.history(id, limits.listLimit(limit), after)
                .chain(page -> page.items().isEmpty() && after.isEmpty()
                        ? store.find(id).map(found -> found.map(service -> page))
                        : Uni.createFrom().item(Optional.of(page)));
    }

    /**
     * @param deployment the caller's idempotency key, or none
     * @param ifVersion the version that the caller has seen; if absent, any
     */
    public Uni<WriteOutcome> deploy(
            ServiceId id,
            Optional<DeploymentId> deployment,
            Optional<String> reason,
            Optional<Duration> deadline,
            Optional<Long> ifVersion) {
        return write(
                id,
                new StatusWrite.Deploy(
                        deployment.orElseGet(DeploymentId::random),
                        limits.reason(reason),
                        limits.deadline("deadline", deadline),
                        ifVersion));
    }

    public Uni<WriteOutcome> report(ServiceId id, StatusWrite.Report report) {
        if (report.status() != ServiceStatus.RUNNING && report.status() != ServiceStatus.FAILED) {
            throw new InvalidInputException("status", "one of RUNNING, FAILED");
        }
        if (report.rolledBack() && report.status() != ServiceStatus.RUNNING) {
            throw new InvalidInputException(
                    "rolled_back", "false unless status is RUNNING: what ran before runs again");
        }
        limits.reason(report.reason());
        return write(id, report);
    }

    /** Sets a status. DEPLOYING begins a deployment. */
    public Uni<WriteOutcome> set(
            ServiceId id, ServiceStatus status, Optional<String> reason, Optional<Long> ifVersion) {
        return status == ServiceStatus.DEPLOYING
                ? deploy(id, Optional.empty(), reason, Optional.empty(), ifVersion)
                : write(id, new StatusWrite.Set(status, limits.reason(reason), ifVersion));
    }

    public Uni<WriteOutcome> remove(ServiceId id) {
        return write(id, new StatusWrite.Remove());
    }

    private Uni<WriteOutcome> write(ServiceId id, StatusWrite write) {
        return writes.write(id, write, limits.lockTerms());
    }

    /** A place for one stream of moves; refused if there are too many. */
    public MoveFeed.Place openFeed() {
        return feed.enter();
    }

    /** The position after the last move of any service. */
    public Uni<FeedPosition> feedEnd() {
        return feed.end();
    }

    /** The moves after a position. Waits for the first one, until a keep-alive is due. */
    public Uni<Batch> nextMoves(FeedPosition after) {
        return feed.next(after, limits.config().eventsKeepAlive());
    }

    /** Whether readers of events should continue at another replica. */
    public boolean isDraining() {
        return feed.isStopped();
    }

    /** The reason for which the reconciler is paused; empty if it is not. */
    public Uni<Optional<String>> reconcilerPause() {
        return store.pause();
    }

    /** @param reason empty to end the pause */
    public Uni<Void> pauseReconciler(Optional<String> reason) {
        return store.setPause(limits.reason(reason))
                .invoke(() -> LOG.infof(
                        "Reconciliation of services changed paused=%s reason=\"%s\"",
                        reason.isPresent(), reason.orElse("")));
    }

    public Instant now() {
        return clock.instant();
    }

    private <T> Timestamped<T> at(T answer) {
        return new Timestamped<>(answer, clock.instant());
    }
}
