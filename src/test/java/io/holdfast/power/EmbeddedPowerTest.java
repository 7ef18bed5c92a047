package io.holdfast.power;

import io.holdfast.lock.Fixtures;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.EmbeddedConfig;
import io.holdfast.store.embedded.EmbeddedDatabase;
import io.holdfast.store.embedded.EmbeddedStore;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPowerTest extends PowerContract {
    static final EmbeddedConfig SETTINGS = new Embedded();

    @TempDir
    Path folder;

    private EmbeddedStore store;

    @Override
    protected World newWorld() {
        store = EmbeddedStore.open(
                folder,
                SETTINGS,
                Fixtures.RULES,
                new EmbeddedDatabase.Surroundings(Infrastructure::getDefaultExecutor, StoreTelemetry.NONE));
        return new World(store.locks(), store.registry(), store.power());
    }

    @AfterEach
    void close() {
        store.close();
    }

    private record Embedded() implements EmbeddedConfig {
        @Override
        public int batchMax() {
            return 100;
        }

        @Override
        public int queueMax() {
            return 1000;
        }

        @Override
        public int fileMegabytesMax() {
            return 1024;
        }
    }
}
