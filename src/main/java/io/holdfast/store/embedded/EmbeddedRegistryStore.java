package io.holdfast.store.embedded;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.registry.App;
import io.holdfast.registry.AppName;
import io.holdfast.registry.Database;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.LinkChanges;
import io.holdfast.registry.RegistryStore;
import io.holdfast.registry.SharedDatabase;
import io.holdfast.store.embedded.engine.EmbeddedDatabase;
import io.holdfast.store.embedded.engine.EmbeddedTable;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** The registry in the embedded database. The writer decides all changes. */
public final class EmbeddedRegistryStore implements RegistryStore {
    private final EmbeddedDatabase file;
    private final EmbeddedTable<App> apps;
    private final EmbeddedTable<DatabaseRecord> databases;
    private final PowerTables power;

    /** @param power the state of each database; it is removed with the database */
    EmbeddedRegistryStore(
            EmbeddedDatabase file,
            EmbeddedTable<App> apps,
            EmbeddedTable<DatabaseRecord> databases,
            PowerTables power) {
        this.file = file;
        this.apps = apps;
        this.databases = databases;
        this.power = power;
    }

    @Override
    public Uni<PutOutcome> putApp(App app) {
        return file.change(() -> {
            var missing = missing(app.databases());
            if (!missing.isEmpty()) {
                return new PutOutcome.NoSuchDatabases(missing);
            }
            var before = apps.get(app.name().value());
            relink(app.name(), LinkChanges.between(before, Optional.of(app)));
            apps.put(app.name().value(), app);
            return put(before.isPresent());
        });
    }

    @Override
    public Uni<RemoveAppOutcome> removeApp(AppName name) {
        return file.change(() -> {
            var before = apps.get(name.value());
            if (before.isEmpty()) {
                return new RemoveAppOutcome.NoSuchApp();
            }
            relink(name, LinkChanges.between(before, Optional.empty()));
            apps.delete(name.value());
            return new RemoveAppOutcome.Removed();
        });
    }

    @Override
    public Uni<Optional<App>> findApp(AppName name) {
        return file.read(() -> Optional.ofNullable(apps.committed().get(name.value())));
    }

    @Override
    public Uni<Page<App>> listApps(int limit, Optional<Cursor> after) {
        return file.read(() -> page(apps, limit, after, Function.identity()));
    }

    @Override
    public Uni<PutOutcome> putDatabase(Database database) {
        return file.change(() -> {
            var before = databases.get(database.id().value());
            var pending = before.filter(old -> !old.database().actuator().equals(database.actuator()))
                    .flatMap(old -> power.pendingOrder(database.id()));
            if (pending.isPresent()) {
                return new PutOutcome.OrderPending(pending.get());
            }
            var record = before.map(old -> old.with(database)).orElseGet(() -> DatabaseRecord.unlinked(database));
            databases.put(database.id().value(), record);
            return put(before.isPresent());
        });
    }

    @Override
    public Uni<RemoveDatabaseOutcome> removeDatabase(DatabaseId id) {
        return file.change(() -> {
            var before = databases.get(id.value());
            if (before.isEmpty()) {
                return new RemoveDatabaseOutcome.NoSuchDatabase();
            }
            if (!before.get().apps().isEmpty()) {
                return new RemoveDatabaseOutcome.StillLinked(
                        List.copyOf(before.get().apps()));
            }
            var pending = power.pendingOrder(id);
            if (pending.isPresent()) {
                return new RemoveDatabaseOutcome.OrderPending(pending.get());
            }
            databases.delete(id.value());
            power.forget(id);
            return new RemoveDatabaseOutcome.Removed();
        });
    }

    /** Runs on the writer, where the tables of databases and apps are consistent with each other. */
    @Override
    public Uni<Optional<SharedDatabase>> findDatabase(DatabaseId id) {
        return file.change(() -> shared(id));
    }

    @Override
    public Uni<Page<Database>> listDatabases(int limit, Optional<Cursor> after) {
        return file.read(() -> page(databases, limit, after, DatabaseRecord::database));
    }

    /** The same as {@link #findDatabase}, for callers on the writer. */
    Optional<SharedDatabase> shared(DatabaseId id) {
        return databases.get(id.value()).map(record -> {
            var sharers = record.apps().stream()
                    .map(name -> apps.get(name.value()).orElseThrow().sharer())
                    .toList();
            return new SharedDatabase(record.database(), record.edgeVersion(), sharers);
        });
    }

    private Set<DatabaseId> missing(Set<DatabaseId> wanted) {
        var missing = new TreeSet<>(wanted);
        missing.removeIf(id -> databases.get(id.value()).isPresent());
        return missing;
    }

    private void relink(AppName app, LinkChanges changes) {
        for (var id : changes.all()) {
            var linked = !changes.broken().contains(id);
            var record = databases.get(id.value()).orElseThrow();
            databases.put(id.value(), record.relinked(app, linked));
        }
    }

    private static PutOutcome put(boolean existed) {
        return existed ? new PutOutcome.Updated() : new PutOutcome.Created();
    }

    private static <V, T> Page<T> page(
            EmbeddedTable<V> table, int limit, Optional<Cursor> after, Function<V, T> shown) {
        var rest = after.map(cursor -> table.committed().tailMap(cursor.position(), false))
                .orElseGet(table::committed);
        var found = new ArrayList<T>();
        for (var entry : rest.entrySet()) {
            found.add(shown.apply(entry.getValue()));
            if (found.size() == limit) {
                return new Page<>(found, Optional.of(new Cursor(entry.getKey())));
            }
        }
        return new Page<>(found, Optional.empty());
    }
}
