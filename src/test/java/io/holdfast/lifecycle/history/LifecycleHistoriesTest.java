package io.holdfast.lifecycle.history;

import static io.holdfast.lock.port.Fixtures.RULES;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.EmbeddedStore;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random histories of API, workers and reconciler at two replicas: answers are lost, commits and copies of requests
 * arrive late, writers sleep past their lease, other requests come between a read and its write, clocks differ within the
 * guard, and the service is removed and registered again.
 */
class LifecycleHistoriesTest {
    private static final int HISTORIES = Integer.getInteger("holdfast.test.lifecycle-histories", 300);

    /** Of each of ten components. */
    private static final int ROUNDS = Integer.getInteger("holdfast.test.lifecycle-rounds", 300);

    @TempDir
    Path folder;

    private EmbeddedStore store;

    @BeforeEach
    void open() {
        store = EmbeddedStore.open(
                folder, EmbeddedSettings.DEFAULT, RULES, EmbeddedSettings.ELSEWHERE, StoreTelemetry.NONE);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void eachRowIsWhatOneWriterWasToldAndNoOlderWriterWins() {
        assertThat(LifecycleHistory.playAll(HISTORIES, store.lifecycle())).isGreaterThan(5 * HISTORIES);
    }

    @Test
    void tenComponentsAtOnceWriteWhatTheyWereToldAndNothingElse() throws Exception {
        try (var storm = new ServiceStorm(store.lifecycle(), store.locks())) {
            assertThat(storm.run(ROUNDS)).hasSizeGreaterThan(ROUNDS / 3);
        }
    }
}
