package io.holdfast.http.database;

import io.holdfast.http.edge.Problems;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.RegistryStore.PendingOrder;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.stream.Collectors;

/** Problem responses about apps and databases. */
final class DatabaseProblems {
    /** The default interval of the reconciler. */
    private static final long RETRY_ORDER_SECONDS = 30;

    /** At most this many apps are named in a sentence. */
    private static final int NAMED_MAX = 5;

    private DatabaseProblems() {}

    static Response noSuchApp(AppName name) {
        return Problems.answer(
                Problems.problem(404, "not-found", "Not found", "There is no app '%s'.".formatted(name)));
    }

    static Response noSuchDatabase(DatabaseId id) {
        return Problems.answer(
                Problems.problem(404, "not-found", "Not found", "There is no database '%s'.".formatted(id)));
    }

    static Response databaseInUse(DatabaseId id, List<AppName> apps) {
        var names = apps.stream().map(AppName::value).toList();
        var some = names.stream().limit(NAMED_MAX).collect(Collectors.joining(", "));
        var more = names.size() > NAMED_MAX ? " and %d more".formatted(names.size() - NAMED_MAX) : "";
        var detail = "Database '%s' is still used by %s%s. Remove it from these apps first.".formatted(id, some, more);
        return Problems.answer(Problems.problem(409, "database-in-use", "Database in use", detail)
                .withApps(names));
    }

    static Response orderPending(DatabaseId id, PendingOrder order, String consequence) {
        var detail =
                switch (order) {
                    case STOP ->
                        "Database '%s' is being stopped. %s Ask again when its `observed` is no longer STOPPING.";
                    case START ->
                        "Database '%s' is being started. %s Ask again when its `observed` is no longer STARTING.";
                };
        return Problems.builder(
                        Problems.problem(409, "order-pending", "Order pending", detail.formatted(id, consequence)))
                .header(HttpHeaders.RETRY_AFTER, RETRY_ORDER_SECONDS)
                .build();
    }
}
