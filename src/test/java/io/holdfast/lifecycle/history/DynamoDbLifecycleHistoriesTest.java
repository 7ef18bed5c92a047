package io.holdfast.lifecycle.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.port.Fixtures;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import io.holdfast.suite.Slow;
import java.time.Clock;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The histories of {@link LifecycleHistoriesTest} on DynamoDB, fewer of them. */
@Slow
class DynamoDbLifecycleHistoriesTest {
    private static final int HISTORIES = Integer.getInteger("holdfast.test.dynamodb-lifecycle-histories", 12);

    /** Of each of ten components. */
    private static final int ROUNDS = Integer.getInteger("holdfast.test.dynamodb-lifecycle-rounds", 40);

    private final DynamoDbAsyncClient client = DynamoDbLocal.shared().replicasClient();
    private final DynamoDbStore store = new DynamoDbStore(
            client,
            "service-histories-" + UUID.randomUUID(),
            DynamoDbSettings.DEFAULT,
            Fixtures.RULES,
            Clock.systemUTC(),
            StoreTelemetry.NONE);

    @BeforeEach
    void start() {
        Fixtures.await(store.start());
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void eachRowIsWhatOneWriterWasToldAndNoOlderWriterWins() {
        assertThat(LifecycleHistory.playAll(HISTORIES, store.lifecycle())).isGreaterThan(5 * HISTORIES);
    }

    @Test
    void tenComponentsAtOnceWriteWhatTheyWereToldAndNothingElse() throws Exception {
        try (var storm = new ServiceStorm(store.lifecycle(), store.locks())) {
            assertThat(storm.run(ROUNDS)).hasSizeGreaterThan(ROUNDS / 3);
        }
    }
}
