package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class DrainIT {
    private static final int LOADED = 200;
    private static final Duration START_MAX = Duration.ofSeconds(60);
    private static final int SIGTERM_EXIT = 128 + 15;
    private static final Duration DELAY = Duration.ofSeconds(8);

    @Test
    void onSigtermTheProgramIsNotReadyGoesOnServingLosesNothingAndEnds() {
        var environment = Map.of(
                "HOLDFAST_DATA_DIR",
                PackagedProgram.newDataFolder().toString(),
                "HOLDFAST_DRAIN_DELAY",
                DELAY.toString());
        var storm = new Storm(new Random().nextLong());
        var late = ProgramCalls.newLockId();
        try (var program = PackagedProgram.start(environment)) {
            var waiting = CompletableFuture.supplyAsync(() -> inLine(program));
            var idle = CompletableFuture.supplyAsync(() -> askForWork(program));
            var raging = CompletableFuture.runAsync(() -> storm.rage(program.address(), () -> {}));
            await().atMost(START_MAX).until(() -> storm.acknowledged() >= LOADED);

            try (var probe = new ProgramCalls(program.address())) {
                await().until(() ->
                        probe.get("/v1/locks/waited-for").body().path("waiting").asInt() == 1);
            }

            var newcomers = CompletableFuture.supplyAsync(new Newcomers(program.address())::watch);
            program.terminate();

            try (var probe = new ProgramCalls(program.address())) {
                await().pollInterval(Duration.ofMillis(5))
                        .until(() -> probe.get("/q/health/ready").status() == 503);
            }
            var notReadyAt = System.nanoTime();
            var acknowledgedBefore = storm.acknowledged();
            try (var newcomer = new ProgramCalls(program.address())) {
                assertThat(newcomer.acquire("late", "newcomer", late).status()).isEqualTo(201);
            }
            assertThat(waiting.join().status())
                    .as("whoever waits is sent elsewhere")
                    .isEqualTo(503);
            assertThat(idle.join().status())
                    .as("a worker that waits for a job asks another replica")
                    .isEqualTo(204);
            assertThat(program.awaitExit()).isIn(0, SIGTERM_EXIT);
            raging.join();
            assertThat(storm.acknowledged()).isGreaterThan(acknowledgedBefore);
            assertThat(storm.firstUnansweredAt()).isGreaterThan(notReadyAt);
            var watched = newcomers.join();
            assertThat(watched.servedWhileNotReady()).isPositive();
            assertThat(List.of(watched.turnedAwayAt(), storm.firstUnansweredAt()))
                    .as("nobody is turned away before the program was not ready for the delay")
                    .allSatisfy(at ->
                            assertThat(Duration.ofNanos(at - watched.readyAt())).isGreaterThanOrEqualTo(DELAY));
        }
        try (var next = PackagedProgram.start(environment);
                var calls = new ProgramCalls(next.address())) {
            storm.check(next.address());
            assertThat(calls.get("/v1/locks/late").text("lock_id")).isEqualTo(late);
        }
    }

    private static ProgramCalls.Answer inLine(PackagedProgram program) {
        try (var calls = new ProgramCalls(program.address())) {
            calls.acquire("waited-for", "holder", ProgramCalls.newLockId());
            return calls.waitFor("waited-for", "waiter", ProgramCalls.newLockId());
        }
    }

    private static ProgramCalls.Answer askForWork(PackagedProgram program) {
        try (var calls = new ProgramCalls(program.address())) {
            var claim =
                    JsonNodeFactory.instance.objectNode().put("worker", "idle").put("wait", "60s");
            return calls.post("/v1/jobs/claim", claim);
        }
    }
}
