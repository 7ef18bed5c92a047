package io.holdfast.store.embedded;

import io.holdfast.lock.LockRules;
import io.holdfast.lock.LockStore;
import io.holdfast.store.StoreCheck;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** The embedded database with the stores of all capabilities on it. */
public final class EmbeddedStore implements AutoCloseable {
    private final EmbeddedDatabase database;
    private final EmbeddedLockStore locks;

    private EmbeddedStore(EmbeddedDatabase database, EmbeddedLockStore locks) {
        this.database = database;
        this.locks = locks;
    }

    /** @param answerOn asked once per change, on the caller's thread: where that caller wants its answer */
    public static EmbeddedStore open(
            Path dataDir, EmbeddedConfig config, LockRules rules, Supplier<Executor> answerOn) {
        var lockTable = new EmbeddedTable<>("locks", new LockCodec());
        var database = EmbeddedDatabase.open(dataDir, config, answerOn, List.of(lockTable));
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
