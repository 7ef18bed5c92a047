package io.holdfast.store.embedded;

import io.holdfast.lock.LockRules;
import io.holdfast.lock.LockStore;
import io.holdfast.store.StoreCheck;
import java.nio.file.Path;
import java.util.List;

/** The embedded database with the stores of all capabilities on it. */
public final class EmbeddedStore implements AutoCloseable {
    private final EmbeddedDatabase database;
    private final EmbeddedLockStore locks;

    private EmbeddedStore(EmbeddedDatabase database, EmbeddedLockStore locks) {
        this.database = database;
        this.locks = locks;
    }

    public static EmbeddedStore open(
            Path dataDir, EmbeddedConfig config, LockRules rules, EmbeddedDatabase.Surroundings surroundings) {
        var lockTable = new EmbeddedTable<>("locks", new LockCodec());
        var database = EmbeddedDatabase.open(dataDir, config, surroundings, List.of(lockTable));
        return new EmbeddedStore(database, new EmbeddedLockStore(database, lockTable, rules));
    }

    public LockStore locks() {
        return locks;
    }

    public StoreCheck check() {
        return database;
    }

    @Override
    public void close() {
        database.close();
    }
}
