package io.holdfast.job.history;

import static io.holdfast.lock.port.Fixtures.RULES;

import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.EmbeddedStore;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Thousands of random histories: workers die, sleep past their lease and wake up, answers are lost, requests of several
 * replicas interleave between each other's reads and writes, and clocks differ within the guard.
 */
class JobHistoriesTest {
    private static final int HISTORIES = Integer.getInteger("holdfast.test.job-histories", 2_000);

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
    void noTwoWorkersRelyOnOneClusterAndEveryJobEnds() {
        JobHistory.playAll(HISTORIES, store.jobs());
    }
}
