package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.http.lock.RawHold;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What becomes of a held lock when the client's process or the program dies. */
class HoldIT {
    @Test
    void aHeldLockIsFreeSoonAfterItsClientDiesAndStaysForItsLeaseWhenTheProgramDoes() throws IOException {
        var environment = Map.of(
                "HOLDFAST_DATA_DIR",
                PackagedProgram.newDataFolder().toString(),
                "HOLDFAST_HOLD_TICK_MAX",
                "1h",
                "HOLDFAST_DRAIN_DELAY",
                "1m");
        RawHold orphan;
        try (var program = PackagedProgram.start(environment);
                var calls = new ProgramCalls(program.address())) {
            aClientKilledWithKill9FreesItsLockBeforeTheNextTick(program, calls);

            orphan = hold(program, "orphan", "owner=ada&ttl=3s");
            orphan.next("acquired");
            program.kill9();
            program.awaitExit();
        }
        try (orphan) {
            awaitEnd(orphan);
        }
        try (var next = PackagedProgram.start(environment);
                var calls = new ProgramCalls(next.address())) {
            assertThat(calls.get("/v1/locks/orphan").text("owner")).isEqualTo("ada");
            assertThat(status(calls, "orphan")).isIn("active", "expired");
            await().until(() -> status(calls, "orphan").equals("expired"));

            aClientIsToldThatTheProgramGoesAndKeepsItsLease(next, calls);
        }
    }

    private static void aClientKilledWithKill9FreesItsLockBeforeTheNextTick(PackagedProgram program, ProgramCalls calls)
            throws IOException {
        var url = program.address().resolve("/v1/locks/killed/hold?owner=ada&ttl=24h");
        var client = new ProcessBuilder("curl", "--no-buffer", "--silent", url.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var output = new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(output.readLine()).isEqualTo("event: acquired");
            assertThat(status(calls, "killed")).isEqualTo("active");

            client.destroyForcibly();

            await().until(() -> status(calls, "killed").equals("released"));
        } finally {
            client.destroyForcibly();
        }
    }

    private static void aClientIsToldThatTheProgramGoesAndKeepsItsLease(PackagedProgram program, ProgramCalls calls) {
        try (var hold = hold(program, "handed-on", "owner=ada&ttl=10m")) {
            hold.next("acquired");

            program.terminate();

            var lost = hold.next("lost");
            assertThat(lost.get("cause").asText()).isEqualTo("shutting_down");
            assertThat(lost.get("remaining_ms").asLong()).isPositive();
            assertThat(status(calls, "handed-on")).isEqualTo("active");
        }
    }

    private static RawHold hold(PackagedProgram program, String name, String query) {
        return new RawHold(program.address().getPort(), "/v1/locks/" + name, query);
    }

    private static void awaitEnd(RawHold hold) {
        while (!hold.next().isEnd()) {
            // Ticks that were on their way.
        }
    }

    private static String status(ProgramCalls calls, String name) {
        return calls.get("/v1/locks/" + name).text("status");
    }
}
