package io.holdfast.store.embedded;

import io.holdfast.lock.model.LockRecord;
import io.holdfast.registry.App;
import io.holdfast.store.embedded.engine.EmbeddedTable;
import java.util.ArrayList;
import java.util.List;

/**
 * All tables of the data file.
 *
 * @param tokens the highest token of any record that was purged
 */
record EmbeddedTables(
        EmbeddedTable<LockRecord> locks,
        EmbeddedTable<String> tokens,
        EmbeddedTable<App> apps,
        EmbeddedTable<DatabaseRecord> databases,
        PowerTables power,
        JobTables jobs,
        LifecycleTables lifecycle) {
    static EmbeddedTables create() {
        return new EmbeddedTables(
                new EmbeddedTable<>("locks", new LockCodec()),
                new EmbeddedTable<>("tokens", EmbeddedTable.Codec.TEXT),
                new EmbeddedTable<>("apps", new RegistryCodecs.OfApp()),
                new EmbeddedTable<>("databases", new RegistryCodecs.OfDatabase()),
                PowerTables.create(),
                JobTables.create(),
                LifecycleTables.create());
    }

    List<EmbeddedTable<?>> all() {
        var all = new ArrayList<EmbeddedTable<?>>(List.of(locks, tokens, apps, databases));
        all.addAll(power.all());
        all.addAll(jobs.all());
        all.addAll(lifecycle.all());
        return all;
    }
}
