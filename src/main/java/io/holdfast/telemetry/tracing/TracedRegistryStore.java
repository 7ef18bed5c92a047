package io.holdfast.telemetry.tracing;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.registry.App;
import io.holdfast.registry.AppName;
import io.holdfast.registry.Database;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.RegistryStore;
import io.holdfast.registry.SharedDatabase;
import io.opentelemetry.api.common.Attributes;
import io.smallrye.mutiny.Uni;
import java.util.Optional;

/** Adds a span to every call of a registry. Changes no answer. */
public final class TracedRegistryStore implements RegistryStore {
    private final RegistryStore store;
    private final Spans spans;

    public TracedRegistryStore(RegistryStore store, Spans spans) {
        this.store = store;
        this.spans = spans;
    }

    @Override
    public Uni<PutOutcome> putApp(App app) {
        return spans.around(
                "registry put app", SpanAttributes.of(app.name()), () -> store.putApp(app), SpanAttributes::outcome);
    }

    @Override
    public Uni<RemoveAppOutcome> removeApp(AppName name) {
        return spans.around(
                "registry remove app", SpanAttributes.of(name), () -> store.removeApp(name), SpanAttributes::outcome);
    }

    @Override
    public Uni<Optional<App>> findApp(AppName name) {
        return spans.around(
                "registry find app", SpanAttributes.of(name), () -> store.findApp(name), SpanAttributes::found);
    }

    @Override
    public Uni<Page<App>> listApps(int limit, Optional<Cursor> after) {
        return spans.around("registry list apps", Attributes.empty(), () -> store.listApps(limit, after));
    }

    @Override
    public Uni<PutOutcome> putDatabase(Database database) {
        return spans.around(
                "registry put database",
                SpanAttributes.of(database.id()),
                () -> store.putDatabase(database),
                SpanAttributes::outcome);
    }

    @Override
    public Uni<RemoveDatabaseOutcome> removeDatabase(DatabaseId id) {
        return spans.around(
                "registry remove database",
                SpanAttributes.of(id),
                () -> store.removeDatabase(id),
                SpanAttributes::outcome);
    }

    @Override
    public Uni<Optional<SharedDatabase>> findDatabase(DatabaseId id) {
        return spans.around(
                "registry find database", SpanAttributes.of(id), () -> store.findDatabase(id), SpanAttributes::found);
    }

    @Override
    public Uni<Page<Database>> listDatabases(int limit, Optional<Cursor> after) {
        return spans.around("registry list databases", Attributes.empty(), () -> store.listDatabases(limit, after));
    }
}
