package io.holdfast.store.dynamodb.lock;

import io.holdfast.lock.port.FencedUpdatesContract;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.lock.port.LockStore;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import io.holdfast.suite.Slow;
import java.time.Clock;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

@Slow
class DynamoDbFencedUpdatesTest extends FencedUpdatesContract {
    private DynamoDbAsyncClient client;
    private DynamoDbStore store;

    @BeforeEach
    void open() {
        client = DynamoDbLocal.shared().client();
        store = new DynamoDbStore(
                client,
                "fenced-" + UUID.randomUUID(),
                DynamoDbSettings.DEFAULT,
                Fixtures.RULES,
                Clock.systemUTC(),
                StoreTelemetry.NONE);
        Fixtures.await(store.start());
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Override
    protected LockStore store() {
        return store.locks();
    }

    @Override
    protected int updatesPerOwner() {
        return 15;
    }
}
