package io.holdfast.store.dynamodb.job;

import io.holdfast.job.port.JobStore;
import io.holdfast.job.port.JobStoreContract;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.lock.port.LockStore;
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
class DynamoDbJobStoreTest extends JobStoreContract {
    private static DynamoDbAsyncClient client;
    private DynamoDbStore store;

    @BeforeAll
    static void connect() {
        client = DynamoDbLocal.shared().replicasClient();
    }

    @BeforeEach
    void open() {
        store = new DynamoDbStore(
                client,
                "jobs-" + UUID.randomUUID(),
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
    public JobStore store() {
        return store.jobs();
    }

    @Override
    protected LockStore locks() {
        return store.locks();
    }

    @Override
    protected int races() {
        return 20;
    }
}
