package io.holdfast.store.embedded;

import io.holdfast.lock.port.FencedUpdatesContract;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.lock.port.LockStore;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedFencedUpdatesTest extends FencedUpdatesContract {
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
    protected LockStore store() {
        return store.locks();
    }

    @Override
    protected int updatesPerOwner() {
        return 150;
    }
}
