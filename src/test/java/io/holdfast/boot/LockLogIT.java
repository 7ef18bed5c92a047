package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the packaged program logs of a lock: one line for each thing that matters. */
class LockLogIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static PackagedProgram program;

    @BeforeAll
    static void start() {
        program = PackagedProgram.start(
                Map.of("HOLDFAST_DATA_DIR", PackagedProgram.newDataFolder().toString()));
    }

    @AfterAll
    static void stop() {
        program.close();
    }

    @Test
    void aShortExecIsALineWhenItBeginsAndALineWhenItEnds() {
        try (var exec = PackagedCommand.start(
                Map.of("HOLDFAST_URL", program.address().toString()), "exec", "--lock", "short", "--", "true")) {
            assertThat(exec.awaitExit()).as(exec.err()).isZero();
        }
        // Lines are written in their order, so nothing of the exec comes after those of this lock.
        try (var calls = new ProgramCalls(program.address())) {
            calls.acquire("afterwards", "ada", ProgramCalls.newLockId());
        }
        await().atMost(PATIENCE).until(() -> !lines("afterwards").isEmpty());

        assertThat(lines("short")).satisfiesExactly(first -> assertThat(first).contains("Lock acquired"), second -> {
            assertThat(second).contains("Lock released").containsPattern(" held_ms=\\d+$");
        });
    }

    @Test
    void aGrantSaysHowLongItWasWaitedFor() {
        try (var calls = new ProgramCalls(program.address())) {
            var id = ProgramCalls.newLockId();
            assertThat(calls.acquire("wanted", "ada", id).status()).isEqualTo(201);
            var waiting = CompletableFuture.supplyAsync(() -> calls.waitFor("wanted", "bob", ProgramCalls.newLockId()));
            await().atMost(PATIENCE)
                    .until(() ->
                            calls.get("/v1/locks/wanted").body().path("waiting").asInt() == 1);
            calls.release("wanted", "ada", id);
            assertThat(waiting.join().status()).isEqualTo(201);
        }

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(lines("wanted"))
                .anyMatch(line -> line.matches(".*Lock acquired .* owner=ada .* waited_ms=0 .*"))
                .anyMatch(line -> line.matches(".*Lock acquired .* owner=bob .* waited_ms=[1-9]\\d* .*")));
    }

    @Test
    void whoWaitsInVainHasALineThatSaysHowLong() {
        try (var calls = new ProgramCalls(program.address())) {
            calls.acquire("kept", "ada", ProgramCalls.newLockId());
            assertThat(calls.waitFor("kept", "bob", ProgramCalls.newLockId(), "300ms")
                            .status())
                    .isEqualTo(409);
        }

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(lines("kept"))
                .anyMatch(line ->
                        line.matches(".*INFO .*Lock not granted in time lock=kept lock_id=\\S+ waited_ms=[1-9]\\d+")));
    }

    private static List<String> lines(String lock) {
        return program.output()
                .lines()
                .filter(line -> line.contains(" lock=" + lock + " "))
                .toList();
    }
}
