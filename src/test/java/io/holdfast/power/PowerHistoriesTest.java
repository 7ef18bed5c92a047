package io.holdfast.power;

import static io.holdfast.lock.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.Fixtures;
import io.holdfast.power.AppProbe.Status;
import io.holdfast.registry.AppName;
import io.holdfast.registry.Database;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.EmbeddedConfig;
import io.holdfast.store.embedded.EmbeddedDatabase;
import io.holdfast.store.embedded.EmbeddedStore;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random histories: apps go up and down, links come and go, replicas die half-way, leases run out, probes do not know.
 * No order to stop ever leaves that an app stands against, and in the end the database is stopped or it is said why not.
 */
class PowerHistoriesTest {
    private static final int HISTORIES = 1_000;
    private static final int STEPS = 12;

    @TempDir
    Path folder;

    @Test
    void noHistoryStopsADatabaseThatIsNeededNorLeavesOneUpWithoutAReason() {
        try (var store = EmbeddedStore.open(
                folder,
                new Embedded(),
                Fixtures.RULES,
                new EmbeddedDatabase.Surroundings(Infrastructure::getDefaultExecutor, StoreTelemetry.NONE))) {
            for (var seed = 0; seed < HISTORIES; seed++) {
                new History(seed, new World(store.locks(), store.registry(), store.power())).run();
            }
        }
    }

    private static final class History {
        private final int seed;
        private final Random random;
        private final World world;
        private final List<AppName> apps = new ArrayList<>();
        private Optional<AppName> asking = Optional.empty();

        History(int seed, World world) {
            this.seed = seed;
            this.random = new Random(seed);
            this.world = world;
            world.database.onStop(this::checkThatNobodyIsAgainstIt);
        }

        void run() {
            apps.add(world.app("first", Status.UP));
            for (var step = 0; step < STEPS; step++) {
                step();
            }
            end();
        }

        private void step() {
            switch (random.nextInt(9)) {
                case 0 -> apps.add(world.app("app" + apps.size(), randomStatus()));
                case 1 -> world.apps.put(anyApp(), Status.DOWN);
                case 2 -> world.apps.put(anyApp(), Status.UNKNOWN);
                case 3 -> comeUp(anyApp());
                case 4 -> world.clock.advance(Duration.ofSeconds(random.nextInt(700)));
                case 5 -> reconcile();
                default -> stop(anyApp());
            }
        }

        /** As an app should: it asks for its databases first. */
        private void comeUp(AppName app) {
            world.replica().start(app);
            world.apps.put(app, Status.UP);
        }

        private void stop(AppName app) {
            asking = Optional.of(app);
            disturbTheProbes(app);
            if (random.nextInt(5) == 0) {
                dieStopping(app);
            } else {
                world.replica().stop(app);
            }
            if (random.nextBoolean()) {
                world.apps.put(app, Status.DOWN);
            }
            asking = Optional.empty();
        }

        /** Only this world's database: the store is shared with the histories before. */
        private void reconcile() {
            await(world.replica().reconciler().reconcile(world.id));
        }

        private void disturbTheProbes(AppName stopping) {
            var probed = anyApp();
            if (probed.equals(stopping)) {
                return;
            }
            switch (random.nextInt(6)) {
                case 0 -> world.whileProbing(probed, () -> apps.add(world.app("late" + apps.size(), Status.UP)));
                case 1 ->
                    world.whileProbing(probed, () -> {
                        var now = world.clock.instant();
                        await(world.store().hold(world.id, probed, now.plus(world.settings.hold()), now));
                    });
                case 2 -> world.whileProbing(probed, () -> world.clock.advance(world.settings.lockTtl()));
                default -> world.whileProbing(probed, () -> {});
            }
        }

        /** The process ends with its order: before it left, or before its answer came. */
        private void dieStopping(AppName app) {
            var carriedOut = random.nextBoolean();
            var dying = world.replica(new Actuator() {
                @Override
                public Uni<Outcome> stop(Database database, long epoch) {
                    return carriedOut
                            ? world.database.stop(database, epoch).chain(() -> Uni.createFrom()
                                    .nothing())
                            : Uni.createFrom().nothing();
                }

                @Override
                public Uni<Outcome> start(Database database, long epoch) {
                    return world.database.start(database, epoch);
                }

                @Override
                public Uni<State> state(Database database) {
                    return world.database.state(database);
                }
            });
            var before = world.decisions.size();
            dying.service().stop(app, false).subscribeAsCompletionStage();
            Awaitility.await()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> world.decisions.size() > before || state().phase() == Phase.STOPPING);
        }

        private void checkThatNobodyIsAgainstIt() {
            var situation = await(world.store().look(world.id)).orElseThrow();
            var holders = situation.state().intents().holdersAt(world.clock.instant());
            for (var sharer : situation.shared().sharers()) {
                if (!asking.equals(Optional.of(sharer.app()))) {
                    assertThat(world.apps.get(sharer.app()))
                            .as("seed %d: %s at the order to stop", seed, sharer.app())
                            .isEqualTo(Status.DOWN);
                    assertThat(holders).as("seed %d: holds at the order", seed).doesNotContain(sharer.app());
                }
            }
        }

        /** Everybody goes down for good, and time passes. */
        private void end() {
            world.calm();
            apps.forEach(app -> world.apps.put(app, Status.DOWN));
            asking = Optional.empty();
            for (var round = 0; round < 4; round++) {
                world.clock.advance(world.settings.hold().plus(world.settings.lockTtl()));
                reconcile();
            }
            var state = state();
            var wished = !state.intents().wishes().isEmpty();
            assertThat(state.phase())
                    .as("seed %d: wished %s, %s", seed, wished, world.database.now())
                    .matches(phase -> wished ? phase == Phase.STOPPED : phase != Phase.STOPPING);
            if (wished) {
                assertThat(world.database.now())
                        .as("seed %d: %s, orders %s, decisions %s", seed, state, world.database.orders, summary())
                        .isEqualTo(Actuator.State.STOPPED);
            }
        }

        private List<String> summary() {
            return world.decisions.stream()
                    .map(decision -> decision.what() + "@" + decision.evidence().epoch() + " " + decision.reason())
                    .toList();
        }

        private PowerState state() {
            return await(world.store().look(world.id)).orElseThrow().state();
        }

        private AppName anyApp() {
            return apps.get(random.nextInt(apps.size()));
        }

        private Status randomStatus() {
            return Status.values()[random.nextInt(Status.values().length)];
        }
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
