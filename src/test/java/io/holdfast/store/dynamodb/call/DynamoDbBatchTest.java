package io.holdfast.store.dynamodb.call;

import static io.holdfast.lock.port.Fixtures.SKEW;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.store.StoreTelemetry;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;

/** Keys that DynamoDB leaves for the next request, and more keys than one request may have. */
class DynamoDbBatchTest {
    private static final String TABLE = "table";

    @Test
    void keysThatWereLeftAreAskedForAgain() {
        var client = new FakeClient(2);

        assertThat(await(batch(client).find("find", keys(5)))).hasSize(5).containsOnlyKeys(keys(5));
        assertThat(client.sizes).containsExactly(5, 3, 1);
    }

    @Test
    void aRequestHasAtMostAHundredKeys() {
        var client = new FakeClient(100);

        assertThat(await(batch(client).find("find", keys(250)))).hasSize(250);
        assertThat(client.sizes).containsExactly(100, 100, 50);
    }

    @Test
    void aKeyIsAskedForOnce() {
        var client = new FakeClient(100);

        assertThat(await(batch(client).find("find", Collections.nCopies(3, key(1)))))
                .hasSize(1);
        assertThat(client.sizes).containsExactly(1);
    }

    @Test
    void keysThatAreAlwaysLeftEndAsUnavailable() {
        var client = new FakeClient(0);

        assertThatThrownBy(() -> await(batch(client).find("find", keys(1))))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(client.sizes).hasSize(12);
    }

    private static DynamoDbBatch batch(DynamoDbAsyncClient client) {
        var clock = new ClockGuard(Clock.systemUTC(), () -> 0, SKEW, StoreTelemetry.NONE);
        return new DynamoDbBatch(
                client, new DynamoDbCalls(DynamoDbSettings.DEFAULT, clock, StoreTelemetry.NONE), TABLE);
    }

    private static List<Map<String, AttributeValue>> keys(int count) {
        return IntStream.range(0, count).mapToObj(DynamoDbBatchTest::key).toList();
    }

    private static Map<String, AttributeValue> key(int number) {
        return Map.of(Attributes.PK, Attributes.text("JOB#" + number), Attributes.SK, Attributes.text("JOB"));
    }

    /** Has every item, and reads at most {@code readMax} of them for one request. */
    private static final class FakeClient implements DynamoDbAsyncClient {
        private final int readMax;
        private final List<Integer> sizes = new ArrayList<>();

        FakeClient(int readMax) {
            this.readMax = readMax;
        }

        @Override
        public CompletableFuture<BatchGetItemResponse> batchGetItem(BatchGetItemRequest request) {
            var asked = request.requestItems().get(TABLE);
            var keys = asked.keys();
            sizes.add(keys.size());
            var read = Math.min(readMax, keys.size());
            var left = asked.toBuilder().keys(keys.subList(read, keys.size())).build();
            return CompletableFuture.completedFuture(BatchGetItemResponse.builder()
                    .responses(Map.of(TABLE, keys.subList(0, read)))
                    .unprocessedKeys(read < keys.size() ? Map.of(TABLE, left) : Map.of())
                    .build());
        }

        @Override
        public String serviceName() {
            return "dynamodb";
        }

        @Override
        public void close() {}
    }
}
