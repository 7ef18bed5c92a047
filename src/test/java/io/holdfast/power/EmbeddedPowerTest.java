package io.holdfast.power;

import io.holdfast.lock.port.Fixtures;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.EmbeddedStore;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPowerTest extends PowerContract {
    @TempDir
    Path folder;

    private EmbeddedStore store;

    @Override
    protected World newWorld() {
        store = EmbeddedStore.open(
                folder, EmbeddedSettings.DEFAULT, Fixtures.RULES, EmbeddedSettings.ELSEWHERE, StoreTelemetry.NONE);
        return new World(store.locks(), store.registry(), store.power());
    }

    @AfterEach
    void close() {
        store.close();
    }
}
