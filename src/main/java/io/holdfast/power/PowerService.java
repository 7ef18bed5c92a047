package io.holdfast.power;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.power.Decision.What;
import io.holdfast.power.Stopper.Order;
import io.holdfast.power.Stopper.Verdict;
import io.holdfast.registry.App;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.RegistryStore;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Stops and starts the databases of an app, all of them at once; one that fails does not spoil the others. */
@Singleton
public class PowerService {
    private final RegistryStore registry;
    private final PowerStore store;
    private final Stopper stopper;
    private final Starter starter;
    private final Reconciler.Desk desk;

    PowerService(RegistryStore registry, PowerStore store, Stopper stopper, Starter starter, Reconciler.Desk desk) {
        this.registry = registry;
        this.store = store;
        this.stopper = stopper;
        this.starter = starter;
        this.desk = desk;
    }

    /** One decision per database; none if there is no such app. A dry run changes nothing and writes nothing down. */
    public Uni<Optional<List<Decision>>> stop(AppName app, boolean dryRun) {
        return forEach(app, id -> {
            var order = new Order(id, Optional.of(app), dryRun);
            var noted = dryRun
                    ? Uni.createFrom().item(true)
                    : store.wish(id, app, desk.timing().now());
            return decide(order, What.STOP_FAILED, noted.chain(() -> stopper.stop(order)));
        });
    }

    /** One decision per database, each only when the database answers or time is up. */
    public Uni<Optional<List<Decision>>> start(AppName app) {
        return forEach(app, id -> {
            var now = desk.timing().now();
            var held = store.hold(id, app, now.plus(desk.timing().config().hold()), now);
            return decide(
                    new Order(id, Optional.of(app), false), What.START_FAILED, held.chain(() -> starter.start(id)));
        });
    }

    public Uni<Page<Decision>> decisions(DatabaseId id, int limit, Optional<Cursor> after) {
        return store.decisions(id, limit, after);
    }

    /** A database, what is wanted of it, and the last decision about it. */
    public record Overview(Situation situation, Optional<Decision> last, Instant now) {}

    public Uni<Optional<Overview>> overview(DatabaseId id) {
        return store.look(id).chain(found -> found.map(situation -> store.decisions(id, 1, Optional.empty())
                        .map(page -> Optional.of(new Overview(
                                situation,
                                page.items().stream().findFirst(),
                                desk.timing().now()))))
                .orElseGet(() -> Uni.createFrom().item(Optional.empty())));
    }

    public Uni<Brake> brake() {
        return store.brake();
    }

    /** @param reason none lets stops go on */
    public Uni<Void> pause(Optional<String> reason) {
        return store.pause(reason);
    }

    public Instant now() {
        return desk.timing().now();
    }

    private Uni<Optional<List<Decision>>> forEach(AppName name, Function<DatabaseId, Uni<Decision>> step) {
        return registry.findApp(name).chain(found -> found.map(App::databases)
                .map(databases -> databases.isEmpty()
                        ? Uni.createFrom().item(Optional.of(List.<Decision>of()))
                        : Uni.join()
                                .all(databases.stream().map(step).toList())
                                .andFailFast()
                                .map(Optional::of))
                .orElseGet(() -> Uni.createFrom().item(Optional.empty())));
    }

    /** A failure of one database is that one's decision, so that the others are still heard. */
    private Uni<Decision> decide(Order order, What failed, Uni<Verdict> deciding) {
        var started = desk.timing().now();
        return deciding.onFailure()
                .recoverWithItem(e -> new Verdict(failed, String.valueOf(e.getMessage()), Decision.Evidence.NONE))
                .chain(verdict -> store.look(order.id())
                        .onFailure()
                        .recoverWithItem(Optional.empty())
                        .chain(found -> written(order, verdict, found, started)));
    }

    private Uni<Decision> written(Order order, Verdict verdict, Optional<Situation> found, Instant started) {
        if (found.isEmpty()) {
            var by = new Decision.By(
                    order.by(), started, Duration.between(started, desk.timing().now()));
            return Uni.createFrom()
                    .item(new Decision(
                            order.id(), "unknown", verdict.what(), verdict.reason(), verdict.evidence(), by));
        }
        var database = found.get().database();
        return order.dryRun()
                ? Uni.createFrom().item(desk.audit().decision(database, verdict, order.by(), started))
                : desk.audit().write(database, verdict, order.by(), started);
    }
}
