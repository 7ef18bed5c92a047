package io.holdfast.store.embedded;

import io.holdfast.lock.LockRules;
import io.holdfast.lock.LockStore;
import io.holdfast.registry.RegistryStore;
import io.holdfast.store.StoreCheck;
import java.nio.file.Path;
import java.util.List;

/** The embedded database with the stores of all capabilities on it. */
public final class EmbeddedStore implements AutoCloseable {
    private final EmbeddedDatabase database;
    private final EmbeddedLockStore locks;
    private final EmbeddedRegistryStore registry;

    private EmbeddedStore(EmbeddedDatabase database, EmbeddedLockStore locks, EmbeddedRegistryStore registry) {
        this.database = database;
        this.locks = locks;
        this.registry = registry;
    }

    public static EmbeddedStore open(
            Path dataDir, EmbeddedConfig config, LockRules rules, EmbeddedDatabase.Surroundings surroundings) {
        var lockTable = new EmbeddedTable<>("locks", new LockCodec());
        var apps = new EmbeddedTable<>("apps", new RegistryCodecs.OfApp());
        var databases = new EmbeddedTable<>("databases", new RegistryCodecs.OfDatabase());
        var database = EmbeddedDatabase.open(dataDir, config, surroundings, List.of(lockTable, apps, databases));
        return new EmbeddedStore(
                database,
                new EmbeddedLockStore(database, lockTable, rules),
                new EmbeddedRegistryStore(database, apps, databases));
    }

    public LockStore locks() {
        return locks;
    }

    public RegistryStore registry() {
        return registry;
    }

    public StoreCheck check() {
        return database;
    }

    @Override
    public void close() {
        database.close();
    }
}
