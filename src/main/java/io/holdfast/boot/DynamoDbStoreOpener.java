package io.holdfast.boot;

import io.holdfast.lock.LockLimits;
import io.holdfast.store.StoreConfig;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.call.DynamoDbConfig;
import io.holdfast.telemetry.metrics.LockMetrics;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.time.Duration;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Opens the configured DynamoDB table, and lets DynamoDB's time correct the clock of the service. */
@Singleton
class DynamoDbStoreOpener {
    private static final Duration START_MAX = Duration.ofMinutes(3);

    private final StoreConfig store;
    private final DynamoDbConfig dynamoDb;
    private final LockLimits limits;
    private final Instance<DynamoDbAsyncClient> client;
    private final ServiceClock clock;
    private final LockMetrics metrics;

    DynamoDbStoreOpener(
            StoreConfig store,
            DynamoDbConfig dynamoDb,
            LockLimits limits,
            Instance<DynamoDbAsyncClient> client,
            ServiceClock clock,
            LockMetrics metrics) {
        this.store = store;
        this.dynamoDb = dynamoDb;
        this.limits = limits;
        this.client = client;
        this.clock = clock;
        this.metrics = metrics;
    }

    /** Blocks until the table is checked. Call it at start only, never on an event loop. */
    DynamoDbStore open() {
        var opened = new DynamoDbStore(client.get(), store.table(), dynamoDb, limits.rules(), clock.machine(), metrics);
        clock.correctBy(opened::clockCorrection);
        opened.start().await().atMost(START_MAX);
        return opened;
    }
}
