package io.holdfast.store.dynamodb.job;

import static io.holdfast.lock.port.Fixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.job.dispatch.JobReplica;
import io.holdfast.job.model.JobType;
import io.holdfast.job.port.JobStore;
import io.holdfast.kernel.FakeTimers;
import io.holdfast.kernel.TestClock;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/** The requests to DynamoDB while workers wait for jobs and there are none, in virtual time. */
class IdleWorkersCostTest {
    private static final int WORKERS = 500;
    private static final Duration WAIT = Duration.ofSeconds(60);
    /** Ends at no moment at which the replica polls. */
    private static final Duration BETWEEN_POLLS = Duration.ofMillis(59_990);

    private static final Duration OBSERVED = Duration.ofMinutes(10);

    private final TestClock clock = new TestClock(NOON);
    private final FakeTimers timers = new FakeTimers(clock);
    private final EmptyTable table = new EmptyTable();
    private final JobReplica replica = new JobReplica(
            new DynamoDbStore(table, "jobs", DynamoDbSettings.DEFAULT, Fixtures.RULES, clock, StoreTelemetry.NONE)
                    .jobs(),
            clock,
            timers);

    @Test
    void fiveHundredIdleWorkersCostFewerThanTenRequestsASecond() {
        for (var i = 0; i < WORKERS; i++) {
            waitsForEver("worker-" + i, WAIT);
            timers.advance(WAIT.dividedBy(WORKERS));
        }
        table.reset();

        timers.advance(OBSERVED);

        assertThat(replica.waiting()).isEqualTo(WORKERS);
        assertThat(requestsPerSecond(OBSERVED)).isGreaterThan(0).isLessThan(10);
    }

    /** As after the restart of a replica. Each worker is looked for among the running jobs, a hundred per request. */
    @Test
    void fiveHundredWorkersThatArriveAtOnceCostFewerThanTenRequestsASecond() {
        for (var i = 0; i < WORKERS; i++) {
            waitsForEver("worker-" + i, WAIT);
        }

        timers.advance(OBSERVED);

        assertThat(replica.waiting()).isEqualTo(WORKERS);
        assertThat(requestsPerSecond(OBSERVED)).isGreaterThan(0).isLessThan(10);
    }

    @Test
    void theSearchesDoNotDependOnTheNumberOfWorkers() {
        waitsForEver("worker-0", BETWEEN_POLLS);
        timers.advance(WAIT);
        table.reset();
        timers.advance(OBSERVED);
        var ofOne = table.queries;
        for (var i = 1; i < WORKERS; i++) {
            waitsForEver("worker-" + i, BETWEEN_POLLS);
        }
        timers.advance(WAIT);
        table.reset();

        timers.advance(OBSERVED);

        var polls = OBSERVED.dividedBy(JobReplica.POLL_EVERY);
        assertThat(ofOne).isEqualTo(polls * JobType.values().length * JobStore.SHARDS);
        assertThat(table.queries).isEqualTo(ofOne);
    }

    private double requestsPerSecond(Duration time) {
        return (table.queries + table.batches) / (double) time.toSeconds();
    }

    /** A worker that asks again when its wait is over. */
    private void waitsForEver(String worker, Duration wait) {
        replica.ask(worker, wait).subscribe().with(nothing -> {
            assertThat(nothing).isEmpty();
            waitsForEver(worker, wait);
        });
    }

    /** DynamoDB with no jobs. It answers at once, and counts. */
    private static final class EmptyTable implements DynamoDbAsyncClient {
        private static final SdkHttpResponse OK =
                SdkHttpResponse.builder().statusCode(200).build();

        private long queries;
        private long batches;

        void reset() {
            queries = 0;
            batches = 0;
        }

        @Override
        public CompletableFuture<QueryResponse> query(QueryRequest request) {
            queries++;
            var response = QueryResponse.builder();
            response.sdkHttpResponse(OK);
            return CompletableFuture.completedFuture(response.build());
        }

        @Override
        public CompletableFuture<BatchGetItemResponse> batchGetItem(BatchGetItemRequest request) {
            batches++;
            var response = BatchGetItemResponse.builder();
            response.sdkHttpResponse(OK);
            return CompletableFuture.completedFuture(response.build());
        }

        @Override
        public String serviceName() {
            return "dynamodb";
        }

        @Override
        public void close() {}
    }
}
