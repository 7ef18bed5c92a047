package io.holdfast.power;

import static io.holdfast.lock.port.Fixtures.await;

import io.holdfast.lock.port.Fixtures;
import io.holdfast.power.model.AppStatus;
import io.holdfast.registry.App;
import io.holdfast.registry.AppName;
import io.holdfast.registry.ProbePolicy;
import io.holdfast.registry.ProbeSpec;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.EmbeddedStore;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures, not facts: `make bench` prints them. */
@Tag("benchmark")
class PowerBenchmark {
    private static final int ROUNDS = 300;

    private static final EmbeddedSettings SETTINGS = new EmbeddedSettings(512, 10_000, 1024);

    @TempDir
    Path folder;

    @Test
    void aStopByHowManyAppsAreRegistered() {
        try (var store =
                EmbeddedStore.open(folder, SETTINGS, Fixtures.RULES, EmbeddedSettings.ELSEWHERE, StoreTelemetry.NONE)) {
            stops(store);
            var registered = 0;
            for (var apps : new int[] {10, 10_000}) {
                for (; registered < apps; registered++) {
                    var probe = new ProbeSpec(ProbePolicy.HTTP_200, Optional.empty(), Optional.empty(), 1);
                    await(store.registry().putApp(new App(new AppName("app-" + registered), probe, Set.of())));
                }
                System.out.printf(
                        "BENCH a stop of a database with 3 apps, %,d registered: median %.2f ms%n",
                        apps, stops(store) / 1e6);
            }
        }
    }

    private static long stops(EmbeddedStore store) {
        var times = new long[ROUNDS];
        for (var round = 0; round < ROUNDS; round++) {
            var world = new World(store.locks(), store.registry(), store.power());
            var app = world.app("a", AppStatus.UP);
            world.app("b", AppStatus.DOWN);
            world.app("c", AppStatus.DOWN);
            var replica = world.replica();
            var started = System.nanoTime();
            replica.stop(app);
            times[round] = System.nanoTime() - started;
        }
        Arrays.sort(times);
        return times[ROUNDS / 2];
    }
}
