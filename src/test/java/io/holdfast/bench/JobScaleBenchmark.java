package io.holdfast.bench;

import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RULES;
import static org.awaitility.Awaitility.await;

import io.holdfast.boot.PackagedProgram;
import io.holdfast.boot.ProgramMetrics;
import io.holdfast.job.dispatch.JobReplica;
import io.holdfast.job.model.JobType;
import io.holdfast.kernel.FakeTimers;
import io.holdfast.kernel.TestClock;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.FaultProxy;
import io.holdfast.store.embedded.EmbeddedStore;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures, not facts: `make bench` prints them. */
@Tag("benchmark")
class JobScaleBenchmark {
    private static final int JOBS_PER_CLUSTER = 10;
    private static final int ROUNDS = 40;
    private static final int CLAIMS_PER_ROUND = 100;
    private static final int IDLE_WORKERS = 500;
    private static final Duration OBSERVED = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    /** The two stores take turns, so that the disk and the JVM are the same for both. */
    @Test
    void aClaimByHowManyJobsAreQueued() {
        try (var small = new Queues(10);
                var large = new Queues(10_000)) {
            for (var round = 0; round < 2 * ROUNDS; round++) {
                if (round == ROUNDS) {
                    small.forget();
                    large.forget();
                }
                small.work();
                large.work();
            }
            print("claim", small, median(small.claims), large, median(large.claims));
            print(
                    "completion, which searches nothing,",
                    small,
                    median(small.completions),
                    large,
                    median(large.completions));
        }
    }

    private static void print(String what, Queues small, long few, Queues large, long many) {
        System.out.printf(
                "BENCH a %s on the embedded store: median %,d us with %,d jobs in %,d clusters, %,d us with %,d jobs"
                        + " in %,d clusters, %.2f times as long%n",
                what,
                few / 1000,
                small.jobs(),
                small.clusters,
                many / 1000,
                large.jobs(),
                large.clusters,
                many / (double) few);
    }

    private static long median(List<Long> nanos) {
        var sorted = nanos.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** A store with queued jobs. Each claimed job is completed and replaced, so their number stays the same. */
    private final class Queues implements AutoCloseable {
        private final int clusters;
        private final EmbeddedStore store;
        private final TestClock clock = new TestClock(NOON);
        private final JobReplica replica;
        private final List<Long> claims = new ArrayList<>();
        private final List<Long> completions = new ArrayList<>();

        Queues(int clusters) {
            this.clusters = clusters;
            this.store = EmbeddedStore.open(
                    folder.resolve("clusters-" + clusters),
                    new EmbeddedSettings(512, 10_000, 4096),
                    RULES,
                    EmbeddedSettings.HERE,
                    StoreTelemetry.NONE);
            this.replica = new JobReplica(store.jobs(), clock, new FakeTimers(clock));
            replica.fill(clusters, JOBS_PER_CLUSTER);
        }

        int jobs() {
            return clusters * JOBS_PER_CLUSTER;
        }

        void work() {
            for (var i = 0; i < CLAIMS_PER_ROUND; i++) {
                clock.advance(Duration.ofMillis(1));
                var started = System.nanoTime();
                var claim = replica.claim("worker-1");
                var claimed = System.nanoTime();
                replica.complete(claim);
                completions.add(System.nanoTime() - claimed);
                claims.add(claimed - started);
                replica.submit(claim.cluster().id(), JobType.SCALE_WORKERS);
            }
        }

        void forget() {
            claims.clear();
            completions.clear();
        }

        @Override
        public void close() {
            store.close();
        }
    }

    @Test
    void requestsOfIdleWorkersToDynamoDb() throws IOException {
        var workers = new ArrayList<HttpConnection>();
        try (var proxy = FaultProxy.to(DynamoDbLocal.shared().endpoint());
                var program = PackagedProgram.startAsMakeRunDoes(onDynamoDb(proxy));
                var metrics = new ProgramMetrics(program.address())) {
            var threads = metrics.value("jvm_threads_live_threads");
            for (var i = 0; i < IDLE_WORKERS; i++) {
                var worker = new HttpConnection(program.address());
                workers.add(worker);
                var request = "{\"worker\":\"worker-" + i + "\",\"wait\":\"60s\"}";
                Thread.ofVirtual().start(() -> waitForEver(worker, request));
            }
            await().until(() -> metrics.value("jobs_waiting_workers") == IDLE_WORKERS);
            proxy.resetCounts();
            LockSupport.parkNanos(OBSERVED.toNanos());
            var counts = proxy.counts();
            System.out.printf(
                    "BENCH %d idle workers on DynamoDB: %.1f requests a second in %d s, janitor and sweep included %s;"
                            + " %.0f threads, %.0f without workers%n",
                    IDLE_WORKERS,
                    counts.values().stream().mapToInt(Integer::intValue).sum() / (double) OBSERVED.toSeconds(),
                    OBSERVED.toSeconds(),
                    counts,
                    metrics.value("jvm_threads_live_threads"),
                    threads);
        } finally {
            for (var worker : workers) {
                worker.close();
            }
        }
    }

    private static Map<String, String> onDynamoDb(FaultProxy proxy) {
        return Map.of(
                "HOLDFAST_STORE", "dynamodb",
                "HOLDFAST_TABLE", "jobs-" + UUID.randomUUID(),
                "HOLDFAST_DYNAMODB_TABLE_CREATE", "true",
                "QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE", proxy.endpoint().toString(),
                "AWS_REGION", "us-east-1",
                "AWS_ACCESS_KEY_ID", "test",
                "AWS_SECRET_ACCESS_KEY", "test");
    }

    /** Asks again when its wait is over, until the connection is closed. */
    private static void waitForEver(HttpConnection worker, String request) {
        try {
            while (true) {
                worker.post("/v1/jobs/claim", request);
            }
        } catch (IOException closed) {
            // The benchmark is over.
        }
    }
}
