package io.holdfast.registry;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Stores apps, databases and the links between them.
 *
 * <p>Each method is one atomic step, durable before it completes. The links of an app and the edge versions of the
 * affected databases change together. {@link #findDatabase} is one strongly consistent read; its cost depends only on
 * the number of sharers.
 */
public interface RegistryStore {
    Uni<PutOutcome> putApp(App app);

    Uni<RemoveAppOutcome> removeApp(AppName name);

    Uni<Optional<App>> findApp(AppName name);

    Uni<Page<App>> listApps(int limit, Optional<Cursor> after);

    Uni<PutOutcome> putDatabase(Database database);

    Uni<RemoveDatabaseOutcome> removeDatabase(DatabaseId id);

    Uni<Optional<SharedDatabase>> findDatabase(DatabaseId id);

    Uni<Page<Database>> listDatabases(int limit, Optional<Cursor> after);

    sealed interface PutOutcome {
        record Created() implements PutOutcome {}

        record Updated() implements PutOutcome {}

        /** The app names databases that are not registered. Nothing was changed. */
        record NoSuchDatabases(Set<DatabaseId> missing) implements PutOutcome {}

        /** The actuator cannot change while it carries out an order. Nothing was changed. */
        record OrderPending(PendingOrder order) implements PutOutcome {}
    }

    sealed interface RemoveAppOutcome {
        record Removed() implements RemoveAppOutcome {}

        record NoSuchApp() implements RemoveAppOutcome {}
    }

    sealed interface RemoveDatabaseOutcome {
        record Removed() implements RemoveDatabaseOutcome {}

        record NoSuchDatabase() implements RemoveDatabaseOutcome {}

        /** Apps still use the database. Nothing was changed. */
        record StillLinked(List<AppName> apps) implements RemoveDatabaseOutcome {}

        /** An order has not completed yet. Nothing was changed. */
        record OrderPending(PendingOrder order) implements RemoveDatabaseOutcome {}
    }

    /** A committed order. It may have been sent; its completion is not confirmed. */
    enum PendingOrder {
        STOP,
        START
    }
}
