package io.holdfast.store.dynamodb.service;

import io.holdfast.lifecycle.port.LifecycleStore;
import io.holdfast.lifecycle.port.LifecycleStoreContract;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import io.holdfast.suite.Slow;
import java.time.Clock;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

@Slow
class DynamoDbLifecycleStoreTest extends LifecycleStoreContract {
    private static DynamoDbAsyncClient client;
    private DynamoDbStore store;
    private DynamoDbStore other;

    @BeforeAll
    static void connect() {
        client = DynamoDbLocal.shared().replicasClient();
    }

    @BeforeEach
    void open() {
        var table = "services-" + UUID.randomUUID();
        store = store(table);
        other = store(table);
        Fixtures.await(store.start());
    }

    private static DynamoDbStore store(String table) {
        return new DynamoDbStore(
                client, table, DynamoDbSettings.DEFAULT, Fixtures.RULES, Clock.systemUTC(), StoreTelemetry.NONE);
    }

    @AfterAll
    static void close() {
        client.close();
    }

    @Override
    public LifecycleStore store() {
        return store.lifecycle();
    }

    @Override
    public LifecycleStore otherStore() {
        return other.lifecycle();
    }

    @Override
    public int races() {
        return 40;
    }

    @Override
    public int orderStep() {
        return 3;
    }
}
