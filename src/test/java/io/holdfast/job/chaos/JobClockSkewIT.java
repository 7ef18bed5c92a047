package io.holdfast.job.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.boot.PackagedProgram;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Two programs on one table whose clocks differ by six seconds, which the guard of ten seconds allows. The one that is
 * ahead has the janitor. Needs libfaketime.
 */
class JobClockSkewIT {
    private static final List<Path> LIBRARIES = List.of(
            Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"),
            Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1"),
            Path.of("/usr/lib/faketime/libfaketime.so.1"),
            Path.of("/usr/local/lib/faketime/libfaketime.so.1"));

    private static final Map<String, String> SETTINGS = Map.ofEntries(
            Map.entry("HOLDFAST_STORE", "dynamodb"),
            Map.entry("HOLDFAST_TABLE", "job-skew-" + UUID.randomUUID()),
            Map.entry("HOLDFAST_DYNAMODB_TABLE_CREATE", "true"),
            Map.entry("HOLDFAST_LOCK_MAX_CLOCK_SKEW", "10s"),
            Map.entry("HOLDFAST_WAIT_TICKET_TTL", "30s"),
            Map.entry("HOLDFAST_JOBS_LEASE", "8s"),
            Map.entry("HOLDFAST_JOBS_HEARTBEAT_EVERY", "2s"),
            Map.entry("HOLDFAST_JOBS_RETRY_DELAY", "0s"),
            Map.entry("HOLDFAST_JOBS_ATTEMPTS_MAX", "1000"),
            Map.entry("HOLDFAST_JOBS_POLL_EVERY", "200ms"),
            Map.entry("HOLDFAST_JOBS_JANITOR_RESCUE_AFTER", "0s"),
            Map.entry("AWS_REGION", "us-east-1"),
            Map.entry("AWS_ACCESS_KEY_ID", "test"),
            Map.entry("AWS_SECRET_ACCESS_KEY", "test"));

    private static Optional<Path> library() {
        return LIBRARIES.stream().filter(Files::exists).findFirst();
    }

    private static PackagedProgram start(String clock, Map<String, String> more) {
        var environment = new HashMap<>(SETTINGS);
        environment.putAll(more);
        environment.put(
                "QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE",
                DynamoDbLocal.shared().endpoint().toString());
        environment.put("LD_PRELOAD", library().orElseThrow().toString());
        environment.put("FAKETIME", clock);
        environment.put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        environment.put("NO_FAKE_STAT", "1");
        return PackagedProgram.start(environment);
    }

    /** The worker measures its lease by the answer that it got, from before it asked. */
    @Test
    void noWorkerGetsTheClusterBeforeTheLeaseIsOverThatItsWorkerWasTold() {
        assumeTrue(library().isPresent(), "libfaketime is not installed");
        try (var behind = start("-3s", Map.of("HOLDFAST_JOBS_JANITOR_EVERY", "off"));
                var ahead = start(
                        "+3s", Map.of("HOLDFAST_JOBS_JANITOR_EVERY", "1s", "HOLDFAST_JOBS_JANITOR_FIRST_AFTER", "0s"));
                var here = new WorkerCalls(behind.address());
                var there = new WorkerCalls(ahead.address())) {
            var cluster = here.cluster();
            var job = here.submit(cluster, "CREATE");
            var asked = System.nanoTime();
            var answer = here.ask(cluster, "first-" + cluster, "60s");
            var told = Duration.ofMillis(answer.body().at("/lease/remaining_ms").asLong());
            assertThat(told).isPositive();
            var first = WorkerCalls.claim(answer);
            assertThat(Duration.between(first.expiresAt(), Instant.now().plus(told)))
                    .as("the clock is behind")
                    .isGreaterThan(Duration.ofSeconds(2));

            var next = there.claim(cluster, "next-" + cluster);

            assertThat(Duration.ofNanos(System.nanoTime() - asked)).isGreaterThan(told);
            assertThat(next.job()).isEqualTo(job);
            assertThat(next.epoch()).isGreaterThan(first.epoch());
            assertThat(here.complete(first).text("code")).isEqualTo("stale-epoch");
            assertThat(here.heartbeat(first).text("code")).isEqualTo("stale-epoch");
        }
    }
}
