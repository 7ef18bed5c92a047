package io.holdfast.registry;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Page;
import io.holdfast.registry.RegistryStore.PutOutcome;
import io.holdfast.registry.RegistryStore.RemoveAppOutcome;
import io.holdfast.registry.RegistryStore.RemoveDatabaseOutcome;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jboss.logging.Logger;

/** Entry point for apps and databases. Validates limits, delegates to the store, logs changes. Thread-safe. */
@Singleton
public class RegistryService {
    public static final int LIST_LIMIT_DEFAULT = 100;
    public static final int LIST_LIMIT_MAX = 1000;

    private static final Logger LOG = Logger.getLogger("io.holdfast.registry");

    private final RegistryStore store;
    private final LinkListener listener;

    public RegistryService(RegistryStore store, LinkListener listener) {
        this.store = store;
        this.listener = listener;
    }

    public Uni<PutOutcome> putApp(App app) {
        return store.findApp(app.name()).chain(before -> put(before, app));
    }

    private Uni<PutOutcome> put(Optional<App> before, App app) {
        return store.putApp(app).invoke(outcome -> {
            if (!(outcome instanceof PutOutcome.NoSuchDatabases)) {
                unlinked(before, app.databases());
                LOG.infof(
                        "App registered app=%s dbs=%s probe=%s",
                        app.name(), app.databases(), app.probe().policy().text());
            }
        });
    }

    public Uni<RemoveAppOutcome> removeApp(AppName name) {
        return store.findApp(name).chain(before -> remove(before, name));
    }

    private Uni<RemoveAppOutcome> remove(Optional<App> before, AppName name) {
        return store.removeApp(name).invoke(outcome -> {
            if (outcome instanceof RemoveAppOutcome.Removed) {
                unlinked(before, Set.of());
                LOG.infof("App removed app=%s", name);
            }
        });
    }

    public Uni<Optional<App>> findApp(AppName name) {
        return store.findApp(name);
    }

    public Uni<Page<App>> listApps(Optional<Integer> limit, Optional<Cursor> after) {
        return store.listApps(checked(limit), after);
    }

    public Uni<PutOutcome> putDatabase(Database database) {
        return store.putDatabase(database).invoke(outcome -> {
            if (!(outcome instanceof PutOutcome.OrderPending)) {
                LOG.infof(
                        "Database registered db=%s type=%s actuator=%s",
                        database.id(), database.type(), database.actuator().kind());
            }
        });
    }

    public Uni<RemoveDatabaseOutcome> removeDatabase(DatabaseId id) {
        return store.removeDatabase(id).invoke(outcome -> {
            if (outcome instanceof RemoveDatabaseOutcome.Removed) {
                LOG.infof("Database removed db=%s", id);
            }
        });
    }

    public Uni<Optional<SharedDatabase>> findDatabase(DatabaseId id) {
        return store.findDatabase(id);
    }

    public Uni<Page<Database>> listDatabases(Optional<Integer> limit, Optional<Cursor> after) {
        return store.listDatabases(checked(limit), after);
    }

    /** Best effort: with concurrent changes of one app a database may be missing. The reconciler checks it later. */
    private void unlinked(Optional<App> before, Set<DatabaseId> now) {
        var removed = new HashSet<>(before.map(App::databases).orElse(Set.of()));
        removed.removeAll(now);
        if (!removed.isEmpty()) {
            listener.unlinked(removed);
        }
    }

    private static int checked(Optional<Integer> asked) {
        var limit = asked.orElse(LIST_LIMIT_DEFAULT);
        if (limit < 1 || limit > LIST_LIMIT_MAX) {
            throw new InvalidInputException("limit", "a whole number from 1 to " + LIST_LIMIT_MAX);
        }
        return limit;
    }
}
