package io.holdfast.power;

import io.holdfast.lock.port.Fixtures;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.EmbeddedStore;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random histories: apps go up and down, links come and go, the database is registered anew, replicas die at any call,
 * answers are lost after the write, requests cross, leases run out, probes do not know, orders show late.
 * {@link PowerOracle} says what must be true, from what clients were told: no order to stop leaves that an app stands
 * against, no app is told that its database runs when it does not, and a stop request that was acknowledged comes about.
 */
class PowerHistoriesTest {
    private static final int HISTORIES = Integer.getInteger("power.histories", 2_000);
    /** Histories side by side, each lane with a store of its own: most of the time goes into waiting for the disk. */
    private static final int LANES = 8;

    private static final EmbeddedSettings SETTINGS = new EmbeddedSettings(512, 10_000, 1024);

    @TempDir
    Path folder;

    @Test
    void noHistoryStopsADatabaseThatIsNeededNorForgetsAStopThatWasAcknowledged()
            throws InterruptedException, ExecutionException {
        // The first one alone: what all share is made by it.
        play(0, 1);
        try (var threads = Executors.newFixedThreadPool(LANES)) {
            var lanes = new ArrayList<Future<?>>();
            for (var lane = 1; lane <= LANES; lane++) {
                var first = lane;
                lanes.add(threads.submit(() -> play(first, HISTORIES)));
            }
            for (var lane : lanes) {
                lane.get();
            }
        }
    }

    private void play(int firstSeed, int end) {
        try (var store = EmbeddedStore.open(
                folder.resolve("lane-" + firstSeed),
                SETTINGS,
                Fixtures.RULES,
                EmbeddedSettings.ELSEWHERE,
                StoreTelemetry.NONE)) {
            for (var seed = firstSeed; seed < end; seed += LANES) {
                new PowerHistory(seed, new World(store.locks(), store.registry(), store.power())).run();
            }
        }
    }
}
