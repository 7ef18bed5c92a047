package io.holdfast.store.dynamodb.lock;

import io.holdfast.lock.port.EvictionFacts;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.lock.port.LockStore;
import io.holdfast.lock.port.LockStoreContract;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import io.holdfast.suite.Slow;
import java.time.Clock;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

@Slow
class DynamoDbLockStoreTest extends LockStoreContract implements EvictionFacts {
    private static DynamoDbAsyncClient client;
    private static DynamoDbStore store;

    @BeforeAll
    static void open() {
        client = DynamoDbLocal.shared().replicasClient();
        store = new DynamoDbStore(
                client,
                "contract-" + UUID.randomUUID(),
                DynamoDbSettings.DEFAULT,
                Fixtures.RULES,
                Clock.systemUTC(),
                StoreTelemetry.NONE);
        Fixtures.await(store.start());
    }

    @AfterAll
    static void close() {
        client.close();
    }

    @Override
    protected LockStore store() {
        return store.locks();
    }

    @Override
    protected int rounds() {
        return 3;
    }
}
