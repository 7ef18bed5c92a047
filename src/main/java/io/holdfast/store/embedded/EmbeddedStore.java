package io.holdfast.store.embedded;

import io.holdfast.lock.LockRules;
import io.holdfast.lock.LockStore;
import io.holdfast.power.PowerStore;
import io.holdfast.registry.RegistryStore;
import io.holdfast.store.StoreCheck;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The embedded database with the stores of all capabilities on it. */
public final class EmbeddedStore implements AutoCloseable {
    private final EmbeddedDatabase database;
    private final EmbeddedLockStore locks;
    private final EmbeddedRegistryStore registry;
    private final EmbeddedPowerStore power;

    private EmbeddedStore(
            EmbeddedDatabase database,
            EmbeddedLockStore locks,
            EmbeddedRegistryStore registry,
            EmbeddedPowerStore power) {
        this.database = database;
        this.locks = locks;
        this.registry = registry;
        this.power = power;
    }

    public static EmbeddedStore open(
            Path dataDir, EmbeddedConfig config, LockRules rules, EmbeddedDatabase.Surroundings surroundings) {
        var lockTable = new EmbeddedTable<>("locks", new LockCodec());
        var apps = new EmbeddedTable<>("apps", new RegistryCodecs.OfApp());
        var databases = new EmbeddedTable<>("databases", new RegistryCodecs.OfDatabase());
        var powerTables = EmbeddedPowerStore.Tables.create();
        var tables = new ArrayList<EmbeddedTable<?>>(List.of(lockTable, apps, databases));
        tables.addAll(powerTables.all());
        var database = EmbeddedDatabase.open(dataDir, config, surroundings, tables);
        var registry = new EmbeddedRegistryStore(database, apps, databases, powerTables);
        return new EmbeddedStore(
                database,
                new EmbeddedLockStore(database, lockTable, rules),
                registry,
                new EmbeddedPowerStore(database, powerTables, registry));
    }

    public LockStore locks() {
        return locks;
    }

    public RegistryStore registry() {
        return registry;
    }

    public PowerStore power() {
        return power;
    }

    public StoreCheck check() {
        return database;
    }

    @Override
    public void close() {
        database.close();
    }
}
