package io.holdfast.store.embedded;

import io.holdfast.lock.port.LockRules;
import io.holdfast.lock.port.LockStore;
import io.holdfast.power.port.PowerStore;
import io.holdfast.registry.RegistryStore;
import io.holdfast.store.StoreCheck;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

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
        return open(dataDir, config, rules, surroundings, EmbeddedFile.OPENER, System::nanoTime);
    }

    /** @param nanoTime what deadlines and pauses are measured with */
    static EmbeddedStore open(
            Path dataDir,
            EmbeddedConfig config,
            LockRules rules,
            EmbeddedDatabase.Surroundings surroundings,
            DataFile.Opener opener,
            LongSupplier nanoTime) {
        var lockTable = new EmbeddedTable<>("locks", new LockCodec());
        var tokens = new EmbeddedTable<>("tokens", EmbeddedTable.Codec.TEXT);
        var apps = new EmbeddedTable<>("apps", new RegistryCodecs.OfApp());
        var databases = new EmbeddedTable<>("databases", new RegistryCodecs.OfDatabase());
        var powerTables = EmbeddedPowerStore.Tables.create();
        var tables = new ArrayList<EmbeddedTable<?>>(List.of(lockTable, tokens, apps, databases));
        tables.addAll(powerTables.all());
        var database = EmbeddedDatabase.open(dataDir, config, surroundings, tables, opener, nanoTime);
        var registry = new EmbeddedRegistryStore(database, apps, databases, powerTables);
        return new EmbeddedStore(
                database,
                new EmbeddedLockStore(database, lockTable, tokens, rules),
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
