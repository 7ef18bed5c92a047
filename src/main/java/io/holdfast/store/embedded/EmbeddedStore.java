package io.holdfast.store.embedded;

import static io.holdfast.kernel.Settings.requireAtLeast;

import io.holdfast.job.port.JobStore;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.holdfast.lock.port.LockRules;
import io.holdfast.lock.port.LockStore;
import io.holdfast.power.port.PowerStore;
import io.holdfast.registry.RegistryStore;
import io.holdfast.store.StoreCheck;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.engine.DataFile;
import io.holdfast.store.embedded.engine.EmbeddedConfig;
import io.holdfast.store.embedded.engine.EmbeddedDatabase;
import io.holdfast.store.embedded.engine.EmbeddedDisk;
import io.holdfast.store.embedded.engine.EmbeddedFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The embedded database with the stores of all capabilities. */
public final class EmbeddedStore implements AutoCloseable {
    private final EmbeddedDatabase database;
    private final EmbeddedLockStore locks;
    private final EmbeddedRegistryStore registry;
    private final EmbeddedPowerStore power;
    private final EmbeddedJobStore jobs;
    private final EmbeddedLifecycleStore lifecycle;

    private EmbeddedStore(EmbeddedDatabase database, EmbeddedTables tables, LockRules rules) {
        this.database = database;
        var tokenFloor = new TokenFloor(tables.tokens());
        this.locks = new EmbeddedLockStore(database, tables.locks(), tokenFloor, rules);
        this.registry = new EmbeddedRegistryStore(database, tables.apps(), tables.databases(), tables.power());
        this.power = new EmbeddedPowerStore(database, tables.power(), registry);
        this.jobs = new EmbeddedJobStore(database, tables.jobs(), tables.locks(), tokenFloor);
        this.lifecycle = new EmbeddedLifecycleStore(database, tables.lifecycle());
    }

    /**
     * @param answerOn called on the caller's thread, once per change: the executor on which the caller gets its answer
     */
    public static EmbeddedStore open(
            Path dataDir,
            EmbeddedConfig config,
            LockRules rules,
            Supplier<Executor> answerOn,
            StoreTelemetry telemetry) {
        check(config);
        var tables = EmbeddedTables.create();
        var disk = EmbeddedDisk.open(dataDir, config, EmbeddedFile.OPENER, System::nanoTime, tables.all());
        var database = new EmbeddedDatabase(disk, config, answerOn, telemetry, System::nanoTime);
        return new EmbeddedStore(database, tables, rules);
    }

    /**
     * For tests, without telemetry.
     *
     * @param nanoTime the clock of deadlines and pauses
     */
    static EmbeddedStore open(
            Path dataDir,
            EmbeddedConfig config,
            LockRules rules,
            Supplier<Executor> answerOn,
            DataFile.Opener opener,
            LongSupplier nanoTime) {
        check(config);
        var tables = EmbeddedTables.create();
        var disk = EmbeddedDisk.open(dataDir, config, opener, nanoTime, tables.all());
        var database = new EmbeddedDatabase(disk, config, answerOn, StoreTelemetry.NONE, nanoTime);
        return new EmbeddedStore(database, tables, rules);
    }

    private static void check(EmbeddedConfig config) {
        requireAtLeast("holdfast.embedded.batch-max", config.batchMax(), 1);
        requireAtLeast("holdfast.embedded.queue-max", config.queueMax(), 1);
        requireAtLeast("holdfast.embedded.file-megabytes-max", config.fileMegabytesMax(), 1);
        var shortest = Duration.ofMillis(1);
        requireAtLeast("holdfast.embedded.change-timeout", config.changeTimeout(), "1ms", shortest);
        requireAtLeast("holdfast.embedded.reopen-backoff-base", config.reopenBackoffBase(), "1ms", shortest);
        requireAtLeast(
                "holdfast.embedded.reopen-backoff-max",
                config.reopenBackoffMax(),
                "holdfast.embedded.reopen-backoff-base",
                config.reopenBackoffBase());
        requireAtLeast("holdfast.embedded.probe-every", config.probeEvery(), "1ms", shortest);
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

    public JobStore jobs() {
        return jobs;
    }

    public LifecycleStore lifecycle() {
        return lifecycle;
    }

    public StoreCheck check() {
        return database;
    }

    @Override
    public void close() {
        database.close();
    }
}
