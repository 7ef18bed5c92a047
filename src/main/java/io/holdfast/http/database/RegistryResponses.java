package io.holdfast.http.database;

import io.holdfast.http.edge.Problems;
import io.holdfast.http.wire.database.AppsBody;
import io.holdfast.http.wire.database.DatabasesBody;
import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Page;
import io.holdfast.power.model.Overview;
import io.holdfast.registry.App;
import io.holdfast.registry.AppName;
import io.holdfast.registry.Database;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.RegistryStore.PutOutcome;
import io.holdfast.registry.RegistryStore.RemoveAppOutcome;
import io.holdfast.registry.RegistryStore.RemoveDatabaseOutcome;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Turns outcomes of the registry into responses. */
final class RegistryResponses {
    private RegistryResponses() {}

    static Response put(App app, PutOutcome outcome) {
        return put(outcome, DatabaseBodies.of(app));
    }

    static Response put(Database database, PutOutcome outcome) {
        return outcome instanceof PutOutcome.OrderPending pending
                ? DatabaseProblems.orderPending(
                        database.id(), pending.order(), "Its actuator cannot be changed before that has ended.")
                : put(outcome, DatabaseBodies.of(database));
    }

    static Response removed(AppName name, RemoveAppOutcome outcome) {
        return switch (outcome) {
            case RemoveAppOutcome.Removed removed -> Response.noContent().build();
            case RemoveAppOutcome.NoSuchApp none -> DatabaseProblems.noSuchApp(name);
        };
    }

    static Response removed(DatabaseId id, RemoveDatabaseOutcome outcome) {
        return switch (outcome) {
            case RemoveDatabaseOutcome.Removed removed -> Response.noContent().build();
            case RemoveDatabaseOutcome.NoSuchDatabase none -> DatabaseProblems.noSuchDatabase(id);
            case RemoveDatabaseOutcome.StillLinked linked -> DatabaseProblems.databaseInUse(id, linked.apps());
            case RemoveDatabaseOutcome.OrderPending pending ->
                DatabaseProblems.orderPending(id, pending.order(), "It cannot be removed before that has ended.");
        };
    }

    static Response find(AppName name, Optional<App> found) {
        return found.map(app -> ok(DatabaseBodies.of(app))).orElseGet(() -> DatabaseProblems.noSuchApp(name));
    }

    static Response find(DatabaseId id, Optional<Overview> found) {
        return found.map(overview -> ok(DatabaseBodies.of(overview)))
                .orElseGet(() -> DatabaseProblems.noSuchDatabase(id));
    }

    static Response listApps(Page<App> page) {
        return ok(new AppsBody(page.items().stream().map(DatabaseBodies::of).toList(), next(page)));
    }

    static Response listDatabases(Page<Database> page) {
        return ok(
                new DatabasesBody(page.items().stream().map(DatabaseBodies::of).toList(), next(page)));
    }

    private static Response put(PutOutcome outcome, Object stored) {
        return switch (outcome) {
            case PutOutcome.Created created ->
                Response.status(201).entity(stored).build();
            case PutOutcome.Updated updated -> ok(stored);
            case PutOutcome.NoSuchDatabases unknown -> Problems.invalidInput(unknownDatabases(unknown.missing()));
            case PutOutcome.OrderPending pending ->
                throw new IllegalStateException("Only a database has orders: " + pending);
        };
    }

    private static InvalidInputException unknownDatabases(Set<DatabaseId> missing) {
        var names = missing.stream().sorted().map(DatabaseId::value).collect(Collectors.joining(", "));
        return new InvalidInputException("databases", "registered databases; these are not: " + names);
    }

    private static String next(Page<?> page) {
        return page.next().map(Cursor::text).orElse(null);
    }

    private static Response ok(Object body) {
        return Response.ok(body).build();
    }
}
