package io.holdfast.power;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.kernel.Unis;
import io.holdfast.power.action.Audit;
import io.holdfast.power.action.Starter;
import io.holdfast.power.action.Stopper;
import io.holdfast.power.action.Stopper.Request;
import io.holdfast.power.action.Timing;
import io.holdfast.power.model.Brake;
import io.holdfast.power.model.Decision;
import io.holdfast.power.model.Decision.By;
import io.holdfast.power.model.Decision.Evidence;
import io.holdfast.power.model.Decision.Result;
import io.holdfast.power.model.Overview;
import io.holdfast.power.model.Verdict;
import io.holdfast.power.port.PowerStore;
import io.holdfast.registry.AppName;
import io.holdfast.registry.Database;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.RegistryStore;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jboss.logging.Logger;

/** Entry point for stops and starts. Handles all databases of an app in parallel and independently. */
@Singleton
public class PowerService {
    private static final Logger LOG = Logger.getLogger(PowerService.class);

    private final RegistryStore registry;
    private final PowerStore store;
    private final Stopper stopper;
    private final Starter starter;
    private final Audit audit;
    private final Timing timing;

    PowerService(
            RegistryStore registry, PowerStore store, Stopper stopper, Starter starter, Audit audit, Timing timing) {
        this.registry = registry;
        this.store = store;
        this.stopper = stopper;
        this.starter = starter;
        this.audit = audit;
        this.timing = timing;
    }

    public Uni<Optional<List<Decision>>> stop(AppName app, boolean dryRun) {
        return stop(app, dryRun, databases -> {});
    }

    /**
     * One decision per database; empty if there is no such app. A dry run changes and records nothing.
     *
     * @param check is called with the databases before anything is changed; its exception refuses the request
     */
    public Uni<Optional<List<Decision>>> stop(AppName app, boolean dryRun, Consumer<Set<DatabaseId>> check) {
        return forEach(app, check, id -> {
            var order = new Request(id, Optional.of(app), dryRun);
            var requested = dryRun ? Uni.createFrom().item(true) : store.requestStop(id, app, timing.now());
            return decide(order, Result.STOP_FAILED, requested.chain(() -> stopper.stop(order)));
        });
    }

    public Uni<Optional<List<Decision>>> start(AppName app) {
        return start(app, databases -> {});
    }

    /**
     * One decision per database. Waits until each database accepts connections, or {@code answer-max} is over.
     *
     * @param check is called with the databases before anything is changed; its exception refuses the request
     */
    public Uni<Optional<List<Decision>>> start(AppName app, Consumer<Set<DatabaseId>> check) {
        return forEach(app, check, id -> {
            var now = timing.now();
            var claimed = store.claimStart(id, app, now.plus(timing.config().startClaim()), now);
            return decide(
                    new Request(id, Optional.of(app), false),
                    Result.START_FAILED,
                    claimed.chain(() -> starter.start(id)));
        });
    }

    /** Empty if the database is not registered and has no recorded decision. */
    public Uni<Optional<Page<Decision>>> decisions(DatabaseId id, int limit, Optional<Cursor> after) {
        return store.decisions(id, limit, after)
                .chain(page -> page.items().isEmpty() && after.isEmpty()
                        ? registry.findDatabase(id).map(found -> found.map(registered -> page))
                        : Uni.createFrom().item(Optional.of(page)));
    }

    public Uni<Optional<Overview>> overview(DatabaseId id) {
        return Unis.chainIfPresent(store.snapshot(id), snapshot -> store.decisions(id, 1, Optional.empty())
                .map(page -> new Overview(snapshot, page.items().stream().findFirst(), timing.now()))
                .map(Optional::of));
    }

    public Uni<Brake> brake() {
        return store.brake();
    }

    /** @param reason empty to end the pause */
    public Uni<Void> pause(Optional<String> reason) {
        return store.pause(reason)
                .invoke(() ->
                        LOG.infof("Brake changed paused=%s reason=\"%s\"", reason.isPresent(), reason.orElse("")));
    }

    public Instant now() {
        return timing.now();
    }

    private Uni<Optional<List<Decision>>> forEach(
            AppName name, Consumer<Set<DatabaseId>> check, Function<DatabaseId, Uni<Decision>> step) {
        return Unis.chainIfPresent(
                registry.findApp(name).invoke(found -> found.ifPresent(app -> check.accept(app.databases()))),
                app -> app.databases().isEmpty()
                        ? Uni.createFrom().item(Optional.of(List.of()))
                        : Uni.join()
                                .all(app.databases().stream().map(step).toList())
                                .andFailFast()
                                .map(Optional::of));
    }

    /** Turns a failure into a decision about this database, so that the other decisions are still returned. */
    private Uni<Decision> decide(Request order, Result failed, Uni<Verdict> deciding) {
        var started = timing.now();
        return registry.findDatabase(order.id())
                .onFailure()
                .recoverWithItem(Optional.empty())
                .chain(found -> deciding.onFailure()
                        .recoverWithItem(e -> new Verdict(failed, String.valueOf(e.getMessage()), Evidence.NONE))
                        .chain(verdict -> found.map(shared -> recorded(order, verdict, shared.database(), started))
                                .orElseGet(() -> unrecorded(order, verdict, started))));
    }

    private Uni<Decision> recorded(Request order, Verdict verdict, Database database, Instant started) {
        return order.dryRun()
                ? Uni.createFrom().item(audit.decision(database, verdict, order.by(), started))
                : audit.write(database, verdict, order.by(), started);
    }

    /** For a database that is no longer registered or could not be read: a decision without a row. */
    private Uni<Decision> unrecorded(Request order, Verdict verdict, Instant started) {
        var by = new By(order.by(), started, Duration.between(started, timing.now()));
        return Uni.createFrom()
                .item(new Decision(order.id(), "unknown", verdict.result(), verdict.reason(), verdict.evidence(), by));
    }
}
