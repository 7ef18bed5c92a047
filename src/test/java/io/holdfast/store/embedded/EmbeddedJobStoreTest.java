package io.holdfast.store.embedded;

import io.holdfast.job.port.JobStore;
import io.holdfast.job.port.JobStoreContract;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.lock.port.LockStore;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedJobStoreTest extends JobStoreContract {
    @TempDir
    Path folder;

    private EmbeddedStore store;

    @BeforeEach
    void open() {
        store = EmbeddedStore.open(
                folder, EmbeddedSettings.DEFAULT, Fixtures.RULES, EmbeddedSettings.HERE, StoreTelemetry.NONE);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Override
    public JobStore store() {
        return store.jobs();
    }

    @Override
    protected LockStore locks() {
        return store.locks();
    }

    @Override
    protected int races() {
        return 40;
    }
}
