package io.holdfast.job.chaos;

import static io.holdfast.job.chaos.WorkerCalls.assertStale;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.boot.PackagedProgram;
import io.holdfast.boot.ProgramCalls.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The running program loses its store while a worker holds a claim, and gets it back. */
abstract class JobOutageFacts {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** Longer than it takes to cut off the store, and short enough to wait for its end. */
    private static final Map<String, String> SETTINGS = Map.of(
            "HOLDFAST_JOBS_LEASE", "30s",
            "HOLDFAST_JOBS_HEARTBEAT_EVERY", "5s",
            "HOLDFAST_JOBS_RETRY_DELAY", "100ms",
            "HOLDFAST_JOBS_POLL_EVERY", "200ms",
            "HOLDFAST_JOBS_JANITOR_EVERY", "1s",
            "HOLDFAST_JOBS_JANITOR_FIRST_AFTER", "0s",
            "HOLDFAST_JOBS_JANITOR_LOCK_TTL", "5s",
            "HOLDFAST_JOBS_JANITOR_RESCUE_AFTER", "500ms");

    private PackagedProgram program;
    private WorkerCalls calls;

    /** The store of the program. */
    abstract Map<String, String> store();

    /** From now on each change fails. */
    abstract void cutOff(PackagedProgram running);

    abstract void heal(PackagedProgram running);

    @BeforeEach
    void start() {
        var environment = new HashMap<>(store());
        environment.putAll(SETTINGS);
        program = PackagedProgram.start(environment);
        calls = new WorkerCalls(program.address());
    }

    @AfterEach
    void end() {
        if (program != null) {
            calls.close();
            program.close();
        }
    }

    @Test
    void aWorkerThatCannotRenewItsClaimLosesItToTheNextOne() {
        var cluster = calls.cluster();
        var job = calls.submit(cluster, "CREATE");
        var first = calls.claim(cluster, "first-" + cluster);

        cutOff(program);
        assertUnavailable(calls.heartbeat(first));
        heartbeatUntilTheLeaseEnds(first);
        heal(program);
        await().atMost(PATIENCE).until(calls::isReady);

        // The janitor ends the first run. What its worker reports from now on changes nothing.
        var second = calls.claim(cluster, "second-" + cluster);
        assertThat(second.job()).isEqualTo(job);
        assertThat(second.attempt()).isEqualTo(2);
        assertThat(second.epoch()).isGreaterThan(first.epoch());
        var told = stateOf(job);
        assertThat(told.at("/runs/0/error_code").asText()).isEqualTo("WORKER_TIMEOUT");
        assertThat(told.at("/runs/0/epoch").asLong()).isEqualTo(first.epoch());
        assertStale(calls.complete(first));
        assertStale(calls.heartbeat(first));
        assertThat(stateOf(job)).isEqualTo(told);

        assertThat(calls.complete(second).status()).isEqualTo(200);
        assertThat(calls.jobStatus(job)).isEqualTo("SUCCEEDED");
        assertThat(calls.clusterStatus(cluster)).isEqualTo("READY");
        assertStale(calls.complete(first));
        assertThat(calls.job(job).text("worker")).isEqualTo("second-" + cluster);
    }

    /** The time that is left is no part of it. */
    private JsonNode stateOf(String job) {
        return calls.job(job).body().<ObjectNode>deepCopy().without("remaining_ms");
    }

    /** The worker keeps trying, as it should. No answer confirms its claim. */
    private void heartbeatUntilTheLeaseEnds(WorkerCalls.Claim claim) {
        await().atMost(PATIENCE).until(() -> {
            var answer = calls.heartbeat(claim);
            var isOver = !Instant.now().isBefore(claim.expiresAt());
            if (isOver && answer.status() == 409) {
                // A store that can still be read from tells that the lease is over.
                assertStale(answer);
            } else {
                assertUnavailable(answer);
            }
            return isOver;
        });
    }

    private static void assertUnavailable(Answer answer) {
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(503);
        assertThat(answer.text("code")).isEqualTo("store-unavailable");
    }
}
