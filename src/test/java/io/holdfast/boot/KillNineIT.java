package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * The program on the embedded store is killed under load again and again. {@code -Dkill-nine.rounds} sets how
 * often, {@code -Dkill-nine.seed} repeats the choices of a run (what the scheduler does to them is its own).
 */
class KillNineIT {
    private static final int ROUNDS = Integer.getInteger("kill-nine.rounds", 100);
    private static final long SEED = Long.getLong("kill-nine.seed", new Random().nextLong());
    /** Programs side by side, each with a folder of its own: while one of them waits, another one starts. */
    private static final int LANES = 3;

    private static final int ACKNOWLEDGED_BEFORE_KILL_MAX = 60;

    @Test
    void nothingAcknowledgedIsLostAndTokensOnlyRise() throws InterruptedException, ExecutionException {
        System.out.printf("kill -9: %d rounds, -Dkill-nine.seed=%d%n", ROUNDS, SEED);
        var startedAt = System.nanoTime();
        var acknowledged = 0;
        var unanswered = 0;
        try (var threads = Executors.newFixedThreadPool(LANES)) {
            var lanes = new ArrayList<Future<Storm>>();
            for (var i = 0; i < LANES; i++) {
                var seed = SEED + i;
                var rounds = ROUNDS / LANES + (i < ROUNDS % LANES ? 1 : 0);
                lanes.add(threads.submit(() -> killAndCheck(seed, rounds)));
            }
            for (var lane : lanes) {
                acknowledged += lane.get().acknowledged();
                unanswered += lane.get().unanswered();
                assertThat(lane.get().turnedAway()).isZero();
            }
        }
        System.out.printf(
                "kill -9: %d acknowledged, %d unanswered, %d s%n",
                acknowledged,
                unanswered,
                Duration.ofNanos(System.nanoTime() - startedAt).toSeconds());
        assertThat(acknowledged).isGreaterThanOrEqualTo(ROUNDS);
        assertThat(unanswered).isGreaterThanOrEqualTo(ROUNDS);
    }

    private static Storm killAndCheck(long seed, int rounds) {
        var random = new Random(seed);
        var storm = new Storm(random.nextLong());
        var environment =
                Map.of("HOLDFAST_DATA_DIR", PackagedProgram.newDataFolder().toString());
        for (var round = 0; round < rounds; round++) {
            try (var program = PackagedProgram.start(environment)) {
                storm.check(program.address());
                killUnderLoad(program, storm, 1 + random.nextInt(ACKNOWLEDGED_BEFORE_KILL_MAX));
            }
        }
        try (var program = PackagedProgram.start(environment)) {
            storm.check(program.address());
        }
        return storm;
    }

    private static void killUnderLoad(PackagedProgram program, Storm storm, int killAfter) {
        var acknowledged = new AtomicInteger();
        storm.rage(program.address(), () -> {
            if (acknowledged.incrementAndGet() == killAfter) {
                program.kill9();
            }
        });
        program.awaitExit();
    }
}
