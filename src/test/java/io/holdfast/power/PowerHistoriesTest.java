package io.holdfast.power;

import static io.holdfast.lock.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.lock.Fixtures;
import io.holdfast.power.AppProbe.Status;
import io.holdfast.power.Decision.What;
import io.holdfast.registry.AppName;
import io.holdfast.store.embedded.EmbeddedSettings;
import io.holdfast.store.embedded.EmbeddedStore;
import io.smallrye.mutiny.Uni;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random histories: apps go up and down, links come and go, replicas die half-way, leases run out, probes do not know.
 * No order to stop ever leaves that an app stands against, and in the end the database is stopped or it is said why not.
 */
class PowerHistoriesTest {
    private static final int HISTORIES = 2_000;
    private static final int STEPS = 12;
    /** Histories side by side, each lane with a store of its own: most of the time goes into waiting for the disk. */
    private static final int LANES = 8;

    private static final EmbeddedSettings SETTINGS = new EmbeddedSettings(512, 10_000, 1024);

    @TempDir
    Path folder;

    @Test
    void noHistoryStopsADatabaseThatIsNeededNorLeavesOneUpWithoutAReason()
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
                folder.resolve("lane-" + firstSeed), SETTINGS, Fixtures.RULES, EmbeddedSettings.ELSEWHERE)) {
            for (var seed = firstSeed; seed < end; seed += LANES) {
                new History(seed, new World(store.locks(), store.registry(), store.power())).run();
            }
        }
    }

    private static final class History {
        private final int seed;
        private final Random random;
        private final World world;
        private final List<World.Replica> replicas;
        private final List<AppName> apps = new ArrayList<>();
        private final List<String> violations = Collections.synchronizedList(new ArrayList<>());
        private Optional<AppName> asking = Optional.empty();

        History(int seed, World world) {
            this.seed = seed;
            this.random = new Random(seed);
            this.world = world;
            this.replicas = List.of(world.replica(), world.replica());
            world.database.onStop(this::noteWhoIsAgainstIt);
        }

        void run() {
            apps.add(world.app("first", Status.UP));
            for (var step = 0; step < STEPS; step++) {
                step();
            }
            end();
            assertThat(violations).as("seed %d", seed).isEmpty();
        }

        private void step() {
            switch (random.nextInt(11)) {
                case 0 -> apps.add(world.app("app" + apps.size(), randomStatus()));
                case 1 -> world.apps.put(anyApp(), Status.DOWN);
                case 2 -> world.apps.put(anyApp(), Status.UNKNOWN);
                case 3 -> comeUp(anyApp());
                case 4 -> world.clock.advance(Duration.ofSeconds(random.nextInt(700)));
                case 5, 6 -> reconcile(anyReplica());
                case 7 -> linkAnewOrNotAtAll(anyApp());
                default -> stop(anyApp());
            }
        }

        /** As an app should: it asks for its databases first, and comes up when they are there. */
        private void comeUp(AppName app) {
            if (random.nextInt(6) == 0) {
                dieWhile(replica -> replica.start(app).replaceWithVoid());
                return;
            }
            var ready = await(anyReplica().service().start(app)).filter(results -> results.stream()
                    .allMatch(result -> result.what() == What.STARTED || result.what() == What.RUNNING));
            ready.ifPresent(results -> world.apps.put(app, Status.UP));
        }

        private void linkAnewOrNotAtAll(AppName app) {
            if (random.nextBoolean()) {
                world.unlink(app);
            } else {
                world.link(app);
            }
        }

        private void stop(AppName app) {
            asking = Optional.of(app);
            disturbTheProbes(app);
            switch (random.nextInt(6)) {
                case 0 -> dieWhile(replica -> replica.stop(app, false).replaceWithVoid());
                case 1 -> await(loseTheAnswerToTheCommit().service().stop(app, false));
                default -> await(anyReplica().service().stop(app, false));
            }
            if (random.nextBoolean()) {
                world.apps.put(app, Status.DOWN);
            }
            asking = Optional.empty();
        }

        /** Only this world's database: the store is shared with the histories before. */
        private void reconcile(World.Replica replica) {
            await(replica.reconciler().reconcile(world.id));
        }

        private void disturbTheProbes(AppName stopping) {
            var probed = anyApp();
            if (probed.equals(stopping)) {
                return;
            }
            switch (random.nextInt(7)) {
                case 0 -> world.whileProbing(probed, () -> apps.add(world.app("late" + apps.size(), Status.UP)));
                case 1 ->
                    world.whileProbing(probed, () -> {
                        var now = world.clock.instant();
                        await(world.store().hold(world.id, probed, now.plus(world.settings.hold()), now));
                    });
                case 2 -> world.whileProbing(probed, () -> world.clock.advance(world.settings.lockTtl()));
                case 3 -> world.whileProbing(probed, () -> reconcile(anyReplica()));
                default -> world.whileProbing(probed, () -> {});
            }
        }

        private World.Replica loseTheAnswerToTheCommit() {
            return world.replica(world.withEvery(
                    "commit",
                    commit -> commit.chain(
                            () -> Uni.createFrom().failure(new StoreUnavailableException("The answer was lost.")))));
        }

        /** The process ends with its order: before it left, or before its answer came. */
        private void dieWhile(Function<PowerService, Uni<Void>> asking) {
            var dead = new DeadActuator(world.database, random.nextBoolean());
            var dying = asking.apply(world.replica(dead).service()).subscribeAsCompletionStage();
            Awaitility.await()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> dying.isDone() || dead.hasDied());
        }

        /** An assertion thrown in here would be taken for a broken actuator, and be answered for. */
        private void noteWhoIsAgainstIt() {
            var situation = await(world.store().look(world.id)).orElseThrow();
            var holders = situation.state().intents().holdersAt(world.clock.instant());
            for (var sharer : situation.shared().sharers()) {
                var app = sharer.app();
                var asks = asking.equals(Optional.of(app));
                if (holders.contains(app) || !asks && world.apps.get(app) != Status.DOWN) {
                    violations.add("%s is %s, holders %s".formatted(app, world.apps.get(app), holders));
                }
            }
        }

        /** Everybody goes down for good, and time passes. */
        private void end() {
            world.calm();
            apps.forEach(app -> world.apps.put(app, Status.DOWN));
            world.clock.advance(
                    world.settings.hold().plus(world.settings.lockTtl()).plus(Fixtures.SKEW));
            for (var round = 0; round < 4; round++) {
                reconcile(replicas.getFirst());
                world.clock.advance(world.settings.downFor());
            }
            var state = state();
            var blockers = await(replicas.getFirst().service().overview(world.id))
                    .orElseThrow()
                    .blockers();
            var expected = state.intents().wishes().isEmpty() ? List.of("no app has asked for a stop") : List.of();
            assertThat(state.phase() == Phase.STOPPED ? List.of() : blockers)
                    .as("seed %d: %s, orders %s, decisions %s", seed, state, world.database.orders, summary())
                    .isEqualTo(state.phase() == Phase.STOPPED ? List.of() : expected);
            assertThat(world.database.now())
                    .as("seed %d: %s, orders %s", seed, state, world.database.orders)
                    .isEqualTo(state.phase() == Phase.STOPPED ? Actuator.State.STOPPED : Actuator.State.RUNNING);
        }

        private List<String> summary() {
            return world.decisions.stream()
                    .map(decision -> decision.what() + "@" + decision.evidence().epoch() + " " + decision.reason())
                    .toList();
        }

        private PowerState state() {
            return await(world.store().look(world.id)).orElseThrow().state();
        }

        private World.Replica anyReplica() {
            return replicas.get(random.nextInt(replicas.size()));
        }

        private AppName anyApp() {
            return apps.get(random.nextInt(apps.size()));
        }

        private Status randomStatus() {
            return Status.values()[random.nextInt(Status.values().length)];
        }
    }
}
