package io.holdfast.lock.queue;

import io.holdfast.lock.port.LockStore;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.EmbeddedStore;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedFairnessTest extends FairnessContract {
    @TempDir
    Path folder;

    private EmbeddedStore store;

    @Override
    protected List<LockStore> replicas() {
        store = EmbeddedStore.open(
                folder, EmbeddedSettings.DEFAULT, RULES, EmbeddedSettings.ELSEWHERE, StoreTelemetry.NONE);
        return List.of(store.locks());
    }

    @AfterEach
    void close() {
        store.close();
    }
}
