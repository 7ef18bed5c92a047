package io.holdfast.registry;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps apps, databases and the links between them.
 *
 * <p>Each method is one atomic step, durable before its answer. An app's links and the edge versions of all databases
 * whose links change move together: nobody ever sees one without the other. Who shares a database is one strongly
 * consistent read whose cost depends on its sharers alone.
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

        /** An app named databases that are not registered; nothing was changed. */
        record NoSuchDatabases(Set<DatabaseId> missing) implements PutOutcome {}

        /** A database's actuator was to be changed while it carries out an order; nothing was changed. */
        record OrderPending(PendingOrder order) implements PutOutcome {}
    }

    sealed interface RemoveAppOutcome {
        record Removed() implements RemoveAppOutcome {}

        record NoSuchApp() implements RemoveAppOutcome {}
    }

    sealed interface RemoveDatabaseOutcome {
        record Removed() implements RemoveDatabaseOutcome {}

        record NoSuchDatabase() implements RemoveDatabaseOutcome {}

        /** Apps still use it; nothing was changed. */
        record StillLinked(List<AppName> apps) implements RemoveDatabaseOutcome {}

        /** An order is under way whose end must still be seen; nothing was changed. */
        record OrderPending(PendingOrder order) implements RemoveDatabaseOutcome {}
    }

    /** An order that was committed, may have left, and is not known to have come to its end. */
    enum PendingOrder {
        STOP,
        START
    }
}
